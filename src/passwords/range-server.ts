import { timingSafeEqual } from 'node:crypto'
import { LRUCache } from 'lru-cache'
import type { Clock } from '../platform/clock.ts'
import { ForbiddenDestination, type OutgoingRules } from '../platform/http/outgoing.ts'
import { createOutgoing, failureCode, OutgoingError, type OutgoingOptions } from '../platform/http/outgoing-fetch.ts'
import { BreachedPasswordError } from './breached-password-errors.ts'

export type RangeServerOptions = Pick<OutgoingOptions, 'ca' | 'resolve' | 'timeoutMilliseconds'>

/** Looks passwords up at a server that learns only the first 20 of the 160 bits of their hash. */
export interface RangeServer {
  /** @throws BreachedPasswordError */
  has(sha1: Buffer): Promise<boolean>
  close(): Promise<void>
}

const prefixDigits = 5
/** The other 35 digits, with a leading zero. */
const suffixBytes = 18
const responseMaxBytes = 256 * 1024
/** A response takes about 20 KiB. */
const prefixesMax = 128
const cachedMilliseconds = 24 * 3_600 * 1_000

/** The operator has configured the server, like the mail server, so it may have a private address. */
const rules: OutgoingRules = { what: 'look-ups of passwords', allowPrivateAddresses: true, allowLoopback: true, setting: '' }

/**
 * A server with the API of Have I Been Pwned (k-anonymity): it receives a prefix and responds with the suffixes of all hashes that begin
 * with it. `Add-Padding` makes it add suffixes with a count of zero, so that the length of its response reveals nothing. Concurrent
 * look-ups of one prefix share a request. It is not called before the first password.
 *
 * @param url the URL to which a prefix is appended
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
    // A look-up continues even when its cache entry is evicted meanwhile.
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
 * The suffixes of a response, concatenated, without those with a count of zero.
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

/** Compares all of them, so that the time does not reveal the position. */
function isAmong(suffixes: Buffer, suffix: Buffer): boolean {
  let isFound = false
  for (let at = 0; at < suffixes.length; at += suffixBytes)
    isFound = timingSafeEqual(suffixes.subarray(at, at + suffixBytes), suffix) || isFound
  return isFound
}

/** The detail is a code or our own text: other messages may contain the address, which ends with the prefix. */
function lookUpError(error: unknown): unknown {
  if (!(error instanceof OutgoingError)) return error
  if (error.reason === 'timeout') return new BreachedPasswordError('timeout')
  if (error.reason === 'too-large') return new BreachedPasswordError('too_large')
  const { cause } = error
  return new BreachedPasswordError('connection', cause instanceof ForbiddenDestination ? cause.message : failureCode(cause))
}
