import type { UserCaller } from '../access/caller.ts'
import { holdCaller } from '../access/hold-caller.ts'
import { presentUser } from '../accounts/present-user.ts'
import { getUser, updateUser } from '../accounts/queries.ts'
import type { Origin } from '../activity/actor.ts'
import { record } from '../activity/record.ts'
import type { Database, Tenant } from '../platform/database/database.ts'
import type { Language } from '../platform/language.ts'
import { claimActionLink, findActionLink } from './action-links.ts'
import { invalidLink } from './refusals.ts'
import type { LinkRequests } from './request-password-link.ts'
import { sendVerificationLink } from './send-links.ts'

/**
 * Marks an address as verified by the link that was mailed to it.
 *
 * @throws Problem `bad-request` when the token is unknown, used or expired
 */
export async function verifyEmail(database: Database, origin: Origin, token: string): Promise<void> {
  const link = await findActionLink(database, token, 'email_verification')
  if (!link) throw invalidLink()
  await database.transaction(link.organisationId, async (tenant) => {
    if (!(await claimActionLink(tenant, link.userId, token))) throw invalidLink()
    const { emailVerifiedAt } = await getUser(tenant, link.userId)
    if (emailVerifiedAt === null) await markEmailVerified(tenant, origin, link.userId)
  })
}

/** Notes that a user has just shown to read the mails to their address, in the caller's transaction. */
export async function markEmailVerified(tenant: Tenant, origin: Origin, userId: string): Promise<void> {
  await updateUser(tenant, userId, { emailVerifiedAt: tenant.now })
  const user = presentUser(await getUser(tenant, userId))
  const { id, email, name } = user
  await record(tenant, { actorType: 'user', actorId: id, email, name, ...origin }, { action: 'auth.email_verified', user })
}

/**
 * Mails the caller the link that verifies their address, unless it is verified.
 *
 * @throws Problem `too-many-requests`; `unauthorized` when the caller's session has ended meanwhile
 */
export async function resendVerification(
  dependencies: LinkRequests,
  caller: UserCaller,
  language: Language | undefined,
): Promise<'sent' | 'verified'> {
  const { database, limits } = dependencies
  await limits.verificationByUser.count(caller.session.userId)
  return database.transaction(caller.organisationId, async (tenant) => {
    await holdCaller(tenant, caller)
    const user = await getUser(tenant, caller.session.userId)
    if (user.emailVerifiedAt !== null) return 'verified'
    await sendVerificationLink(tenant, dependencies, user, language)
    await record(tenant, caller.actor, { action: 'auth.email_verification_requested', user: presentUser(user) })
    return 'sent'
  })
}
