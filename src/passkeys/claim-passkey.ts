import type { SignInPolicy } from '../access/rules.ts'
import type { MailSender } from '../mails/mail-sender.ts'
import type { Tenant } from '../platform/database/database.ts'
import { type Challenge, spendChallenge } from './challenges.ts'
import { findHolder, findPasskeyOf, type Passkey } from './queries.ts'
import type { RelyingParty } from './relying-party.ts'
import type { AssertionResponse } from './schemas.ts'
import { type PasskeyUser, usePasskey } from './use-passkey.ts'
import { verifyAssertion } from './verify.ts'

/** The response of a passkey to a challenge, and the user whose passkey it has to be. */
export interface PasskeyResponse extends PasskeyUser {
  readonly credential: AssertionResponse
  /** The challenge, which the response uses up; its value alone when something else limits it to one use. */
  readonly challenge: Challenge | string
}

export interface ClaimedPasskey {
  passkey: Passkey
  /** Whether the device has verified its user. */
  verifiedUser: boolean
  policy: SignInPolicy
}

/**
 * Uses up the response of a passkey of a user, in the caller's transaction.
 *
 * @returns undefined when it proves nothing, its challenge has been used, or the organisation has switched passkeys off
 */
export async function claimPasskey(
  tenant: Tenant,
  dependencies: MailSender & { relyingParty: RelyingParty },
  response: PasskeyResponse,
  userVerification: 'required' | 'discouraged',
): Promise<ClaimedPasskey | undefined> {
  const { user, credential, challenge } = response
  const policy = (await findHolder(tenant, user.id))?.policy
  if (!policy || policy.passkeys === 'off') return undefined
  const passkey = await findPasskeyOf(tenant, user.id, credential.id)
  if (!passkey) return undefined
  const expected = { challenge: typeof challenge === 'string' ? challenge : challenge.value, userVerification }
  const assertion = await verifyAssertion(dependencies.relyingParty, passkey, credential, expected)
  if (!assertion) return undefined
  if (typeof challenge !== 'string' && !(await spendChallenge(tenant, challenge))) return undefined
  if (!(await usePasskey(tenant, dependencies, passkey, assertion, response))) return undefined
  return { passkey, verifiedUser: assertion.verifiedUser, policy }
}
