import { timingSafeEqual } from 'node:crypto'
import { LRUCache } from 'lru-cache'
import type { Agent } from 'undici'
import type { Clock } from '../platform/clock.ts'
import { createNameResolver } from '../platform/http/name-resolver.ts'
import { guardedConnector, type OutgoingRules, type Resolve } from '../platform/http/outgoing.ts'
import { BreachedPasswordError } from './breached-password-errors.ts'

export interface RangeServerOptions {
  /** Certificates of further authorities, in PEM. */
  ca?: string | undefined
  resolve?: Resolve | undefined
  /** The time limit of a look-up. */
  timeoutMilliseconds?: number | undefined
}

/** Looks passwords up at a server that learns the first 20 of the 160 bits of their hash. */
export interface RangeServer {
  /** @throws BreachedPasswordError */
  has(sha1: Buffer): Promise<boolean>
  close(): Promise<void>
}

const prefixDigits = 5
/** The other 35 digits, with a zero in front. */
const suffixBytes = 18
const responseMaxBytes = 256 * 1024
/** A response takes about 20 KiB. */
const prefixesMax = 128
const cachedMilliseconds = 24 * 3_600 * 1_000
const connectionsMax = 16

/** The operator has named the server, as they name the mail server, so it may be inside. */
const rules: OutgoingRules = { what: 'look-ups of passwords', allowPrivateAddresses: true, setting: '' }

/**
 * A server with the API of Have I Been Pwned (k-anonymity): it is asked for a prefix and responds with the suffixes of all hashes that
 * begin with it, and `Add-Padding` has it add some that count nothing, so that the length of its response says nothing either.
 * Concurrent look-ups of one prefix share a request. It is not asked before the first password.
 *
 * @param url what a prefix is appended to
 */
export function createRangeServer(
  url: string,
  clock: Clock,
  { ca, resolve = createNameResolver(), timeoutMilliseconds = 1_000 }: RangeServerOptions = {},
): RangeServer {
  let opening: Promise<Agent> | undefined
  const open = async () => {
    const { Agent } = await import('undici')
    return new Agent({
      connect: guardedConnector({ rules, resolve, ca, timeoutMilliseconds }),
      allowH2: false,
      connections: connectionsMax,
      // One time limit covers the whole look-up.
      headersTimeout: 0,
      bodyTimeout: 0,
    })
  }

  async function ask(prefix: string): Promise<Buffer> {
    const { request } = await import('undici')
    opening ??= open()
    const dispatcher = await opening
    const signal = AbortSignal.timeout(timeoutMilliseconds)
    try {
      const headers = { 'add-padding': 'true', 'user-agent': 'Gatehouse' }
      const { statusCode, body } = await request(url + prefix, { dispatcher, signal, headers })
      // Without a listener, an error of what is not read would end the process.
      body.on('error', () => {})
      if (statusCode !== 200) {
        body.destroy()
        throw new BreachedPasswordError('status', String(statusCode))
      }
      return parseRange(await readAll(body))
    } catch (error) {
      if (error instanceof BreachedPasswordError) throw error
      if (signal.aborted) throw new BreachedPasswordError('timeout')
      throw new BreachedPasswordError('connection', whatFailed(error))
    }
  }

  const ranges = new LRUCache<string, Buffer>({
    max: prefixesMax,
    ttl: cachedMilliseconds,
    perf: { now: () => clock.now().getTime() },
    fetchMethod: ask,
    // A look-up is not lost when its place is given to another one meanwhile.
    ignoreFetchAbort: true,
  })

  return {
    async has(sha1) {
      const digits = sha1.toString('hex').toUpperCase()
      const range = await ranges.fetch(digits.slice(0, prefixDigits))
      if (!range) throw new BreachedPasswordError('connection')
      return isAmong(range, Buffer.from(`0${digits.slice(prefixDigits)}`, 'hex'))
    },
    async close() {
      await (await opening)?.destroy()
    },
  }
}

/** @throws BreachedPasswordError */
async function readAll(body: AsyncIterable<Buffer>): Promise<string> {
  const chunks: Buffer[] = []
  let bytes = 0
  for await (const chunk of body) {
    bytes += chunk.length
    if (bytes > responseMaxBytes) throw new BreachedPasswordError('too_large')
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString('latin1')
}

/**
 * The suffixes of a response, one after the other, without those that count nothing.
 *
 * @throws BreachedPasswordError
 */
function parseRange(text: string): Buffer {
  const suffixes: Buffer[] = []
  for (const line of text.split('\n')) {
    const [all, suffix, count] = /^([\dA-F]{35}):(\d{1,15})\r?$/i.exec(line) ?? []
    if (all === undefined && line.trim() !== '') throw new BreachedPasswordError('malformed')
    if (Number(count) > 0) suffixes.push(Buffer.from(`0${suffix}`, 'hex'))
  }
  return Buffer.concat(suffixes)
}

/** Looks at all of them, so that the time does not say where it is. */
function isAmong(suffixes: Buffer, suffix: Buffer): boolean {
  let isFound = false
  for (let at = 0; at < suffixes.length; at += suffixBytes)
    isFound = timingSafeEqual(suffixes.subarray(at, at + suffixBytes), suffix) || isFound
  return isFound
}

/** A code, or our own words: other messages may hold the address, which ends with the prefix. */
function whatFailed(error: unknown): string | undefined {
  if (error instanceof AggregateError) return whatFailed(error.errors[0])
  if (!(error instanceof Error)) return undefined
  if (error.name === 'ForbiddenDestination') return error.message
  return 'code' in error && typeof error.code === 'string' ? error.code : error.name
}
