import type { UserCaller } from '../access/caller.ts'
import { holdCaller } from '../access/hold-caller.ts'
import { rateLimitTable } from '../access/rate-limits.ts'
import { findCodesRefusedUntil, forgetWrongCodes, type WrongCodes } from '../accounts/wrong-codes.ts'
import type { Tenant } from '../platform/database/database.ts'
import type { Language } from '../platform/language.ts'
import { limitReached } from '../platform/rate-limits/rate-limit.ts'
import { lockEnrollee } from './queries.ts'
import { invalidVerificationCode } from './refusals.ts'
import type { MfaDependencies } from './send-code.ts'
import { type CodeAttempt, countWrongCode } from './wrong-codes.ts'

/**
 * Checks a code of a user's second factor, in a transaction. Codes of one user are checked one at a time, so concurrent
 * guesses gain nothing over successive ones. An error that `lock` or `judge` throws does not count as a guess.
 *
 * @param attempt names the user, and until when codes were refused when the user was found
 * @param lock locks the user's row
 * @param judge returns undefined for a wrong code
 * @returns what `judge` returns
 * @throws Problem `too-many-requests`
 */
export async function tryCode<User extends WrongCodes, T>(
  dependencies: MfaDependencies,
  attempt: CodeAttempt & { organisationId: string; codesRefusedUntil: Date | null },
  lock: (tenant: Tenant) => Promise<User>,
  judge: (tenant: Tenant, user: User) => Promise<T | undefined>,
): Promise<T | undefined> {
  const { database, limits } = dependencies
  const { organisationId, userId } = attempt
  refuseUntil(attempt.codesRefusedUntil, database.clock.now())
  await limits.codeByUser.count(userId)
  try {
    const judged = await database.transaction(organisationId, async (tenant) => {
      const user = await lock(tenant)
      // Check again under the lock: a concurrent guess may have used up the last attempt.
      refuseUntil(user.codesRefusedUntil, tenant.now)
      const result = await judge(tenant, user)
      if (result !== undefined && user.wrongCodes > 0) await forgetWrongCodes(tenant, userId)
      // A user without a second factor has nothing to guess.
      if (result === undefined && user.mfaEnabled) await countWrongCode(tenant, dependencies, attempt)
      return { result }
    })
    if (judged.result !== undefined) await limits.codeByUser.release(userId)
    return judged.result
  } catch (error) {
    await limits.codeByUser.release(userId)
    throw error
  }
}

/** Does the same for a code of the caller. */
export async function tryOwnCode<T>(
  dependencies: MfaDependencies,
  caller: UserCaller,
  language: Language | undefined,
  judge: (tenant: Tenant, enrollee: Enrollee) => Promise<T | undefined>,
): Promise<T | undefined> {
  const { organisationId } = caller
  const { userId } = caller.session
  const codesRefusedUntil = await findCodesRefusedUntil(dependencies.database.tenant(organisationId), userId)
  const attempt = { organisationId, userId, actor: caller.actor, language, codesRefusedUntil }
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
