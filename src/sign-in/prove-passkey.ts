import type { UserCaller } from '../access/caller.ts'
import { type FactorName, factors, firstFactorOf, secondFactorOf, takes } from '../access/factors.ts'
import type { Claimed, Proof } from '../mfa/factors/second-factor.ts'
import { challengeOfFlow } from '../passkeys/challenges.ts'
import { type ClaimedPasskey, claimPasskey } from '../passkeys/claim-passkey.ts'
import type { PasskeyProof } from '../passkeys/schemas.ts'
import type { Tenant } from '../platform/database/database.ts'
import type { Language } from '../platform/language.ts'
import type { ProvenFactor } from '../sessions/proven-factors.ts'
import type { SignInDependencies } from './sign-in.ts'

/**
 * Uses up the response of a passkey that has just verified the caller, to the options of `POST /v1/me/reauthenticate/options`.
 *
 * @returns undefined for a response that proves nothing, or a challenge that has been used
 */
export async function claimOwnPasskey(
  tenant: Tenant,
  dependencies: SignInDependencies,
  caller: UserCaller,
  proof: PasskeyProof,
  language: Language | undefined,
): Promise<ProvenFactor | undefined> {
  const claimed = await claimOwn(tenant, dependencies, caller, proof, { purpose: 'reauthenticate', language }, 'required')
  return claimed && provenBy(claimed, firstFactorOf(claimed.passkey, claimed.policy), tenant.now)
}

/**
 * The same for a passkey that raises the caller's session.
 *
 * @param mayBeSecond whether a passkey without user verification is a second factor of this session
 */
export async function claimForStepUp(
  tenant: Tenant,
  dependencies: SignInDependencies,
  caller: UserCaller,
  proof: PasskeyProof,
  { language, mayBeSecond }: { language: Language | undefined; mayBeSecond: boolean },
): Promise<[ProvenFactor, ...ProvenFactor[]] | undefined> {
  const userVerification = mayBeSecond ? 'discouraged' : 'required'
  const claimed = await claimOwn(tenant, dependencies, caller, proof, { purpose: 'step-up', language }, userVerification)
  if (!claimed) return undefined
  const { passkey, verifiedUser, policy } = claimed
  const first = verifiedUser && passkey.canSignIn ? firstFactorOf(passkey, policy) : undefined
  const second = mayBeSecond && !(first && takes('second', [factors[first]])) ? secondFactorOf(passkey) : undefined
  const [one, ...more] = [first, second].flatMap((name) => (name ? [provenBy(claimed, name, tenant.now)] : []))
  return one && [one, ...more]
}

/**
 * Uses up the passkey of a user who has to enrol a second factor: an attacker who knows only the password must not enrol their own. It
 * proves the same as in a sign-in, so nothing may be left to enrol.
 */
export async function claimPasskeyBeforeEnrolment(
  tenant: Tenant,
  dependencies: SignInDependencies,
  _userId: string,
  proof: Proof,
): Promise<Claimed | undefined> {
  if (!('credential' in proof)) return undefined
  const claimed = await claimPasskey(tenant, dependencies, proof, 'required')
  if (!claimed?.passkey.canSignIn) return undefined
  return { factor: firstFactorOf(claimed.passkey, claimed.policy), passkeyId: claimed.passkey.id }
}

async function claimOwn(
  tenant: Tenant,
  dependencies: SignInDependencies,
  { actor, email, session: { userId } }: UserCaller,
  { flowToken, credential }: PasskeyProof,
  { purpose, language }: { purpose: 'reauthenticate' | 'step-up'; language: Language | undefined },
  userVerification: 'required' | 'discouraged',
): Promise<ClaimedPasskey | undefined> {
  const challenge = challengeOfFlow(dependencies.keyring, { purpose, userId }, flowToken, tenant.now)
  if (!challenge) return undefined
  const user = { id: userId, email, name: actor.name ?? '' }
  return claimPasskey(tenant, dependencies, { credential, challenge, user, actor, language }, userVerification)
}

const provenBy = ({ passkey }: ClaimedPasskey, factor: FactorName, provenAt: Date): ProvenFactor => ({
  factor,
  passkeyId: passkey.id,
  provenAt,
})
