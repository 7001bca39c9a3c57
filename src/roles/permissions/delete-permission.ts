import { sql } from 'kysely'
import { permissionSlugs } from '../../access/permission-slugs.ts'
import type { Actor } from '../../activity/actor.ts'
import { organisationsThatHearOf, recordDeletedPermission, reportInOrganisations } from '../../activity/record-for-every-organisation.ts'
import type { Database, System } from '../../platform/database/database.ts'
import { findRolesIn, listRolesWith, presentRole, type RoleKey } from '../queries.ts'
import { presentPermission } from './queries.ts'
import { permissionBuiltIn, permissionNotFound } from './refusals.ts'

/**
 * Removes a permission from the catalogue, and so from every role and API key that holds it, with audit entries in each
 * organisation and `role.updated` if an endpoint has subscribed to it. Tokens that carry it are valid until they expire.
 *
 * @throws Problem `not-found`, or `bad-request` for a permission that guards the service itself
 */
export async function deletePermission(database: Database, actor: Actor, id: string): Promise<void> {
  await database.systemTransaction(async (system) => {
    const permission = await system.selectFrom('permissions').selectAll().where('id', '=', id).forUpdate().executeTakeFirst()
    if (!permission) throw permissionNotFound()
    if ((permissionSlugs as readonly string[]).includes(permission.slug)) throw permissionBuiltIn()

    // Before it is deleted, which also deletes the rows that name its roles.
    await recordDeletedPermission(system, actor, presentPermission(permission))
    const losing = await listRolesWith(system, id, await organisationsThatHearOf(system, 'role.updated'))
    await sql`update api_keys set permissions = array_remove(permissions, ${permission.slug}::text)
      where ${permission.slug}::text = any(permissions)`.execute(system)
    await system.deleteFrom('permissions').where('id', '=', id).execute()
    await reportLoss(system, actor, losing)
  })
}

const rolesAtATime = 500

async function reportLoss(system: System, actor: Actor, losing: readonly RoleKey[]): Promise<void> {
  for (let start = 0; start < losing.length; start += rolesAtATime) {
    const roles = await findRolesIn(system, losing.slice(start, start + rolesAtATime))
    const occurrences = roles.map((role) => ({
      organisationId: role.organisationId,
      occurrence: { action: 'role.updated' as const, role: presentRole(role) },
    }))
    await reportInOrganisations(system, actor, occurrences)
  }
}
