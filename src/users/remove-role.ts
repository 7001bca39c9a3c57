import type { Caller } from '../access/caller.ts'
import { transactionOf } from '../access/hold-caller.ts'
import { presentUser } from '../accounts/present-user.ts'
import { findUsers } from '../accounts/queries.ts'
import type { Actor } from '../activity/actor.ts'
import { changeAndRecordForUsers, hasSubscriber, reportAll } from '../activity/record.ts'
import type { Database, Tenant } from '../platform/database/database.ts'
import { deleteRole, lockRole, presentRole, type Role, roleChange, unassignFromAll } from '../roles/queries.ts'
import { ownerRoleCannotBeDeleted } from '../roles/refusals.ts'

/**
 * Deletes a role. Its users lose its permissions with their next request, and each gets an audit entry.
 *
 * @throws Problem `not-found`, `precondition-failed`, or `bad-request` for the owner role
 */
export async function removeRole(
  database: Database,
  caller: Caller,
  id: string,
  ifMatch: string | undefined,
  reason: string | undefined,
): Promise<void> {
  await transactionOf(database, caller, 'roles:delete', async (tenant) => {
    const role = roleChange.requireCurrent(await lockRole(tenant, id), ifMatch)
    if (role.isOwner) throw ownerRoleCannotBeDeleted()
    const metadata = { roleId: role.id, roleSlug: role.slug, because: 'role.deleted' }
    const holders = await changeAndRecordForUsers(tenant, caller.actor, { action: 'role.unassigned', metadata }, unassignFromAll(id))
    await deleteRole(tenant, id)
    await reportUnassigned(tenant, caller.actor, role, holders)
    await roleChange.recordDeletion(tenant, caller.actor, role, reason)
  })
}

const usersAtATime = 1_000

/** The users of a role are read only when an endpoint has subscribed: their number may be large. */
export async function reportUnassigned(tenant: Tenant, actor: Actor, role: Role, userIds: readonly string[]): Promise<void> {
  if (userIds.length === 0 || !(await hasSubscriber(tenant, 'role.unassigned'))) return
  for (let start = 0; start < userIds.length; start += usersAtATime) {
    const users = await findUsers(tenant, userIds.slice(start, start + usersAtATime))
    await reportAll(
      tenant,
      actor,
      users.map((user) => ({ action: 'role.unassigned', user: presentUser(user), role: presentRole(role) })),
    )
  }
}
