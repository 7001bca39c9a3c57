import { createLocalJWKSet, createRemoteJWKSet, customFetch, errors, type JSONWebKeySet, type JWTVerifyGetKey } from 'jose'

/**
 * A token with a key that is not in the copy makes the keys be fetched again, at most once in this time. jose's own 30 s would refuse the
 * tokens of a new key for as long.
 */
const cooldownMilliseconds = 1_000
/** While the issuer is away, one request in this time waits for it; an issuer that only accepts connections would hold up every one. */
const pauseMilliseconds = 10_000

/** The keys of an issuer, fetched when they are first needed. While the issuer is away, the last copy is used for as long as it takes. */
export function keysOf(issuer: string, fetch: typeof globalThis.fetch): JWTVerifyGetKey {
  const keys = createRemoteJWKSet(new URL(`${issuer}/oauth2/jwks.json`), {
    cooldownDuration: cooldownMilliseconds,
    [customFetch]: (url, options) => fetch(url, options),
  })
  let last: { copy: JSONWebKeySet; get: ReturnType<typeof createLocalJWKSet> } | undefined
  let pausedUntil = 0

  return async (header, token) => {
    const now = Date.now()
    // A key that the copy lacks may be a new one: then the issuer is asked all the same.
    const copied = now < pausedUntil ? await last?.get(header, token).catch(() => undefined) : undefined
    if (copied) return copied
    if (pausedUntil > 0) pausedUntil = now + pauseMilliseconds
    try {
      const key = await keys(header, token)
      pausedUntil = 0
      return key
    } catch (error) {
      const copy = keys.jwks()
      if (!copy || error instanceof errors.JWKSNoMatchingKey || error instanceof errors.JWKSMultipleMatchingKeys) throw error
      pausedUntil = Date.now() + pauseMilliseconds
      if (last?.copy !== copy) last = { copy, get: createLocalJWKSet(copy) }
      return last.get(header, token)
    }
  }
}
