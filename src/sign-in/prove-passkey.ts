import type { UserCaller } from '../access/caller.ts'
import { challengeOfFlow, spendChallenge } from '../passkeys/challenges.ts'
import { findHolder, findPasskeyOf } from '../passkeys/queries.ts'
import { firstFactorOf } from '../passkeys/rules.ts'
import type { PasskeyProof } from '../passkeys/schemas.ts'
import { usePasskey } from '../passkeys/use-passkey.ts'
import { verifyAssertion } from '../passkeys/verify.ts'
import type { Tenant } from '../platform/database/database.ts'
import type { Language } from '../platform/language.ts'
import type { ProvenFactor } from '../sessions/proven-factors.ts'
import type { SignInDependencies } from './sign-in.ts'

/**
 * Uses a passkey of the caller up that has just verified them, in response to the options of `POST /v1/me/reauthenticate/options`.
 *
 * @returns undefined for one that proves nothing, or a challenge that has been used
 */
export async function claimOwnPasskey(
  tenant: Tenant,
  { keyring, relyingParty, ...mailing }: SignInDependencies,
  caller: UserCaller,
  { flowToken, credential }: PasskeyProof,
  language: Language | undefined,
): Promise<ProvenFactor | undefined> {
  const { userId } = caller.session
  const challenge = challengeOfFlow(keyring, { purpose: 'reauthenticate', userId }, flowToken, tenant.now)
  const holder = await findHolder(tenant, userId)
  if (!challenge || !holder || holder.policy.passkeys === 'off') return undefined
  const held = await findPasskeyOf(tenant, userId, credential.id)
  if (!held) return undefined
  const expected = { challenge: challenge.value, userVerification: 'required' } as const
  const assertion = await verifyAssertion(relyingParty, held, credential, expected)
  if (!assertion?.verifiedUser || !(await spendChallenge(tenant, challenge))) return undefined
  const user = { id: userId, email: holder.email, name: holder.name }
  if (!(await usePasskey(tenant, mailing, held, assertion, { user, actor: caller.actor, language }))) return undefined
  return { factor: firstFactorOf(held, holder.policy), passkeyId: held.id, provenAt: tenant.now }
}
