import type { UserCaller } from '../access/caller.ts'
import { factors, isPasskey } from '../access/factors.ts'
import { holdCaller } from '../access/hold-caller.ts'
import { recentSignInRequired } from '../access/refusals.ts'
import { requireFresh } from '../access/require-fresh.ts'
import { proofMaxAgeSeconds } from '../access/rules.ts'
import { presentUser } from '../accounts/present-user.ts'
import { getUser } from '../accounts/queries.ts'
import { userNotFound } from '../accounts/refusals.ts'
import { record } from '../activity/record.ts'
import { pageLink } from '../mails/page-link.ts'
import { findLetterhead } from '../organisations/letterhead.ts'
import { listPasskeys, lockHolder } from '../passkeys/queries.ts'
import { noPasskey } from '../passkeys/refusals.ts'
import type { RelyingParty } from '../passkeys/relying-party.ts'
import type { Language } from '../platform/language.ts'
import { findProvenFactors } from '../sessions/queries.ts'
import { passwordRemovedMail } from './mails.ts'
import { takeAwayPassword } from './replace-password.ts'
import type { LinkRequests } from './request-password-link.ts'

export interface PasswordRemoval extends LinkRequests {
  relyingParty: RelyingParty
}

/**
 * Removes the caller's password, so that passkeys alone sign them in.
 * Links that could set one stop working; the user can request a new one.
 *
 * @throws Problem `forbidden` unless a passkey has proven recently that it is the caller, `bad-request` without a passkey that signs in
 */
export async function removePassword(
  { database, outbox, publicUrl, relyingParty }: PasswordRemoval,
  caller: UserCaller,
  language: Language | undefined,
): Promise<void> {
  const { id, userId, reauthenticatedWith } = caller.session
  await requireFresh({ database, relyingParty }, caller)
  await database.transaction(caller.organisationId, async (tenant) => {
    // Do not decide by the methods of the session, which an identity provider may have named.
    const isProvenByPasskey =
      reauthenticatedWith === null
        ? (await findProvenFactors(tenant, id)).some(({ factor }) => isPasskey(factors[factor]))
        : reauthenticatedWith.includes('passkey')
    if (!isProvenByPasskey) throw recentSignInRequired(['passkey'], proofMaxAgeSeconds)
    const holder = await lockHolder(tenant, userId)
    await holdCaller(tenant, caller)
    if (!holder) throw userNotFound()
    const passkeys = await listPasskeys(tenant, userId)
    const canSignIn = holder.policy.passkeys !== 'off' && passkeys.some((one) => one.canSignIn && one.rpId === relyingParty.id)
    if (!canSignIn) throw noPasskey()
    if (!holder.hasPassword) return
    await takeAwayPassword(tenant, userId)
    await record(tenant, caller.actor, { action: 'user.password_removed', user: presentUser(await getUser(tenant, userId)) })
    const forgotLink = pageLink(publicUrl, '/password/forgot', undefined, language)
    await outbox.queue(tenant, passwordRemovedMail(await findLetterhead(tenant), language, holder, forgotLink))
  })
}
