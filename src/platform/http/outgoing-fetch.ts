import type { Agent } from 'undici'
import { storableText } from '../text.ts'
import { createNameResolver } from './name-resolver.ts'
import { ForbiddenDestination, guardedConnector, type OutgoingRules, type Resolve } from './outgoing.ts'

export interface OutgoingOptions {
  rules: OutgoingRules
  resolve?: Resolve | undefined
  /** Certificates of further authorities, in PEM. */
  ca?: string | undefined
  connectMilliseconds?: number | undefined
  /** The time limit of a whole request. */
  timeoutMilliseconds?: number | undefined
}

/** The part of `fetch` that is used: no redirect is followed, and the whole response has arrived when the promise is fulfilled. */
export type OutgoingFetch = (
  url: string | URL,
  init?: {
    method?: string
    headers?: Record<string, string>
    body?: string | URLSearchParams | Uint8Array | ArrayBuffer | ReadableStream | null | undefined
    signal?: AbortSignal | null | undefined
  },
) => Promise<Response>

/** Requests to servers that administrators configure. */
export interface Outgoing {
  readonly rules: OutgoingRules
  /**
   * @param what the subject of the request, for an error to name: `discovery document`
   * @param maximumBytes a longer response is an error
   * @returns a function that throws OutgoingError
   */
  fetch(what: string, maximumBytes: number): OutgoingFetch
  close(): Promise<void>
}

export type OutgoingFailure = 'forbidden' | 'connection' | 'timeout' | 'too-large'

/** The request received no response, or an unusable one. */
export class OutgoingError extends Error {
  readonly reason: OutgoingFailure
  constructor(reason: OutgoingFailure, message: string, options?: ErrorOptions) {
    super(message, options)
    this.name = 'OutgoingError'
    this.reason = reason
  }
}

const connectionsMax = 16
/** How long an idle connection stays open at most: a receiver may ask for less by `Keep-Alive`, and would otherwise hold it for ten minutes. */
const idleMillisecondsMax = 4_000
/** The statuses whose responses have no body. */
const withoutBody = new Set([204, 205, 304])

/**
 * Makes requests through the guard: only by https (see the rules), only to the checked addresses, through no proxy that the environment
 * names, with one time limit for the whole exchange. The first request loads undici.
 */
export function createOutgoing({
  rules,
  resolve = createNameResolver(),
  ca,
  connectMilliseconds = 3_000,
  timeoutMilliseconds = 5_000,
}: OutgoingOptions): Outgoing {
  let opening: Promise<Agent> | undefined
  return {
    rules,
    fetch: (what, maximumBytes) => async (url, init) => {
      const timeout = AbortSignal.timeout(timeoutMilliseconds)
      const signal = init?.signal ? AbortSignal.any([init.signal, timeout]) : timeout
      try {
        const { request, Headers, Response } = await import('undici')
        opening ??= openAgent({ rules, resolve, ca, timeoutMilliseconds: connectMilliseconds, connections: connectionsMax })
        const sent = new Response(init?.body ?? null)
        const headers = new Headers({ 'accept-encoding': 'identity', 'user-agent': 'Gatehouse' })
        for (const [name, value] of [...sent.headers, ...new Headers(init?.headers)]) headers.set(name, value)
        const { statusCode, ...response } = await request(url, {
          dispatcher: await opening,
          method: (init?.method ?? 'GET') as 'GET',
          headers: Object.fromEntries(headers),
          body: init?.body ? Buffer.from(await sent.arrayBuffer()) : null,
          signal,
        })
        // Without a listener, an error of an unread body would end the process.
        response.body.on('error', () => {})
        const body = await readAll(response.body, maximumBytes, what)
        const received = Object.entries(response.headers).flatMap(([name, values = []]) =>
          [values].flat().map((value): [string, string] => [name, value]),
        )
        return new Response(withoutBody.has(statusCode) ? null : body, { status: statusCode, headers: received }) as unknown as Response
      } catch (error) {
        if (error instanceof OutgoingError) throw error
        init?.signal?.throwIfAborted()
        if (timeout.aborted) throw new OutgoingError('timeout', `The ${what} has not arrived within ${timeoutMilliseconds} ms`)
        const reason = causeOf(error) instanceof ForbiddenDestination ? 'forbidden' : 'connection'
        throw new OutgoingError(reason, `The ${what} cannot be fetched: ${whyFailed(error)}`, { cause: error })
      }
    },
    async close() {
      await (await opening)?.destroy()
    },
  }
}

/** Connections that go through the guard. The caller limits the time of the exchange. */
export async function openAgent({
  connections,
  ...options
}: Parameters<typeof guardedConnector>[0] & { connections?: number }): Promise<Agent> {
  const { Agent } = await import('undici')
  return new Agent({
    connect: guardedConnector(options),
    // Otherwise the requests to a server would wait for its first connection, to learn which version it speaks.
    allowH2: false,
    pipelining: 1,
    headersTimeout: 0,
    bodyTimeout: 0,
    keepAliveMaxTimeout: idleMillisecondsMax,
    ...(connections !== undefined && { connections }),
  })
}

async function readAll(body: AsyncIterable<Buffer>, maximumBytes: number, what: string): Promise<Buffer> {
  const chunks: Buffer[] = []
  let bytes = 0
  for await (const chunk of body) {
    bytes += chunk.length
    if (bytes > maximumBytes) throw new OutgoingError('too-large', `The ${what} is longer than ${maximumBytes} bytes`)
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}

const unknownAuthority = new Set([
  'DEPTH_ZERO_SELF_SIGNED_CERT',
  'SELF_SIGNED_CERT_IN_CHAIN',
  'UNABLE_TO_GET_ISSUER_CERT',
  'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
])

/** Returns the cause of the first of several addresses. */
const causeOf = (error: unknown) => (error instanceof AggregateError ? error.errors[0] : error)

/** The code of a connection failure, such as `ECONNREFUSED`; undefined for a failure without a code. */
export function failureCode(failure: unknown): string | undefined {
  const error = causeOf(failure)
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined
}

/** Describes a connection failure, and the setting that would allow the connection, if one exists. */
export function whyFailed(failure: unknown): string {
  const error = causeOf(failure)
  if (!(error instanceof Error)) return 'The connection failed'
  const code = failureCode(error)
  const named = code !== undefined && !error.message.includes(code) ? `${code}: ` : ''
  const setting = code !== undefined && unknownAuthority.has(code) ? ': NODE_EXTRA_CA_CERTS=<file of its authority>' : ''
  // Shorten it and remove characters that PostgreSQL rejects, so that it can be stored.
  return storableText(`${named}${error.message}${setting}`, 255)
}
