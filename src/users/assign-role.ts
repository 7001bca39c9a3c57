import type { Caller } from '../access/caller.ts'
import { permissionBeyond } from '../access/rules.ts'
import { presentUser } from '../accounts/present-user.ts'
import { getUser, lockUser } from '../accounts/queries.ts'
import { cannotGrant, ownerCannotLoseOwnerRole, roleNotFound, userNotFound } from '../accounts/refusals.ts'
import { record } from '../activity/record.ts'
import { isOwner } from '../organisations/queries.ts'
import type { Database, Tenant } from '../platform/database/database.ts'
import { assignRole, findRoles, permissionsOf, presentRole, type Role, unassignRole } from '../roles/queries.ts'

/**
 * Assigns a role to a user. Does nothing, and records nothing, when the user already has it.
 *
 * @throws Problem `not-found` for the user or the role, `forbidden` when the role holds a permission that the caller lacks
 */
export async function assignRoleToUser(database: Database, caller: Caller, userId: string, roleName: string): Promise<void> {
  await database.transaction(caller.organisationId, async (tenant) => {
    if (!(await lockUser(tenant, userId))) throw userNotFound()
    const role = await getRoleToAssign(tenant, roleName)
    const beyond = permissionBeyond(caller, permissionsOf([role]))
    if (beyond) throw cannotGrant(beyond)
    if (!(await assignRole(tenant, userId, role.id))) return
    await recordAssignment(tenant, caller, 'role.assigned', userId, role)
  })
}

/**
 * Removes a role from a user. Does nothing, and records nothing, when the user does not have it.
 *
 * @throws Problem `not-found` for the user or the role, `bad-request` for the owner's owner role
 */
export async function unassignRoleFromUser(database: Database, caller: Caller, userId: string, roleName: string): Promise<void> {
  await database.transaction(caller.organisationId, async (tenant) => {
    if (!(await lockUser(tenant, userId))) throw userNotFound()
    const role = await getRoleToAssign(tenant, roleName)
    if (role.isOwner && (await isOwner(tenant, userId))) throw ownerCannotLoseOwnerRole()
    if (!(await unassignRole(tenant, userId, role.id))) return
    await recordAssignment(tenant, caller, 'role.unassigned', userId, role)
  })
}

/** @param name id or slug */
async function getRoleToAssign(tenant: Tenant, name: string): Promise<Role> {
  const [role] = await findRoles(tenant, [name])
  if (!role) throw roleNotFound()
  return role
}

async function recordAssignment(
  tenant: Tenant,
  caller: Caller,
  action: 'role.assigned' | 'role.unassigned',
  userId: string,
  role: Role,
): Promise<void> {
  const user = presentUser(await getUser(tenant, userId))
  await record(tenant, caller.actor, { action, user, role: presentRole(role), metadata: { roleId: role.id, roleSlug: role.slug } })
}
