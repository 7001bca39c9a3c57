/** The keys that clients publish at an address of their own (`jwksUri`), and the issuers of platforms at theirs. */
import { LRUCache } from 'lru-cache'
import { keysMax, platformKeyMistake, publicMembers, type SentKey } from '../../clients/public-keys.ts'
import { type Clock, isWithin } from '../../platform/clock.ts'
import type { PublicKey } from '../../platform/database/column-types.ts'
import type { OutgoingFetch } from '../../platform/http/outgoing-fetch.ts'
import { isJsonObject } from '../../platform/json-object.ts'

/** The most that a document of an issuer, or a set of keys, may be long. */
export const clientKeysMaxBytes = 256 * 1024
const minute = 60_000
const freshMilliseconds = 10 * minute
/** How long a copy outlives its time while the address cannot be reached. */
const staleMilliseconds = 24 * 60 * minute
/** An address that has just been asked is not asked again: anyone can name keys that do not exist. */
const retryMilliseconds = minute
const addressesMax = 1_000

interface KeptKeys {
  keys: PublicKey[]
  fetchedAt: number
}

interface Address {
  copy: KeptKeys | undefined
  askedAt: number
  loading: Promise<void> | undefined
  /** Why the last request got no keys. */
  failure: string | undefined
}

export interface ClientKeySets {
  /**
   * The keys that are published at an address. A copy is fetched again after ten minutes, or when it lacks a key that is asked for, but at
   * most once a minute. While the address cannot be reached, a copy serves for 24 hours more.
   *
   * @param isEnough whether a set holds what is needed
   * @param onWait called if an address is asked, which takes seconds
   * @returns the reason when there are no keys to use
   */
  read(
    url: string,
    isEnough: (keys: readonly PublicKey[]) => boolean,
    onWait?: () => void,
  ): Promise<{ keys: readonly PublicKey[] } | { failure: string }>
}

/** Clients share the copies. Concurrent requests share one fetch. */
export function createClientKeySets(fetch: OutgoingFetch, clock: Clock): ClientKeySets {
  const addresses = new LRUCache<string, Address>({ max: addressesMax })

  async function load(url: string, address: Address): Promise<void> {
    try {
      const response = await fetch(url, { headers: { accept: 'application/jwk-set+json, application/json' } })
      if (response.status !== 200) throw new Error(`status ${response.status}`)
      address.copy = { keys: usableKeys(await response.text()), fetchedAt: clock.now().getTime() }
      address.failure = undefined
    } catch (error) {
      address.failure = error instanceof Error ? error.message : String(error)
    }
  }

  return {
    async read(url, isEnough, onWait) {
      const now = clock.now().getTime()
      let address = addresses.get(url)
      if (!address) {
        address = { copy: undefined, askedAt: Number.NEGATIVE_INFINITY, loading: undefined, failure: undefined }
        addresses.set(url, address)
      }
      const { copy } = address
      const serves = copy !== undefined && isWithin(freshMilliseconds, copy.fetchedAt, now) && isEnough(copy.keys)
      if (!serves && !isWithin(retryMilliseconds, address.askedAt, now)) {
        address.askedAt = now
        const asked = address
        address.loading = load(url, asked).finally(() => {
          asked.loading = undefined
        })
      }
      if (!serves && address.loading) {
        onWait?.()
        await address.loading
      }
      const known = address.copy
      // A clock that is set back by a little costs no copy of an address that cannot be reached.
      if (known && Math.abs(now - known.fetchedAt) < freshMilliseconds + staleMilliseconds) return { keys: known.keys }
      return { failure: address.failure ?? 'no keys' }
    },
  }
}

/**
 * The keys of a set that can verify signatures, those that are for platforms alone included: what a client signs by them is refused by its
 * algorithm. Keys for other purposes, of kinds that are not supported, and private ones are left out.
 *
 * @throws Error when the text is no set of keys, or one of too many
 */
function usableKeys(text: string): PublicKey[] {
  const document: unknown = JSON.parse(text)
  const keys = isJsonObject(document) ? document.keys : undefined
  if (!Array.isArray(keys)) throw new Error('no set of keys')
  // Before they are looked at: each costs time.
  if (keys.length > keysMax) throw new Error(`more than ${keysMax} keys`)
  return keys.filter((key): key is SentKey => isJsonObject(key) && platformKeyMistake(key) === undefined).map(publicMembers)
}
