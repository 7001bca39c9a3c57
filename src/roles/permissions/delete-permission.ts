import { sql } from 'kysely'
import { permissionSlugs } from '../../access/permission-slugs.ts'
import type { Actor } from '../../activity/actor.ts'
import { recordDeletedPermission } from '../../activity/record-for-every-organisation.ts'
import type { Database } from '../../platform/database/database.ts'
import { presentPermission } from './queries.ts'
import { permissionBuiltIn, permissionNotFound } from './refusals.ts'

/**
 * Removes a permission from the catalogue, and so from every role and API key that holds it, with audit entries in each
 * organisation. Tokens that carry it are valid until they expire.
 *
 * @throws Problem `not-found`, or `bad-request` for a permission that guards the service itself
 */
export async function deletePermission(database: Database, actor: Actor, id: string): Promise<void> {
  await database.systemTransaction(async (system) => {
    const permission = await system.selectFrom('permissions').selectAll().where('id', '=', id).forUpdate().executeTakeFirst()
    if (!permission) throw permissionNotFound()
    if ((permissionSlugs as readonly string[]).includes(permission.slug)) throw permissionBuiltIn()

    // Recorded first: deleting the permission also deletes the rows that name its roles.
    await recordDeletedPermission(system, actor, presentPermission(permission))
    await sql`update api_keys set permissions = array_remove(permissions, ${permission.slug}::text)
      where ${permission.slug}::text = any(permissions)`.execute(system)
    await system.deleteFrom('permissions').where('id', '=', id).execute()
  })
}
