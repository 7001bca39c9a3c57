import type { Caller } from '../access/caller.ts'
import { holdCaller, holdCallerWith, requireGranting } from '../access/hold-caller.ts'
import { presentUser } from '../accounts/present-user.ts'
import { getUser, lockUser } from '../accounts/queries.ts'
import { ownerCannotLoseOwnerRole, roleNotFound, userNotFound } from '../accounts/refusals.ts'
import { record } from '../activity/record.ts'
import { isOwner } from '../organisations/queries.ts'
import type { Database, Tenant } from '../platform/database/database.ts'
import { assignments, findRoles, permissionsOf, presentRole, type Role } from '../roles/queries.ts'
import type { AssignmentSource } from '../roles/schemas.ts'

/**
 * Assigns a role to a user. It does and records nothing when the role is assigned already. A role that only another source has assigned
 * becomes a manual one, too, so the user retains it whatever the source does; this causes no event.
 *
 * @throws Problem `not-found` for the user or the role, `forbidden` when the role holds a permission that the caller lacks
 */
export async function assignRoleToUser(database: Database, caller: Caller, userId: string, roleName: string): Promise<void> {
  await database.transaction(caller.organisationId, async (tenant) => {
    if (!(await lockUser(tenant, userId))) throw userNotFound()
    const role = await getRoleToAssign(tenant, roleName)
    await holdCaller(tenant, caller)
    await requireGranting(tenant, caller, 'users:update', permissionsOf([role]))
    const [given] = await assignments.give(tenant, userId, 'manual', [role.id])
    if (given) await recordAssignment(tenant, caller, given.isNew ? 'role.assigned' : 'role.source_added', userId, role)
  })
}

/**
 * Removes a role from a user, unless another source assigns it, too: the user then retains the role, and no event is reported. It does and
 * records nothing when the role was not assigned.
 *
 * @returns the other sources because of which the user retains the role
 * @throws Problem `not-found` for the user or the role, `bad-request` for the owner's owner role
 */
export async function unassignRoleFromUser(
  database: Database,
  caller: Caller,
  userId: string,
  roleName: string,
): Promise<AssignmentSource[]> {
  return database.transaction(caller.organisationId, async (tenant) => {
    if (!(await lockUser(tenant, userId))) throw userNotFound()
    await holdCallerWith(tenant, caller, 'users:update')
    const role = await getRoleToAssign(tenant, roleName)
    if (role.isOwner && (await isOwner(tenant, userId))) throw ownerCannotLoseOwnerRole()
    const [taken] = await assignments.take(tenant, userId, 'manual', [role.id])
    if (taken) await recordAssignment(tenant, caller, taken.isGone ? 'role.unassigned' : 'role.source_removed', userId, role)
    return taken?.isGone ? [] : assignments.otherSources(tenant, userId, role.id)
  })
}

/** @param name the role's id or slug */
async function getRoleToAssign(tenant: Tenant, name: string): Promise<Role> {
  const [role] = await findRoles(tenant, [name])
  if (!role) throw roleNotFound()
  return role
}

async function recordAssignment(
  tenant: Tenant,
  caller: Caller,
  action: 'role.assigned' | 'role.unassigned' | 'role.source_added' | 'role.source_removed',
  userId: string,
  role: Role,
): Promise<void> {
  const user = presentUser(await getUser(tenant, userId))
  await record(tenant, caller.actor, { action, user, role: presentRole(role), metadata: { roleId: role.id, roleSlug: role.slug } })
}
