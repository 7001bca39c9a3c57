import type { Clock } from '../../platform/clock.ts'
import { failureMemoryPolicy } from './policies.ts'
import type { Verdict } from './retry-schedule.ts'

/**
 * The endpoints whose last attempt failed. One is forgotten ten minutes after it failed, or one minute after its next
 * attempt was due: it may have been deleted, and a process must not remember every endpoint that ever failed.
 */
export interface FailingEndpoints {
  has(endpointId: string): boolean
  ids(): readonly string[]
  note(endpointId: string, verdict: Verdict): void
  /** Forgets expired ones, and the oldest when there are too many; those with attempts in flight stay. */
  forgetOld(isInFlight: (endpointId: string) => boolean): void
}

export function createFailingEndpoints(clock: Clock): FailingEndpoints {
  /** The time when each may be forgotten; the one that failed last is at the end. */
  const forgetAt = new Map<string, number>()

  return {
    has: (endpointId) => forgetAt.has(endpointId),

    ids: () => [...forgetAt.keys()],

    note(endpointId, verdict) {
      forgetAt.delete(endpointId)
      if (verdict.kind === 'delivered') return
      const { milliseconds, afterRetryMilliseconds } = failureMemoryPolicy
      const retryAt = verdict.kind === 'retry' ? verdict.at.getTime() : 0
      forgetAt.set(endpointId, Math.max(clock.now().getTime() + milliseconds, retryAt + afterRetryMilliseconds))
    },

    forgetOld(isInFlight) {
      const now = clock.now().getTime()
      for (const [endpointId, time] of forgetAt) {
        const isOld = time <= now || forgetAt.size > failureMemoryPolicy.max
        if (isOld && !isInFlight(endpointId)) forgetAt.delete(endpointId)
      }
    },
  }
}
