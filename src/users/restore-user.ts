import type { Caller } from '../access/caller.ts'
import { holdCaller, requireGranting } from '../access/hold-caller.ts'
import { presentUser } from '../accounts/present-user.ts'
import { getUser, lockDeletedUser, type UserWithReferences, updateUser } from '../accounts/queries.ts'
import { userNotFound } from '../accounts/refusals.ts'
import { record } from '../activity/record.ts'
import { endKeysOf } from '../api-keys/end-keys.ts'
import { releaseSubjects } from '../identities/queries.ts'
import { checkTrialLimit } from '../organisations/trial-limit.ts'
import { endPasswordLinks } from '../passwords/action-links.ts'
import type { Database } from '../platform/database/database.ts'
import { findRoles, permissionsOf } from '../roles/queries.ts'

/**
 * Restores a deleted user, with password, second factors, roles and teams, but without sessions, linked accounts, API keys and the
 * links that set a password. Records nothing when the user is not deleted.
 *
 * @throws Problem `not-found`, also for an erased user; `forbidden` when the user's roles hold a permission that the caller lacks or
 *   the trial limit is reached
 */
export async function restoreUser(
  { database, trialMaxUsers }: { database: Database; trialMaxUsers: number },
  caller: Caller,
  id: string,
): Promise<UserWithReferences> {
  return database.transaction(caller.organisationId, async (tenant) => {
    const before = await lockDeletedUser(tenant, id)
    if (!before) throw userNotFound()
    if (before.deletedAt === null) return before
    const roles = await findRoles(
      tenant,
      before.roles.map((role) => role.id),
    )
    await holdCaller(tenant, caller)
    await requireGranting(tenant, caller, 'users:create', permissionsOf(roles))
    await checkTrialLimit(tenant, trialMaxUsers)

    await updateUser(tenant, id, { deletedAt: null })
    await endPasswordLinks(tenant, id)
    await endKeysOf(tenant, caller.actor, id, { because: 'user.deleted' })
    await releaseSubjects(tenant, { organisationId: caller.organisationId, userId: id })
    const user = await getUser(tenant, id)
    const changes = { deletedAt: { from: before.deletedAt.toISOString(), to: null } }
    await record(tenant, caller.actor, { action: 'user.restored', user: presentUser(user), changes })
    return user
  })
}
