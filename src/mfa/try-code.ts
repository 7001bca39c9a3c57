import type { UserCaller } from '../access/caller.ts'
import { holdCaller } from '../access/hold-caller.ts'
import { rateLimitTable } from '../access/rate-limits.ts'
import { findCodesRefusedUntil, forgetWrongCodes, type WrongCodes } from '../accounts/wrong-codes.ts'
import type { PasskeyProof } from '../passkeys/schemas.ts'
import type { Tenant } from '../platform/database/database.ts'
import type { Language } from '../platform/language.ts'
import { countFailure, limitReached } from '../platform/rate-limits/rate-limit.ts'
import { lockEnrollee } from './queries.ts'
import { invalidVerificationCode } from './refusals.ts'
import type { EnrolmentProof } from './schemas.ts'
import type { MfaDependencies } from './send-code.ts'
import { type CodeAttempt, countWrongCode } from './wrong-codes.ts'

export interface FactorAttempt extends CodeAttempt {
  organisationId: string
  /** Until when codes were refused when the user was found. */
  codesRefusedUntil: Date | null
  /**
   * The sign-in or session that a passkey responds to; undefined for a code. A signature cannot be guessed. So it neither waits nor counts
   * with the codes of the user: an attacker who knows the password could keep the passkey from being used.
   */
  passkeyFor: string | undefined
}

/**
 * Checks a code or a passkey as a user's second factor, in a transaction. Those of one user are checked one at a time, so concurrent
 * guesses gain nothing over successive ones. An error that `lock` or `judge` throws does not count as a guess.
 *
 * @param lock locks the user's row
 * @param judge returns undefined for a wrong code or passkey
 * @returns what `judge` returns
 * @throws Problem `too-many-requests`
 */
export async function tryCode<User extends WrongCodes, T>(
  dependencies: MfaDependencies,
  attempt: FactorAttempt,
  lock: (tenant: Tenant) => Promise<User>,
  judge: (tenant: Tenant, user: User) => Promise<T | undefined>,
): Promise<T | undefined> {
  const { database, limits } = dependencies
  const { organisationId, userId, passkeyFor } = attempt
  const isCode = passkeyFor === undefined
  const key = passkeyFor ?? userId
  if (isCode) refuseUntil(attempt.codesRefusedUntil, database.clock.now())
  const judgeLocked = async (tenant: Tenant) => {
    const user = await lock(tenant)
    // Check again under the lock: a concurrent guess may have used up the last attempt.
    if (isCode) refuseUntil(user.codesRefusedUntil, tenant.now)
    const result = await judge(tenant, user)
    const areRefused = areCodesRefused(user.codesRefusedUntil, tenant.now)
    if (result !== undefined && user.wrongCodes > 0 && !areRefused) await forgetWrongCodes(tenant, userId)
    // A user without a second factor has nothing to guess.
    if (result === undefined && user.mfaEnabled && isCode) await countWrongCode(tenant, dependencies, attempt)
    return result
  }
  return countFailure(limits.codeByUser, key, () => database.transaction(organisationId, judgeLocked))
}

/** Does the same for a code or a passkey of the caller. */
export async function tryOwnCode<T>(
  dependencies: MfaDependencies,
  caller: UserCaller,
  { proof, language }: { proof: { code: string } | EnrolmentProof | PasskeyProof; language: Language | undefined },
  judge: (tenant: Tenant, enrollee: Enrollee) => Promise<T | undefined>,
): Promise<T | undefined> {
  const { organisationId } = caller
  const { userId, id: sessionId } = caller.session
  const codesRefusedUntil = await findCodesRefusedUntil(dependencies.database.tenant(organisationId), userId)
  const passkeyFor = 'code' in proof || 'token' in proof ? undefined : sessionId
  const attempt = { organisationId, userId, actor: caller.actor, language, codesRefusedUntil, passkeyFor }
  const lock = async (tenant: Tenant) => {
    const enrollee = await lockEnrollee(tenant, userId)
    await holdCaller(tenant, caller)
    if (!enrollee) throw invalidVerificationCode()
    return enrollee
  }
  return tryCode(dependencies, attempt, lock, judge)
}

export type Enrollee = NonNullable<Awaited<ReturnType<typeof lockEnrollee>>>

/** Whether codes are still refused, after too many wrong ones. */
export const areCodesRefused = (until: Date | null, now: Date): until is Date => until !== null && until > now

function refuseUntil(until: Date | null, now: Date): void {
  if (areCodesRefused(until, now)) throw limitReached(rateLimitTable.codeByUser, until, now)
}
