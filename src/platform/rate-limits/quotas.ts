import type { Keyring } from '../crypto/keyring.ts'
import type { Counters, Limit } from './counters.ts'

/** A limit that nobody is refused by: what is beyond it is left undone. */
export interface Quota {
  /** @returns whether there was something left of it by this key */
  claim(key: string): Promise<boolean>
}

export interface KeyedLimit extends Limit {
  /** What is counted for a key. */
  keyOf: (key: string) => string
}

/** Quotas of a table, under the names that it gives them. Undefined counters limit nothing. */
export function createQuotas<Name extends string>(
  table: Readonly<Record<Name, KeyedLimit>>,
  { counters, keyring }: { counters: Counters | undefined; keyring: Keyring },
): Record<Name, Quota> {
  const quotas = Object.entries<KeyedLimit>(table).map(([name, limit]) => {
    // Addresses do not belong into a cache in the clear.
    const hashed = (key: string) => `${name}:${keyring.hmac('rate limit', `${name} ${limit.keyOf(key)}`)}`
    const claim = async (key: string) => !counters || 'count' in (await counters.take(hashed(key), limit))
    return [name, { claim }] as const
  })
  return Object.fromEntries(quotas) as Record<Name, Quota>
}
