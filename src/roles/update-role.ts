import type { Caller } from '../access/caller.ts'
import { holdCaller, requireGranting } from '../access/hold-caller.ts'
import { changedFields } from '../activity/changes.ts'
import { recordEach } from '../activity/record.ts'
import type { Database } from '../platform/database/database.ts'
import { knownPermissions } from './create-role.ts'
import { endDefaultRole } from './end-default-role.ts'
import { getRole, lockRole, presentRole, type RoleWithUserCount, replacePermissions, roleChange, updateRole } from './queries.ts'
import { ownerRoleKeepsItsPermissions, ownerRoleNotDefault } from './refusals.ts'
import type { RoleChanges } from './schemas.ts'

/**
 * Changes a role. Callers cannot change a role that holds permissions which they lack: otherwise they could grant them.
 *
 * @throws Problem `not-found`; `bad-request` for an unknown permission id, another set of permissions of the owner role, and the owner role
 *   as the default role; `forbidden` when the role holds, or would hold, a permission that the caller lacks, and so for a default role that it
 *   replaces; `precondition-failed`
 */
export async function changeRole(
  database: Database,
  caller: Caller,
  id: string,
  changes: RoleChanges,
  ifMatch: string | undefined,
): Promise<RoleWithUserCount> {
  return database.transaction(caller.organisationId, async (tenant) => {
    // Before the role: an assignment locks the user before the role, too.
    await holdCaller(tenant, caller)
    const before = roleChange.requireCurrent(await lockRole(tenant, id), ifMatch)
    const asked = changes.permissionIds && (await knownPermissions(tenant, changes.permissionIds))
    if (asked && before.isOwner && asked.length !== before.permissions.length) throw ownerRoleKeepsItsPermissions()
    if (changes.isDefault && before.isOwner) throw ownerRoleNotDefault()
    await requireGranting(
      tenant,
      caller,
      'roles:update',
      [...before.permissions, ...(asked ?? [])].map(({ slug }) => slug),
    )

    const { permissionIds: _, ...fields } = changes
    const changed = changedFields(before, fields)
    const permissionIds = asked?.map((permission) => permission.id)
    const held = new Set(before.permissions.map((permission) => permission.id))
    const replaces = permissionIds && new Set(permissionIds).symmetricDifference(held).size > 0
    if (!changed && !replaces) return getRole(tenant, id)
    if (changed?.isDefault) await endDefaultRole(tenant, caller, 'roles:update')
    await updateRole(tenant, id, changed ?? {})
    if (replaces) await replacePermissions(tenant, id, permissionIds)
    const role = await getRole(tenant, id)

    await roleChange.recordUpdate(tenant, caller.actor, before, role)
    const granted = role.permissions.filter((permission) => !held.has(permission.id))
    await recordEach(
      tenant,
      caller.actor,
      granted.map((permission) => ({ action: 'permission.granted', role: presentRole(role), permission, metadata: { permission } })),
    )
    return role
  })
}
