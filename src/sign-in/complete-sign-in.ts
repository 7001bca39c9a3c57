import { claimCodeOrBackupCode } from '../mfa/claim-code.ts'
import { invalidVerificationCode } from '../mfa/refusals.ts'
import { sendCode } from '../mfa/send-code.ts'
import { hashSecret } from '../platform/crypto/secrets.ts'
import { countChallengeFailure, lockChallenge, markChallengeUsed } from '../sessions/challenges.ts'
import type { SignInOutcome } from './outcome.ts'
import { findChallengedAccount } from './queries.ts'
import { invalidMfaToken } from './refusals.ts'
import type { SecondFactor } from './schemas.ts'
import type { SignInDependencies } from './sign-in.ts'
import { type Origin, recordFailure, recordFailureIn, refusalOf, takeNextStep } from './start-session.ts'

/**
 * Completes a sign-in that waits for a second factor, with a code or a backup code. The token works once.
 *
 * @throws Problem `bad-request` for a wrong code, `unauthorized` when the token is used, older than five minutes or has
 *   failed five times, `forbidden` for a blocked user or a suspended organisation, `too-many-requests`
 */
export async function completeSignIn(
  { database, keyring, limits }: SignInDependencies,
  origin: Origin,
  { mfaToken, code }: SecondFactor,
): Promise<SignInOutcome> {
  const account = await findChallengedAccount(database, hashSecret(mfaToken))
  if (!account) throw invalidMfaToken()
  const refusal = refusalOf(account)
  if (refusal) {
    await recordFailure(database, account, origin, refusal.detail)
    throw refusal
  }

  await limits.codeByUser.count(account.id)
  const answer = await database.transaction(account.organisationId, async (tenant) => {
    if (!(await lockChallenge(tenant, account.challengeId))) return 'token_dead'
    const kind = await claimCodeOrBackupCode(tenant, keyring, account.id, code)
    if (!kind) {
      await countChallengeFailure(tenant, account.challengeId)
      await recordFailureIn(tenant, account, origin, 'wrong code')
      return 'wrong_code'
    }
    await markChallengeUsed(tenant, account.challengeId)
    const proven = { authenticationMethods: ['pwd', kind, 'mfa'], secondFactor: true, passwordHash: null }
    return (await takeNextStep(tenant, account, origin, proven)) ?? 'token_dead'
  })

  // Thrown only now: inside, it would undo the counting.
  if (answer === 'wrong_code') throw invalidVerificationCode()
  await limits.codeByUser.giveBack(account.id)
  if (answer === 'token_dead') throw invalidMfaToken()
  return answer
}

/**
 * Sends the code of a sign-in that waits for a second factor to the user's phone.
 *
 * @throws Problem `unauthorized` for a token that can no longer be used, `bad-request` when there is no phone,
 *   `too-many-requests`, `service-unavailable` when the gateway fails
 */
export async function sendSignInCode(dependencies: SignInDependencies, mfaToken: string): Promise<void> {
  const { database } = dependencies
  const account = await findChallengedAccount(database, hashSecret(mfaToken))
  if (!account || refusalOf(account)) throw invalidMfaToken()
  const open = await database.transaction(account.organisationId, (tenant) => lockChallenge(tenant, account.challengeId))
  if (!open) throw invalidMfaToken()
  await sendCode(dependencies, account.organisationId, account.id)
}
