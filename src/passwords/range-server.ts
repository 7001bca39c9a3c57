import { timingSafeEqual } from 'node:crypto'
import { LRUCache } from 'lru-cache'
import type { Clock } from '../platform/clock.ts'
import { ForbiddenDestination, type OutgoingRules } from '../platform/http/outgoing.ts'
import { createOutgoing, failureCode, OutgoingError, type OutgoingOptions } from '../platform/http/outgoing-fetch.ts'
import { BreachedPasswordError } from './breached-password-errors.ts'

export type RangeServerOptions = Pick<OutgoingOptions, 'ca' | 'resolve' | 'timeoutMilliseconds'>

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

/** The operator has named the server, as they name the mail server, so it may be inside. */
const rules: OutgoingRules = { what: 'look-ups of passwords', allowPrivateAddresses: true, allowLoopback: true, setting: '' }

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
  { ca, resolve, timeoutMilliseconds = 1_000 }: RangeServerOptions = {},
): RangeServer {
  const outgoing = createOutgoing({ rules, resolve, ca, connectMilliseconds: timeoutMilliseconds, timeoutMilliseconds })
  const fetchRange = outgoing.fetch('list of breached passwords', responseMaxBytes)

  async function ask(prefix: string): Promise<Buffer> {
    const response = await fetchRange(url + prefix, { headers: { 'add-padding': 'true' } }).catch((error) => {
      throw lookUpError(error)
    })
    if (response.status !== 200) throw new BreachedPasswordError('status', String(response.status))
    return parseRange(Buffer.from(await response.arrayBuffer()).toString('latin1'))
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
    close: outgoing.close,
  }
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

/** Its detail is a code, or our own words: other messages may hold the address, which ends with the prefix. */
function lookUpError(error: unknown): unknown {
  if (!(error instanceof OutgoingError)) return error
  if (error.reason === 'timeout') return new BreachedPasswordError('timeout')
  if (error.reason === 'too-large') return new BreachedPasswordError('too_large')
  const { cause } = error
  return new BreachedPasswordError('connection', cause instanceof ForbiddenDestination ? cause.message : failureCode(cause))
}
