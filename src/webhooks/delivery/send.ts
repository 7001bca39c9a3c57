import type { Agent } from 'undici'
import type { Clock } from '../../platform/clock.ts'
import { storableText } from '../../platform/text.ts'
import { guardedConnector, type Resolve } from '../destination.ts'
import { resolveName } from '../resolve-name.ts'
import { type Answer, AnswerReader } from './response-reader.ts'
import { parseRetryAfter } from './retry-schedule.ts'
import { type Variant, variants } from './variants.ts'

const timeoutsMilliseconds = { A: variants.A.timeoutMilliseconds, B: variants.B.timeoutMilliseconds }

/** What came of one attempt. */
export interface AttemptResult {
  /** Null when there was no answer. */
  status: number | null
  durationMilliseconds: number
  error: string | null
  /** The first 2 KiB of the answer's body; null when there was no answer. */
  response: string | null
  retryAfterSeconds: number | undefined
}

export interface SenderOptions {
  clock: Clock
  allowPrivateAddresses: boolean
  /** Certificates of further authorities, in PEM. */
  ca?: string | undefined
  resolve?: Resolve | undefined
  /** The limit of a whole attempt; the specification's when left out. */
  timeoutMilliseconds?: Record<Variant, number> | undefined
}

/** Makes attempts. Connections are kept alive; redirects are not followed. */
export interface Sender {
  /** Never throws: that nobody answered is a result too. Undefined when it was aborted. */
  send(attempt: { url: string; variant: Variant; headers: Record<string, string>; body: string }): Promise<AttemptResult | undefined>
  /** Aborts the attempts in flight, and starts no more. */
  abort(): void
  close(): Promise<void>
}

export function createSender({
  clock,
  allowPrivateAddresses,
  ca,
  resolve = resolveName,
  timeoutMilliseconds = timeoutsMilliseconds,
}: SenderOptions): Sender {
  const longestMilliseconds = Math.max(...Object.values(timeoutMilliseconds))
  /** Loaded with the first attempt: most processes start without having one to make. */
  const open = async () => {
    const { Agent } = await import('undici')
    return new Agent({
      connect: guardedConnector({ allowPrivateAddresses, resolve, ca, timeoutMilliseconds: longestMilliseconds }),
      // Else the attempts to a receiver would wait for its first connection, to see which version it speaks.
      allowH2: false,
      pipelining: 1,
      // Each attempt has one limit for all of it.
      headersTimeout: 0,
      bodyTimeout: 0,
    })
  }
  let opening: Promise<Agent> | undefined
  const underWay = new Set<AnswerReader>()
  let isAborted = false

  function presentResult(answer: Answer | undefined, failure: unknown, started: number): AttemptResult {
    const durationMilliseconds = Math.round(performance.now() - started)
    if (!answer) return { status: null, response: null, error: reasonOf(failure), retryAfterSeconds: undefined, durationMilliseconds }
    const { status, body, retryAfter } = answer
    const error = status >= 200 && status < 300 ? null : `Answered ${status}`
    return { status, response: body, error, retryAfterSeconds: parseRetryAfter(retryAfter, clock.now()), durationMilliseconds }
  }

  return {
    async send({ url, variant, headers, body }) {
      const started = performance.now()
      opening ??= open()
      const agent = await opening
      if (isAborted) return undefined
      return new Promise((resolve) => {
        const reader = new AnswerReader((answer, failure) => {
          clearTimeout(timer)
          underWay.delete(reader)
          resolve(isAborted && !answer ? undefined : presentResult(answer, failure, started))
        })
        const timeout = timeoutMilliseconds[variant]
        const timer = setTimeout(() => reader.giveUp(new Error(`No answer within ${timeout} ms`)), timeout)
        underWay.add(reader)
        const { origin, pathname, search } = new URL(url)
        agent.dispatch({ origin, path: `${pathname}${search}`, method: 'POST', headers, body }, reader)
      })
    },
    abort() {
      isAborted = true
      for (const reader of underWay) reader.giveUp()
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

/** What went wrong, and the setting that would lift it where there is one. */
function reasonOf(error: unknown): string {
  if (error instanceof AggregateError) return reasonOf(error.errors[0])
  if (!(error instanceof Error)) return 'The connection failed'
  const code = 'code' in error && typeof error.code === 'string' && !error.message.includes(error.code) ? `${error.code}: ` : ''
  const setting = 'code' in error && unknownAuthority.has(String(error.code)) ? ': NODE_EXTRA_CA_CERTS=<file of its authority>' : ''
  // Cut and written as PostgreSQL can take it: one text that it refuses would refuse the whole batch.
  return storableText(`${code}${error.message}${setting}`, 255)
}
