import { secondsAfter } from '../../platform/clock.ts'
import type { Variant } from '../../platform/database/column-types.ts'
import { variants } from './variants.ts'

/** How an attempt ended. */
export interface AttemptOutcome {
  /** Null when there was no response. */
  status: number | null
  /** The wait that a 429 or 503 requested. */
  retryAfterSeconds: number | undefined
}

export type Verdict = { kind: 'delivered' } | { kind: 'retry'; at: Date } | { kind: 'failed' }

// After more than a day, replay the event manually: do not leave the time to the receiver.
const retryAfterMaxSeconds = 86_400
const asksToWait = new Set([429, 503])

/**
 * Decides what follows an attempt. The wait is exactly the variant's. A
 * response may request a longer wait, but not a shorter one or more attempts.
 *
 * @param attempt the number of the attempt, from 1
 * @param endedAt the time from which the wait is counted
 */
export function decideVerdict(variant: Variant, attempt: number, { status, retryAfterSeconds }: AttemptOutcome, endedAt: Date): Verdict {
  if (status !== null && status >= 200 && status < 300) return { kind: 'delivered' }
  const rules = variants[variant]
  const wait = rules.retryWaitsSeconds[attempt - 1]
  if (wait === undefined || (status !== null && !rules.isRetried(status))) return { kind: 'failed' }
  const asked = status !== null && asksToWait.has(status) ? Math.min(retryAfterSeconds ?? 0, retryAfterMaxSeconds) : 0
  return { kind: 'retry', at: secondsAfter(endedAt, Math.max(wait, asked)) }
}

/** Parses the seconds of a `Retry-After` header (RFC 9110 §10.2.3), which contains seconds or a date. */
export function parseRetryAfter(value: string | undefined, now: Date): number | undefined {
  if (value === undefined) return undefined
  if (/^\d+$/.test(value.trim())) return Number(value)
  const at = Date.parse(value)
  return Number.isNaN(at) ? undefined : Math.max(0, Math.ceil((at - now.getTime()) / 1_000))
}
