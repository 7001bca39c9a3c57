import type { Caller } from '../access/caller.ts'
import { permissionBeyond } from '../access/rules.ts'
import { changedFields, changesBetween } from '../activity/changes.ts'
import { record } from '../activity/record.ts'
import type { Database } from '../platform/database/database.ts'
import { getRole, knownPermissions } from './create-role.ts'
import { clearDefaultRole, deleteRole, lockRole, presentRole, type Role, replacePermissions, updateRole } from './queries.ts'
import { cannotGrant, ownerRoleCannotBeDeleted, ownerRoleKeepsItsPermissions, roleNotFound } from './refusals.ts'
import type { RoleChanges } from './schemas.ts'

/**
 * Changes a role. Nobody changes a role that holds more than they have, so that no change of it can serve to grant.
 *
 * @throws Problem `not-found`; `bad-request` for an unknown permission id or another set of permissions of the owner
 *   role; `forbidden` when the role holds, or would hold, a permission that the caller lacks
 */
export async function changeRole(database: Database, caller: Caller, id: string, changes: RoleChanges): Promise<Role> {
  return database.transaction(caller.organisationId, async (tenant) => {
    const before = await lockRole(tenant, id)
    if (!before) throw roleNotFound()
    const granted = changes.permissionIds && (await knownPermissions(tenant, changes.permissionIds))
    if (granted && before.isOwner && granted.length !== before.permissions.length) throw ownerRoleKeepsItsPermissions()
    const beyond = permissionBeyond(caller, [...before.permissions.map(({ slug }) => slug), ...(granted ?? [])])
    if (beyond) throw cannotGrant(beyond)

    const { permissionIds, ...fields } = changes
    const changed = changedFields(before, fields)
    const held = new Set(before.permissions.map((permission) => permission.id))
    const replaces = permissionIds && new Set(permissionIds).symmetricDifference(held).size > 0
    if (!changed && !replaces) return before
    if (changed?.isDefault) await clearDefaultRole(tenant)
    await updateRole(tenant, id, changed ?? {})
    if (replaces) await replacePermissions(tenant, id, permissionIds)
    const role = await getRole(tenant, id)

    await record(tenant, caller, {
      action: 'role.updated',
      role: presentRole(role),
      changes: changesBetween(presentRole(before), presentRole(role)),
    })
    for (const permission of role.permissions) {
      if (!held.has(permission.id)) await record(tenant, caller, { action: 'permission.granted', role: presentRole(role), permission })
    }
    return role
  })
}

/**
 * Deletes a role; its users lose its permissions with their next request.
 *
 * @throws Problem `not-found`, or `bad-request` for the owner role
 */
export async function removeRole(database: Database, caller: Caller, id: string): Promise<void> {
  await database.transaction(caller.organisationId, async (tenant) => {
    const role = await lockRole(tenant, id)
    if (!role) throw roleNotFound()
    if (role.isOwner) throw ownerRoleCannotBeDeleted()
    await deleteRole(tenant, id)
    await record(tenant, caller, { action: 'role.deleted', role: presentRole(role) })
  })
}
