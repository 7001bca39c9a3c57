import { type RateLimits, rateLimitTable } from '../access/rate-limits.ts'
import type { Counted } from '../platform/rate-limits/rate-limit.ts'
import { reportAttempt } from './attempts.ts'
import type { Account } from './queries.ts'

/** What an attempt to sign in is counted by. */
export interface AttemptKeys {
  /** Names the account: its e-mail address, or a passkey that is not known. */
  account: string
  /** The IP address of the caller. */
  address: string
}

type LockedAccount = Account & { lockedUntil: Date }

/** Runs an attempt once those that came before it, of the account and of the address, leave room for it. */
export const queueAttempt = <T>(
  { signInByAccount, signInByAddress }: RateLimits,
  { account, address }: AttemptKeys,
  work: () => Promise<T>,
) => signInByAccount.runQueued(account, () => signInByAddress.runQueued(address, work))

/**
 * Counts the attempt as failed until its proof has been checked: otherwise many concurrent attempts would all be tried.
 *
 * @returns its number among the failures that the account's limit allows
 */
export async function countAttempt(limits: RateLimits, { account, address }: AttemptKeys): Promise<Counted> {
  try {
    await limits.signInByAddress.count(address)
  } catch (error) {
    reportAttempt('too_many_failures_from_address')
    throw error
  }
  try {
    return await limits.signInByAccount.count(account)
  } catch (error) {
    reportAttempt('locked')
    await limits.signInByAddress.release(address)
    throw error
  }
}

/** Takes the count back: the proof was right, or it was not checked. */
export async function releaseAttempt({ signInByAccount, signInByAddress }: RateLimits, { account, address }: AttemptKeys): Promise<void> {
  await Promise.all([signInByAddress.release(address), signInByAccount.release(account)])
}

/** Whether the account was locked by failures of an earlier window. Concurrent attempts may have used up the current one. */
export function wasLockedBefore(account: Account | undefined, startedAt: Date): account is LockedAccount {
  const secondsLeft = ((account?.lockedUntil?.getTime() ?? 0) - startedAt.getTime()) / 1_000
  return secondsLeft > 0 && secondsLeft < rateLimitTable.signInByAccount.windowSeconds
}

/**
 * Restores a lock that the counters have lost, as in-process counters do when the process restarts.
 *
 * @throws Problem `too-many-requests`
 */
export async function restoreLock(
  limits: RateLimits,
  address: string,
  { isFirst }: Counted,
  account: Account | undefined,
  startedAt: Date,
): Promise<void> {
  if (!isFirst || !wasLockedBefore(account, startedAt)) return
  reportAttempt('locked')
  await limits.signInByAddress.release(address)
  await limits.signInByAccount.useUp(account.email, account.lockedUntil)
}
