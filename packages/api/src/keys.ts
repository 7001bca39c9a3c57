import {
  type CryptoKey,
  createLocalJWKSet,
  createRemoteJWKSet,
  customFetch,
  errors,
  type FlattenedJWSInput,
  type JWSHeaderParameters,
} from 'jose'

/**
 * A token with a key that is not in the copy makes the keys be fetched again, at most once in this time. jose's own 30 s would refuse the
 * tokens of a new key for as long.
 */
const cooldownMilliseconds = 1_000
/** What the issuer says of its keys, `max-age=300`: so long a key that it has withdrawn may still be believed. */
const copyMilliseconds = 300_000
/** While the issuer is away, one request in this time waits for it; an issuer that only accepts connections would hold up every one. */
const pauseMilliseconds = 10_000

/** Finds the key of a token by its header. */
export type Keys = (header?: JWSHeaderParameters, token?: FlattenedJWSInput) => Promise<CryptoKey>

/** The keys of an issuer, fetched when they are first needed. While the issuer is away, the last copy is used for as long as it takes. */
export function keysOf(issuer: string, fetch: typeof globalThis.fetch): Keys {
  const keys = createRemoteJWKSet(new URL(`${issuer}/oauth2/jwks.json`), {
    cooldownDuration: cooldownMilliseconds,
    cacheMaxAge: copyMilliseconds,
    [customFetch]: (url, options) => fetch(url, options),
  })
  let copy: Keys | undefined
  let pausedUntil = 0
  let failed: { at: number; error: unknown } | undefined

  return async (header, token) => {
    const now = Date.now()
    // The cool-down of jose begins with a success: an issuer that fails would be asked again by each token with an unknown key, and by
    // every token before the first copy.
    const isPaused = now < pausedUntil
    if (failed && (now < failed.at + cooldownMilliseconds || (isPaused && !copy))) {
      if (!copy) throw failed.error
      return copy(header, token)
    }
    // A key that the copy lacks may be a new one: then the issuer is asked all the same.
    const copied = isPaused ? await copy?.(header, token).catch(() => undefined) : undefined
    if (copied) return copied
    if (pausedUntil > 0) pausedUntil = now + pauseMilliseconds
    try {
      const key = await keys(header, token)
      pausedUntil = 0
      failed = undefined
      return key
    } catch (error) {
      const isResponse = error instanceof errors.JWKSNoMatchingKey || error instanceof errors.JWKSMultipleMatchingKeys
      // The issuer is back. Tokens with unknown keys must not prolong the time in which an old copy is used.
      if (isResponse) {
        pausedUntil = 0
        failed = undefined
        throw error
      }
      failed = { at: Date.now(), error }
      const known = keys.jwks()
      // Without a copy, requests are refused meanwhile. An issuer that refuses at once holds up none, and may be asked again sooner.
      pausedUntil = known || error instanceof errors.JWKSTimeout ? failed.at + pauseMilliseconds : 0
      if (!known) throw error
      copy = createLocalJWKSet(known)
      return copy(header, token)
    }
  }
}
