import type { Caller } from '../access/caller.ts'
import { holdCallerWith } from '../access/hold-caller.ts'
import { afterBlock, followBlock } from '../accounts/deactivation.ts'
import { presentUser, userChange } from '../accounts/present-user.ts'
import { getUser, lockUserWithReferences, type UserWithReferences, updateUser } from '../accounts/queries.ts'
import { mfaOnlyByTheUser, ownerCannotBeBlocked, ownerCannotBeDeleted, ownerMfaOnlyByTheOwner } from '../accounts/refusals.ts'
import type { UserChanges } from '../accounts/schemas.ts'
import type { Actor } from '../activity/actor.ts'
import { changedFields } from '../activity/changes.ts'
import { record } from '../activity/record.ts'
import { deleteEmailCodes } from '../email-codes/codes.ts'
import type { MailSender } from '../mails/mail-sender.ts'
import { removeSecondFactors } from '../mfa/remove-second-factors.ts'
import { isOwner } from '../organisations/queries.ts'
import type { Database, Tenant } from '../platform/database/database.ts'
import type { Language } from '../platform/language.ts'
import { endAccess } from '../sessions/end-access.ts'
import { endSetupLinks } from '../sessions/end-setup-links.ts'
import { endByBlock } from './end-by-block.ts'
import { unlinkEveryIdentity } from './unlink-identities.ts'

/**
 * Changes a user. Blocking a user, or disabling another user's MFA, ends that user's sessions at once; a block also ends mailed links. Who is
 * unblocked stays blocked by a directory that has deactivated them, before that block or during it.
 *
 * @throws Problem `not-found`; `bad-request` for blocking the owner or enabling
 *   MFA; `forbidden` for disabling the owner's MFA; `precondition-failed`
 */
export async function changeUser(
  { database, outbox, publicUrl }: MailSender & { database: Database },
  caller: Caller,
  id: string,
  changes: UserChanges,
  ifMatch: string | undefined,
  language: Language | undefined,
): Promise<UserWithReferences> {
  return database.transaction(caller.organisationId, async (tenant) => {
    const before = userChange.requireCurrent(await lockUserWithReferences(tenant, id), ifMatch)
    // Under the lock: a block of the caller that came first would otherwise be lifted by the blocked user.
    await holdCallerWith(tenant, caller, 'users:update')
    const blocks = changes.blockedAt != null && before.blockedAt === null
    const disablesMfa = changes.mfaEnabled === false && before.mfaEnabled
    if (changes.mfaEnabled && !before.mfaEnabled) throw mfaOnlyByTheUser()
    if (changes.blockedAt != null && (await isOwner(tenant, id))) throw ownerCannotBeBlocked()
    if (disablesMfa && caller.actor.actorId !== id && (await isOwner(tenant, id))) throw ownerMfaOnlyByTheOwner()

    const unblocks = changes.blockedAt === null && before.blockedAt !== null
    const changed = changedFields(before, { ...columnsOf(changes), ...(unblocks && (await afterBlock(tenant, before))) })
    if (!changed) return before
    await updateUser(tenant, id, changed)
    if (changed.blockedAt) await followBlock(tenant, before, changed.blockedAt)
    // Until now, the right code told the reader of the mail that they are blocked.
    if (changed.blockedAt === null) await deleteEmailCodes(tenant, id)
    if (blocks) await endByBlock(tenant, caller.actor, id, { exceptFirstPassword: hasYetToBegin(before) })
    if (disablesMfa) await removeSecondFactors(tenant, { outbox, publicUrl }, before, caller.actor, language)

    const user = await getUser(tenant, id)
    if (disablesMfa) await record(tenant, caller.actor, { action: 'mfa.disabled', user: presentUser(user) })
    await userChange.recordUpdate(tenant, caller.actor, before, user)
    return user
  })
}

/**
 * Soft-deletes a user: the e-mail and the subjects at identity providers stay reserved, the audit log stays readable, the sessions
 * and linked accounts end.
 *
 * @throws Problem `not-found`, `precondition-failed`, or `bad-request` for the organisation's owner
 */
export async function deleteUser(
  database: Database,
  caller: Caller,
  id: string,
  ifMatch: string | undefined,
  reason: string | undefined,
): Promise<void> {
  await database.transaction(caller.organisationId, async (tenant) => {
    const user = userChange.requireCurrent(await lockUserWithReferences(tenant, id), ifMatch)
    await holdCallerWith(tenant, caller, 'users:delete')
    if (await isOwner(tenant, id)) throw ownerCannotBeDeleted()
    await deleteLockedUser(tenant, caller.actor, user, reason)
  })
}

/** Deletes a user who is not the owner and whose row is locked. */
export async function deleteLockedUser(tenant: Tenant, actor: Actor, user: UserWithReferences, reason?: string): Promise<void> {
  const left = await unlinkEveryIdentity(tenant, actor, user)
  await updateUser(tenant, user.id, { deletedAt: tenant.now })
  await endAccess(tenant, actor, user.id)
  await endSetupLinks(tenant, actor, { because: 'right_lost', userId: user.id })
  await userChange.recordDeletion(tenant, actor, left, reason)
}

/** Whether no one has been able to sign in as this user so far. */
const hasYetToBegin = ({ passwordChangedAt, lastLoginAt }: UserWithReferences) => passwordChangedAt === null && lastLoginAt === null

/** Maps the fields of a request to columns. Fields that are not sent stay unchanged. */
function columnsOf({ blockedReason, ...fields }: UserChanges) {
  const unblocks = fields.blockedAt === null && blockedReason === undefined
  return { ...fields, blockedReason: unblocks ? null : blockedReason }
}
