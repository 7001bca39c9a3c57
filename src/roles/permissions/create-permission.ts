import type { Actor } from '../../activity/actor.ts'
import { organisationsThatHearOf, recordForEveryOrganisation, reportInOrganisations } from '../../activity/record-for-every-organisation.ts'
import { refuseViolation } from '../../platform/database/constraints.ts'
import type { Database, System } from '../../platform/database/database.ts'
import { newId } from '../../platform/ids.ts'
import { findOwnerRoles, grantToOwnerRoles, presentRole } from '../queries.ts'
import { type Permission, presentPermission } from './queries.ts'
import { permissionSlugTaken } from './refusals.ts'
import type { NewPermission } from './schemas.ts'

/**
 * Adds a permission to the catalogue of the whole system and to the owner role of every organisation. Each organisation
 * gets its own audit entries, and `permission.granted` if an endpoint has subscribed to it.
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
    await reportGrantsOf(system, actor, permission)
    return permission
  })
}

const organisationsAtATime = 500

async function reportGrantsOf(system: System, actor: Actor, { id, slug, name }: Permission): Promise<void> {
  const hearing = await organisationsThatHearOf(system, 'permission.granted')
  for (let start = 0; start < hearing.length; start += organisationsAtATime) {
    const roles = await findOwnerRoles(system, hearing.slice(start, start + organisationsAtATime))
    const grants = roles.map((role) => ({
      organisationId: role.organisationId,
      occurrence: { action: 'permission.granted' as const, role: presentRole(role), permission: { id, slug, name } },
    }))
    await reportInOrganisations(system, actor, grants)
  }
}
