import type { Actor } from '../activity/actor.ts'
import { recordForEveryOrganisation } from '../activity/record-for-every-organisation.ts'
import { refuseViolation } from '../platform/database/constraints.ts'
import type { Database } from '../platform/database/database.ts'
import { newId } from '../platform/ids.ts'
import { grantToOwnerRoles } from '../roles/queries.ts'
import { type Permission, presentPermission } from './queries.ts'
import { permissionSlugTaken } from './refusals.ts'
import type { NewPermission } from './schemas.ts'

/**
 * Adds a permission to the catalogue of the whole system and to the owner role of every organisation, each with an audit
 * entry of its own.
 *
 * @throws Problem `conflict` when the slug is taken
 */
export async function createPermission(database: Database, actor: Actor, input: NewPermission): Promise<Permission> {
  return database.systemTransaction(async (system) => {
    const permission = await system
      .insertInto('permissions')
      .values({ id: newId('prm', system.now), ...input, createdAt: system.now, updatedAt: system.now })
      .returningAll()
      .executeTakeFirstOrThrow()
      .catch(refuseViolation({ permissions_slug_key: permissionSlugTaken }))
    await grantToOwnerRoles(system, permission.id)
    await recordForEveryOrganisation(system, actor, { action: 'permission.created', permission: presentPermission(permission) })
    return permission
  })
}
