import type { Caller } from '../access/caller.ts'
import { holdCaller, requireGranting } from '../access/hold-caller.ts'
import { record } from '../activity/record.ts'
import type { Database, Tenant } from '../platform/database/database.ts'
import { namesOf } from '../platform/database/named.ts'
import { refuseUnknownIds } from '../platform/http/problem.ts'
import { endDefaultRole } from './end-default-role.ts'
import { findPermissions } from './permissions/queries.ts'
import { permissionNotFound } from './permissions/refusals.ts'
import { getRole, insertRole, presentRole, type RoleWithUserCount, replacePermissions } from './queries.ts'
import type { NewRole } from './schemas.ts'

/**
 * Creates a role in the caller's organisation. A new default role replaces the previous one.
 *
 * @throws Problem `bad-request` naming an unknown permission id, `forbidden` when the caller lacks one of them, or one of the
 *   default role that it replaces, `conflict` when the slug is taken
 */
export async function createRole(database: Database, caller: Caller, input: NewRole): Promise<RoleWithUserCount> {
  return database.transaction(caller.organisationId, async (tenant) => {
    const granted = await knownPermissions(tenant, input.permissionIds)
    await holdCaller(tenant, caller)
    await requireGranting(
      tenant,
      caller,
      'roles:create',
      granted.map(({ slug }) => slug),
    )

    if (input.isDefault) await endDefaultRole(tenant, caller, 'roles:create')
    const id = await insertRole(tenant, input)
    await replacePermissions(
      tenant,
      id,
      granted.map((permission) => permission.id),
    )
    const role = await getRole(tenant, id)
    await record(tenant, caller.actor, { action: 'role.created', role: presentRole(role) })
    return role
  })
}

/** The permissions with these ids or slugs. @throws Problem that points at each unknown one */
export async function knownPermissions(tenant: Tenant, names: readonly string[]): Promise<{ id: string; slug: string }[]> {
  const permissions = names.length > 0 ? await findPermissions(tenant, names) : []
  refuseUnknownIds('permissionIds', names, namesOf(permissions), permissionNotFound)
  return permissions
}
