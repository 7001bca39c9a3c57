import { type RateLimiterAbstract, RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible'
import { tooManyFailedSignIns } from './refusals.ts'

/** Counts failures of one kind and says when there have been too many. */
export interface FailureLimit {
  /** Throws a Problem `too-many-requests` when the key is over its limit. Counts nothing. */
  check(key: string): Promise<void>
  /** Counts one failure. */
  count(key: string): Promise<void>
}

export interface FailureLimits {
  /** Failed sign-ins by account, and by address. */
  signInByAccount: FailureLimit
  signInByAddress: FailureLimit
}

const quarterOfAnHour = 15 * 60

export function createFailureLimits(enabled: boolean): FailureLimits {
  const limit = (keyPrefix: string, points: number, duration: number): FailureLimit =>
    enabled ? countFailures(new RateLimiterMemory({ keyPrefix, points, duration }), points) : unlimited
  return {
    signInByAccount: limit('sign-in-account', 10, quarterOfAnHour),
    signInByAddress: limit('sign-in-address', 100, quarterOfAnHour),
  }
}

const unlimited: FailureLimit = { check: async () => {}, count: async () => {} }

function countFailures(limiter: RateLimiterAbstract, points: number): FailureLimit {
  return {
    async check(key) {
      const state = await limiter.get(key)
      if (state !== null && state.consumedPoints >= points) throw tooManyFailedSignIns(state.msBeforeNext / 1_000)
    },
    async count(key) {
      try {
        await limiter.consume(key)
      } catch (error) {
        // More failures than the limit, from requests that were under way together: the next check refuses.
        if (!(error instanceof RateLimiterRes)) throw error
      }
    },
  }
}
