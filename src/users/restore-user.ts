import type { Caller } from '../access/caller.ts'
import { holdCaller, requireGranting } from '../access/hold-caller.ts'
import { presentUser } from '../accounts/present-user.ts'
import { getUser, lockDeletedUser, type UserWithReferences, updateUser } from '../accounts/queries.ts'
import { userNotFound } from '../accounts/refusals.ts'
import type { Actor } from '../activity/actor.ts'
import { record } from '../activity/record.ts'
import { endKeysOf } from '../api-keys/end-keys.ts'
import { deleteEmailCodes } from '../email-codes/codes.ts'
import { releaseSubjects } from '../identities/queries.ts'
import type { MailSender } from '../mails/mail-sender.ts'
import { checkTrialLimit } from '../organisations/trial-limit.ts'
import { endMailedLinks } from '../passwords/action-links.ts'
import type { Database, Tenant } from '../platform/database/database.ts'
import { findRoles, permissionsOf } from '../roles/queries.ts'

/**
 * Holds the directories that concern a user, whose row is not locked yet.
 *
 * @returns what has the user, who is active again, follow them: roles, teams and linked accounts
 */
export type FollowDirectories = (tenant: Tenant, userId: string) => Promise<(sender: MailSender, actor: Actor) => Promise<void>>

export interface UserRestoration extends MailSender {
  database: Database
  trialMaxUsers: number
  followDirectories: FollowDirectories
}

/**
 * Restores a deleted user, with password, second factors, roles and teams, but without sessions, linked accounts, API keys and
 * anything that was mailed. What directories give and link, they give and link as it is now. Records nothing when the user is not deleted.
 *
 * @throws Problem `not-found`, also for an erased user; `forbidden` when the user's roles hold a permission that the caller lacks or
 *   the trial limit is reached
 */
export async function restoreUser(restoration: UserRestoration, caller: Caller, id: string): Promise<UserWithReferences> {
  const { database, trialMaxUsers, followDirectories } = restoration
  return database.transaction(caller.organisationId, async (tenant) => {
    const follow = await followDirectories(tenant, id)
    const before = await lockDeletedUser(tenant, id)
    if (!before) throw userNotFound()
    if (before.deletedAt === null) return before
    await holdCaller(tenant, caller)
    await checkTrialLimit(tenant, trialMaxUsers)

    await updateUser(tenant, id, { deletedAt: null })
    await endMailedLinks(tenant, id)
    await deleteEmailCodes(tenant, id)
    await endKeysOf(tenant, caller.actor, id, { because: 'user.deleted' })
    await releaseSubjects(tenant, { organisationId: caller.organisationId, userId: id })
    const changes = { deletedAt: { from: before.deletedAt.toISOString(), to: null } }
    await record(tenant, caller.actor, { action: 'user.restored', user: presentUser(await getUser(tenant, id)), changes })
    await follow(restoration, caller.actor)

    const user = await getUser(tenant, id)
    // Of the roles that they have in the end: a directory may give others than it did.
    const roles = await findRoles(
      tenant,
      user.roles.map((role) => role.id),
    )
    await requireGranting(tenant, caller, 'users:create', permissionsOf(roles))
    return user
  })
}
