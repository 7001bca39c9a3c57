import { clearLock } from '../accounts/lock-account.ts'
import { presentUser } from '../accounts/present-user.ts'
import { getUser } from '../accounts/queries.ts'
import { confirmSignUp } from '../accounts/sign-ups.ts'
import { type Origin, userActor } from '../activity/actor.ts'
import { record } from '../activity/record.ts'
import { claimActionLink, findActionLink } from '../passwords/action-links.ts'
import { checkNewPassword, withinLimit } from '../passwords/check-new-password.ts'
import { hasNews } from '../passwords/mails.ts'
import { invalidLink } from '../passwords/refusals.ts'
import { type PasswordReplacement, replacePassword } from '../passwords/replace-password.ts'
import { sendChangeNotice } from '../passwords/send-links.ts'
import { markEmailVerified } from '../passwords/verify-email.ts'
import type { Language } from '../platform/language.ts'
import { endAccess } from '../sessions/end-access.ts'
import { endWhatWasAdded } from './end-what-was-added.ts'

/**
 * Sets a password by a mailed link, and ends all sessions of the user and the credentials that were added in the last 24 hours. A mailed
 * link proves access to the mailbox, so the address counts as verified.
 *
 * @throws Problem `bad-request` when the token is unknown, used or expired, or with everything that is wrong with the
 *   password; `conflict` when the link confirms an address that another user has confirmed before, `too-many-requests`;
 *   the link then still works
 */
export async function resetPassword(
  dependencies: PasswordReplacement,
  origin: Origin,
  { token, password }: { token: string; password: string },
  language: Language | undefined,
): Promise<void> {
  const { database, limits, passwordHasher } = dependencies
  const link = await findActionLink(database, token, 'password_reset', 'password_change')
  if (!link) throw invalidLink()
  await withinLimit(limits.passwordResetsByUser, link.userId, () =>
    checkNewPassword(dependencies, database.tenant(link.organisationId), { ...link, id: link.userId }, password),
  )
  const passwordHash = await passwordHasher.hash(password)
  await database.transaction(link.organisationId, async (tenant) => {
    // Confirm before using the link: the removal of unconfirmed organisations locks in this order, too.
    await confirmSignUp(tenant, link.userId)
    if (!(await claimActionLink(tenant, link.userId, token))) throw invalidLink()
    const unlocked = await clearLock(tenant, link.userId)
    const hadPassword = await replacePassword(tenant, link.userId, passwordHash)
    const before = await getUser(tenant, link.userId)
    const actor = userActor(before, origin)
    // The token of an expired password comes from a sign-in: nothing has been recovered.
    const after = link.purpose === 'password_reset' ? await endWhatWasAdded(tenant, actor, before) : undefined
    if (hadPassword || (after && hasNews(after))) await sendChangeNotice(tenant, dependencies, before, language, after)
    if (link.purpose === 'password_reset' && before.emailVerifiedAt === null) await markEmailVerified(tenant, origin, link.userId)
    await endAccess(tenant, actor, link.userId)
    const user = presentUser(await getUser(tenant, link.userId))
    await record(tenant, actor, { action: 'auth.password_reset', user, ...(unlocked && { metadata: { unlocked } }) })
  })
  // The wrong codes of a second factor stay: an attacker who reads the mailbox could otherwise try any number of them.
  await dependencies.limits.signInByAccount.forget(link.email)
}
