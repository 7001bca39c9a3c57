import type { Keyring } from '../crypto/keyring.ts'
import type { Counters, Limit } from './counters.ts'

/** A limit that refuses no request: work beyond it is skipped. */
export interface Quota {
  /** @returns whether the key had any quota left */
  claim(key: string): Promise<boolean>
  /** Resets the count of the key. */
  forget(key: string): Promise<void>
}

export interface KeyedLimit extends Limit {
  /** Returns the text that is counted for a key. */
  keyOf: (key: string) => string
}

/** The quotas of a table, by name. Undefined counters limit nothing. */
export function createQuotas<Name extends string>(
  table: Readonly<Record<Name, KeyedLimit>>,
  { counters, keyring }: { counters: Counters | undefined; keyring: Keyring },
): Record<Name, Quota> {
  const quotas = Object.entries<KeyedLimit>(table).map(([name, limit]) => {
    // A cache must not contain addresses in plain text.
    const hashed = (key: string) => `${name}:${keyring.hmac('rate limit', `${name} ${limit.keyOf(key)}`)}`
    const claim = async (key: string) => !counters || 'count' in (await counters.take(hashed(key), limit))
    const forget = async (key: string) => counters?.forget(hashed(key))
    return [name, { claim, forget }] as const
  })
  return Object.fromEntries(quotas) as Record<Name, Quota>
}
