import type { Agent } from 'undici'
import type { Clock } from '../../platform/clock.ts'
import type { Variant } from '../../platform/database/tables.ts'
import { createNameResolver } from '../../platform/http/name-resolver.ts'
import { guardedConnector, type Resolve } from '../../platform/http/outgoing.ts'
import { storableText } from '../../platform/text.ts'
import { webhookRules } from '../destination.ts'
import { type ReceivedResponse, ResponseReader } from './response-reader.ts'
import { parseRetryAfter } from './retry-schedule.ts'
import { variants } from './variants.ts'

const timeoutsMilliseconds = { A: variants.A.timeoutMilliseconds, B: variants.B.timeoutMilliseconds }

/** The result of one attempt. */
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
  allowPrivateAddresses: boolean
  /** Certificates of further authorities, in PEM. */
  ca?: string | undefined
  resolve?: Resolve | undefined
  /** The time limit of a whole attempt; the specification's by default. */
  timeoutMilliseconds?: Record<Variant, number> | undefined
}

/** Makes attempts. Connections are kept alive; redirects are not followed. */
export interface Sender {
  /** Never throws: a missing response is a result too. Undefined when the attempt was aborted. */
  send(attempt: { url: string; variant: Variant; headers: Record<string, string>; body: string }): Promise<AttemptResult | undefined>
  /** Aborts the attempts in flight, and starts no more. */
  abort(): void
  close(): Promise<void>
}

export function createSender({
  clock,
  allowPrivateAddresses,
  ca,
  resolve = createNameResolver(),
  timeoutMilliseconds = timeoutsMilliseconds,
}: SenderOptions): Sender {
  const longestMilliseconds = Math.max(...Object.values(timeoutMilliseconds))
  /** Loaded by the first attempt: most processes start with none to make. */
  const open = async () => {
    const { Agent } = await import('undici')
    return new Agent({
      connect: guardedConnector({ rules: webhookRules(allowPrivateAddresses), resolve, ca, timeoutMilliseconds: longestMilliseconds }),
      // Otherwise the attempts to a receiver would wait for its first connection, to learn which version it speaks.
      allowH2: false,
      pipelining: 1,
      // One time limit covers the whole attempt.
      headersTimeout: 0,
      bodyTimeout: 0,
    })
  }
  let opening: Promise<Agent> | undefined
  const underWay = new Set<ResponseReader>()
  let isAborted = false

  function presentResult(response: ReceivedResponse | undefined, failure: unknown, started: number): AttemptResult {
    const durationMilliseconds = Math.round(performance.now() - started)
    if (!response) return { status: null, response: null, error: reasonOf(failure), retryAfterSeconds: undefined, durationMilliseconds }
    const { status, body, retryAfter } = response
    const error = status >= 200 && status < 300 ? null : `Response status ${status}`
    return { status, response: body, error, retryAfterSeconds: parseRetryAfter(retryAfter, clock.now()), durationMilliseconds }
  }

  return {
    async send({ url, variant, headers, body }) {
      const started = performance.now()
      opening ??= open()
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

const unknownAuthority = new Set([
  'DEPTH_ZERO_SELF_SIGNED_CERT',
  'SELF_SIGNED_CERT_IN_CHAIN',
  'UNABLE_TO_GET_ISSUER_CERT',
  'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
])

/** What went wrong, and the setting that would allow it, if there is one. */
function reasonOf(error: unknown): string {
  if (error instanceof AggregateError) return reasonOf(error.errors[0])
  if (!(error instanceof Error)) return 'The connection failed'
  const code = 'code' in error && typeof error.code === 'string' && !error.message.includes(error.code) ? `${error.code}: ` : ''
  const setting = 'code' in error && unknownAuthority.has(String(error.code)) ? ': NODE_EXTRA_CA_CERTS=<file of its authority>' : ''
  // Shortened, and without what PostgreSQL rejects: one such text would fail the whole batch.
  return storableText(`${code}${error.message}${setting}`, 255)
}
