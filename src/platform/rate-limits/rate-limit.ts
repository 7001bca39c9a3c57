import type { Clock } from '../clock.ts'
import type { Keyring } from '../crypto/keyring.ts'
import { Problem, retryAfter } from '../http/problem.ts'
import { limitConcurrency } from './concurrency.ts'
import type { Counters, Limit } from './counters.ts'

/**
 * A limit on something, by key. An attempt that may have concurrent ones is counted before it is made and released when it succeeds: if it
 * were counted afterwards, all of them would run before the first counts.
 */
export interface RateLimit {
  /**
   * Counts one attempt. Throws a Problem `too-many-requests` when the key has used up its limit.
   *
   * @returns its position among those that the limit allows
   */
  count(key: string): Promise<Counted>
  /** Decrements the count, because the attempt was not of the kind that the limit is about. */
  release(key: string): Promise<void>
  /** Returns the end of the window in which the key has used up its limit; undefined while it has not. It counts nothing. */
  fullUntil(key: string): Promise<Date | undefined>
  /**
   * Uses up the limit until this time, in place of a count that was lost.
   *
   * @throws Problem `too-many-requests`
   */
  useUp(key: string, until: Date): Promise<void>
  /** Resets the count of the key. */
  forget(key: string): Promise<void>
  /**
   * Runs work that counts and releases. Of work with the same key at most half of the limit, or `concurrencyMax`, runs at a time and the
   * rest is queued, so that many simultaneous correct passwords are not refused because of each other.
   */
  runQueued<T>(key: string, work: () => Promise<T>): Promise<T>
}

export interface NamedLimit extends Limit {
  code: string
  /** The text of the refusal. */
  detail: string
  /** Returns the text that is counted for a key, if it differs from the key: the network of an address. */
  keyOf?: (key: string) => string
  /** How much work with the same key a process runs at a time, if not half of `max`. */
  concurrencyMax?: number
}

export interface Counted {
  readonly isFirst: boolean
  readonly isLast: boolean
}

/** The refusal of a request that a limit does not allow before a time. */
export const limitReached = ({ code, detail }: NamedLimit, until: Date, now: Date): Problem =>
  new Problem(code, 'too-many-requests', detail, retryAfter((until.getTime() - now.getTime()) / 1_000))

/** The limits of a table, by name. Undefined counters limit nothing. */
export function createRateLimits<Name extends string>(
  table: Readonly<Record<Name, NamedLimit>>,
  { counters, keyring, clock }: { counters: Counters | undefined; keyring: Keyring; clock: Clock },
): Record<Name, RateLimit> {
  const limits = Object.entries<NamedLimit>(table).map(([name, limit]) => {
    if (!counters) return [name, unlimited] as const
    // Keys are e-mail addresses and the like, which a cache must not contain in plain text.
    const { keyOf = (key) => key, concurrencyMax = Math.ceil(limit.max / 2) } = limit
    const hashed = (key: string) => `${name}:${keyring.hmac('rate limit', `${name} ${keyOf(key)}`)}`
    const refuse = (until: Date): never => {
      throw limitReached(limit, until, clock.now())
    }
    const runQueued = limitConcurrency(concurrencyMax)
    const rateLimit: RateLimit = {
      count: async (key) => {
        const taken = await counters.take(hashed(key), limit)
        if ('fullUntil' in taken) return refuse(taken.fullUntil)
        return { isFirst: taken.count === 1, isLast: taken.count === limit.max }
      },
      release: (key) => counters.release(hashed(key)),
      fullUntil: (key) => counters.fullUntil(hashed(key), limit),
      useUp: async (key, until) => {
        await counters.fill(hashed(key), limit, until)
        refuse(until)
      },
      forget: (key) => counters.forget(hashed(key)),
      runQueued: (key, work) => runQueued(keyOf(key), work),
    }
    return [name, rateLimit] as const
  })
  return Object.fromEntries(limits) as Record<Name, RateLimit>
}

/**
 * Counts an attempt for as long as it takes, and afterwards if it has failed. An attempt that throws has not failed: its error, such as a
 * database that is away, says nothing about what was tried.
 *
 * @param attempt returns undefined when it has failed
 * @throws Problem `too-many-requests`, or as the attempt does
 */
export async function countFailure<T>(limit: RateLimit, key: string, attempt: () => Promise<T | undefined>): Promise<T | undefined> {
  await limit.count(key)
  const result = await attempt().catch(async (error: unknown) => {
    await limit.release(key)
    throw error
  })
  if (result !== undefined) await limit.release(key)
  return result
}

/**
 * Counts one attempt with each limit, or with none of them when one is used up.
 *
 * @returns a function that releases them
 * @throws Problem `too-many-requests`
 */
export async function countTogether(...wanted: readonly (readonly [limit: RateLimit, key: string])[]): Promise<() => Promise<void>> {
  const counted: (typeof wanted)[number][] = []
  const release = async () => {
    await Promise.all(counted.map(([limit, key]) => limit.release(key)))
  }
  for (const one of wanted) {
    const [limit, key] = one
    try {
      await limit.count(key)
    } catch (error) {
      await release()
      throw error
    }
    counted.push(one)
  }
  return release
}

const unlimited: RateLimit = {
  count: async () => ({ isFirst: false, isLast: false }),
  release: async () => {},
  fullUntil: async () => undefined,
  useUp: async () => {},
  forget: async () => {},
  runQueued: (_, work) => work(),
}
