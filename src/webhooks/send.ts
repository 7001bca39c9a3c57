import type { Dispatcher } from 'undici'
import type { Clock } from '../platform/clock.ts'
import { guardedConnector, type Resolve } from './destination.ts'
import { resolveName } from './resolve-name.ts'
import { parseRetryAfter } from './retry-schedule.ts'
import { type Variant, variants } from './variants.ts'

const responseMaxBytes = 2_048
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
  /** Never throws: that nobody answered is a result too. Undefined when `signal` ended it. */
  send(
    attempt: { url: string; variant: Variant; headers: Record<string, string>; body: string },
    signal: AbortSignal,
  ): Promise<AttemptResult | undefined>
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
    const { Agent, request } = await import('undici')
    const agent = new Agent({
      connect: guardedConnector({ allowPrivateAddresses, resolve, ca, timeoutMilliseconds: longestMilliseconds }),
      pipelining: 1,
      // Each attempt has one limit for all of it.
      headersTimeout: 0,
      bodyTimeout: 0,
    })
    return { agent, request }
  }
  let opening: ReturnType<typeof open> | undefined

  return {
    async send({ url, variant, headers, body }, signal) {
      const started = performance.now()
      const timeout = timeoutMilliseconds[variant]
      const ending = new AbortController()
      const timer = setTimeout(() => ending.abort(), timeout)
      const stop = () => ending.abort()
      signal.addEventListener('abort', stop, { once: true })
      const duration = () => Math.round(performance.now() - started)
      try {
        opening ??= open()
        const { agent, request } = await opening
        const answer = await request(url, { dispatcher: agent, method: 'POST', headers, body, signal: ending.signal })
        const { 'retry-after': retryAfter } = answer.headers
        return {
          status: answer.statusCode,
          response: await beginningOf(answer.body),
          error: isSuccess(answer.statusCode) ? null : `Answered ${answer.statusCode}`,
          retryAfterSeconds: parseRetryAfter(typeof retryAfter === 'string' ? retryAfter : undefined, clock.now()),
          durationMilliseconds: duration(),
        }
      } catch (error) {
        if (signal.aborted) return undefined
        const reason = ending.signal.aborted ? `No answer within ${timeout} ms` : reasonOf(error)
        return { status: null, response: null, error: reason, retryAfterSeconds: undefined, durationMilliseconds: duration() }
      } finally {
        clearTimeout(timer)
        signal.removeEventListener('abort', stop)
      }
    },
    async close() {
      await (await opening)?.agent.destroy()
    },
  }
}

const isSuccess = (status: number) => status >= 200 && status < 300

/** Reads no more than is kept; the status has come, so a body that breaks off changes nothing. */
async function beginningOf(body: Dispatcher.ResponseData['body']): Promise<string> {
  const chunks: Buffer[] = []
  let bytes = 0
  try {
    for await (const chunk of body) {
      chunks.push(chunk)
      bytes += chunk.length
      if (bytes >= responseMaxBytes) break
    }
  } catch {}
  // PostgreSQL's text holds every character but this one.
  return Buffer.concat(chunks).subarray(0, responseMaxBytes).toString('utf8').replaceAll('\0', '')
}

function reasonOf(error: unknown): string {
  if (error instanceof AggregateError) return reasonOf(error.errors[0])
  if (!(error instanceof Error)) return 'The connection failed'
  const code = 'code' in error && typeof error.code === 'string' && !error.message.includes(error.code) ? `${error.code}: ` : ''
  // Cut and written as PostgreSQL can take it: one text that it refuses would refuse the whole batch.
  return `${code}${error.message}`.slice(0, 255).toWellFormed().replaceAll('\0', '')
}
