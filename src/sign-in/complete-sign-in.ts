import { type Origin, userActor } from '../activity/actor.ts'
import { claimFactorOrBackupCode } from '../mfa/claim-factor.ts'
import { invalidVerificationCode } from '../mfa/refusals.ts'
import { sendCode } from '../mfa/send-code.ts'
import { tryCode } from '../mfa/try-code.ts'
import { secondFactorChallenge } from '../passkeys/challenges.ts'
import { secondFactorOptions } from '../passkeys/options.ts'
import { listPasskeys } from '../passkeys/queries.ts'
import { noPasskey } from '../passkeys/refusals.ts'
import type { RequestOptions } from '../passkeys/schemas.ts'
import { markEmailVerified } from '../passwords/verify-email.ts'
import { hashSecret } from '../platform/crypto/secrets.ts'
import type { Tenant } from '../platform/database/database.ts'
import type { Language } from '../platform/language.ts'
import { countChallengeFailure, lockChallenge, markChallengeUsed } from '../sessions/challenges.ts'
import { beginSignIn } from './begin.ts'
import { wasToBeReplaced } from './breached-password.ts'
import type { SignInOutcome } from './outcome.ts'
import { claimPasskeyBeforeEnrolment } from './prove-passkey.ts'
import { type ChallengedAccount, findAccount, findChallengedAccount } from './queries.ts'
import { invalidMfaToken } from './refusals.ts'
import type { SecondFactor } from './schemas.ts'
import type { SignInDependencies } from './sign-in.ts'
import { methodsFor, recordFailure, recordFailureIn, refusalOf, takeNextStep } from './start-session.ts'

/**
 * Completes a sign-in that awaits a second factor, with a code, a backup code or a passkey. The token works once.
 *
 * @throws Problem `bad-request` for a wrong code, `unauthorized` when the token is used, older than five minutes or has
 *   failed five times, `forbidden` for a blocked user or a suspended organisation, `too-many-requests`
 */
export async function completeSignIn(
  dependencies: SignInDependencies,
  from: Origin,
  { mfaToken, ...given }: SecondFactor,
  language: Language | undefined,
): Promise<SignInOutcome> {
  const { database, keyring, relyingParty } = dependencies
  const account = await findChallengedAccount(database, hashSecret(mfaToken), relyingParty.id)
  if (!account) throw invalidMfaToken()
  const origin = beginSignIn({ ...from, signInId: account.signInId ?? from.signInId }, database.clock.now())
  const refusal = refusalOf(account)
  if (refusal) {
    await recordFailure(dependencies, account, origin, refusal.detail)
    throw refusal
  }

  const { organisationId, id: userId, codesRefusedUntil } = account
  const actor = { ...userActor(account, origin), actorId: null }
  const passkeyFor = 'code' in given ? undefined : account.challengeId
  const attempt = { organisationId, userId, actor, language, codesRefusedUntil, passkeyFor }
  const lock = async (tenant: Tenant) => {
    const user = await lockChallenge(tenant, account.challengeId)
    if (!user) throw invalidMfaToken()
    return user
  }
  const user = { id: userId, email: account.email, name: account.name }
  const challenge = secondFactorChallenge(keyring, account.challengeId)
  const proof = 'code' in given ? given : { ...given, challenge, user, actor, language }
  const mayProve = 'code' in given || methodsFor(account, account.proven).includes('passkey')
  const outcome = await tryCode(dependencies, attempt, lock, async (tenant) => {
    const claim = account.mustProvePasskey ? claimPasskeyBeforeEnrolment : claimFactorOrBackupCode
    const claimed = mayProve ? await claim(tenant, dependencies, userId, proof) : undefined
    if (!claimed) {
      await countChallengeFailure(tenant, account.challengeId)
      if ('code' in given) await recordFailureIn(tenant, account, origin, 'wrong code')
      return undefined
    }
    await markChallengeUsed(tenant, account.challengeId)
    const factors = [...account.proven, { ...claimed, provenAt: tenant.now }]
    const passwordIsBreached = wasToBeReplaced(dependencies, account)
    const next = await takeNextStep(tenant, dependencies, account, origin, { factors, passwordHash: null, passwordIsBreached })
    if (!next) return 'not_allowed_by_now'
    const hasProvenAddress = factors.some(({ factor }) => factor === 'email_code')
    if (hasProvenAddress && account.emailVerifiedAt === null) await markEmailVerified(tenant, origin, userId)
    return next
  })

  // Throw after the transaction: inside, it would roll back the count.
  if (outcome === undefined) {
    // A wrong passkey neither locks the user nor is refused.
    if (!('code' in given)) await recordFailure(dependencies, account, origin, 'wrong passkey')
    throw invalidVerificationCode()
  }
  if (outcome === 'not_allowed_by_now') {
    const now = await findAccount(database, account.email, relyingParty.id)
    throw (now && refusalOf(now)) ?? invalidMfaToken()
  }
  return outcome
}

/**
 * Sends the code of a sign-in that awaits a second factor to the user's phone.
 *
 * @throws Problem `unauthorized` for a token that can no longer be used, `bad-request` for a user without a phone, `too-many-requests`,
 *   `service-unavailable` when the gateway fails
 */
export async function sendSignInCode(dependencies: SignInDependencies, mfaToken: string): Promise<void> {
  const account = await findOpenChallenge(dependencies, mfaToken)
  await sendCode(dependencies, account.organisationId, account.id)
}

/**
 * The options by which a passkey completes a sign-in that awaits a second factor. They are the same each time.
 *
 * @returns them, and whether a code suffices, too
 * @throws Problem `unauthorized` for a token that can no longer be used, `bad-request` where a passkey cannot follow
 */
export async function startSecondFactor(
  dependencies: SignInDependencies,
  mfaToken: string,
): Promise<{ options: RequestOptions; takesCodes: boolean }> {
  const account = await findOpenChallenge(dependencies, mfaToken)
  if (!methodsFor(account, account.proven).includes('passkey')) throw noPasskey()
  const passkeys = await listPasskeys(dependencies.database.tenant(account.organisationId), account.id)
  const { challengeId, mustProvePasskey } = account
  const suitable = mustProvePasskey ? passkeys.filter(({ canSignIn }) => canSignIn) : passkeys
  const userVerification = mustProvePasskey ? 'required' : 'discouraged'
  return { options: secondFactorOptions(dependencies, challengeId, suitable, userVerification), takesCodes: !mustProvePasskey }
}

/** @throws Problem `unauthorized` */
async function findOpenChallenge({ database, relyingParty }: SignInDependencies, mfaToken: string): Promise<ChallengedAccount> {
  const account = await findChallengedAccount(database, hashSecret(mfaToken), relyingParty.id)
  if (!account || refusalOf(account)) throw invalidMfaToken()
  const open = await database.transaction(account.organisationId, (tenant) => lockChallenge(tenant, account.challengeId))
  if (!open) throw invalidMfaToken()
  return account
}
