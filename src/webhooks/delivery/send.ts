import type { Agent } from 'undici'
import type { Clock } from '../../platform/clock.ts'
import type { Variant } from '../../platform/database/column-types.ts'
import { createNameResolver } from '../../platform/http/name-resolver.ts'
import type { OutgoingRules, Resolve } from '../../platform/http/outgoing.ts'
import { openAgent, whyFailed } from '../../platform/http/outgoing-fetch.ts'
import { type ReceivedResponse, ResponseReader } from './response-reader.ts'
import { parseRetryAfter } from './retry-schedule.ts'
import { variants } from './variants.ts'

const timeoutsMilliseconds = { A: variants.A.timeoutMilliseconds, B: variants.B.timeoutMilliseconds }

export interface SentAttempt {
  url: string
  variant: Variant
  headers: Record<string, string>
  body: string
  event: string
  eventId: string
  /** The number of the attempt, from 1. */
  number: number
}

export interface AttemptResult {
  /** Null when there was no response. */
  status: number | null
  durationMilliseconds: number
  error: string | null
  /** The first 2 KiB of the response's body; null when there was no response. */
  response: string | null
  retryAfterSeconds: number | undefined
}

export interface SenderOptions {
  clock: Clock
  rules: OutgoingRules
  /** Certificates of further authorities, in PEM. */
  ca?: string | undefined
  resolve?: Resolve | undefined
  /** The time limit of a whole attempt; the specification's by default. */
  timeoutMilliseconds?: Record<Variant, number> | undefined
}

/** Makes attempts. Connections are kept alive; redirects are not followed. */
export interface Sender {
  /** Never throws: a missing response is a result too. Undefined when the attempt was aborted. */
  send(attempt: SentAttempt): Promise<AttemptResult | undefined>
  /** Aborts the attempts in flight, and starts no more. */
  abort(): void
  close(): Promise<void>
}

export function createSender({
  clock,
  rules,
  ca,
  resolve = createNameResolver(),
  timeoutMilliseconds = timeoutsMilliseconds,
}: SenderOptions): Sender {
  const longestMilliseconds = Math.max(...Object.values(timeoutMilliseconds))
  let opening: Promise<Agent> | undefined
  const underWay = new Set<ResponseReader>()
  let isAborted = false

  function presentResult(response: ReceivedResponse | undefined, failure: unknown, started: number): AttemptResult {
    const durationMilliseconds = Math.round(performance.now() - started)
    if (!response) return { status: null, response: null, error: whyFailed(failure), retryAfterSeconds: undefined, durationMilliseconds }
    const { status, body, retryAfter } = response
    const error = status >= 200 && status < 300 ? null : `Response status ${status}`
    return { status, response: body, error, retryAfterSeconds: parseRetryAfter(retryAfter, clock.now()), durationMilliseconds }
  }

  return {
    async send({ url, variant, headers, body }) {
      const started = performance.now()
      opening ??= openAgent({ rules, resolve, ca, timeoutMilliseconds: longestMilliseconds })
      const agent = await opening
      if (isAborted) return undefined
      return new Promise((resolve) => {
        const reader = new ResponseReader((response, failure) => {
          clearTimeout(timer)
          underWay.delete(reader)
          resolve(isAborted && !response ? undefined : presentResult(response, failure, started))
        })
        const timeout = timeoutMilliseconds[variant]
        const timer = setTimeout(() => reader.abort(new Error(`No response within ${timeout} ms`)), timeout)
        underWay.add(reader)
        const { origin, pathname, search } = new URL(url)
        agent.dispatch({ origin, path: `${pathname}${search}`, method: 'POST', headers, body }, reader)
      })
    },
    abort() {
      isAborted = true
      for (const reader of underWay) reader.abort()
    },
    async close() {
      await (await opening)?.destroy()
    },
  }
}
