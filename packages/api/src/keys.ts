import { createLocalJWKSet, createRemoteJWKSet, customFetch, errors, type JSONWebKeySet, type JWTVerifyGetKey } from 'jose'

/**
 * A token with a key that is not in the copy makes the keys be fetched again, at most once in this time. jose's own 30 s would refuse the
 * tokens of a new key for as long.
 */
const cooldownMilliseconds = 1_000

/** The keys of an issuer, fetched when they are first needed. While the issuer is away, the last copy is used for as long as it takes. */
export function keysOf(issuer: string, fetch: typeof globalThis.fetch): JWTVerifyGetKey {
  const keys = createRemoteJWKSet(new URL(`${issuer}/oauth2/jwks.json`), {
    cooldownDuration: cooldownMilliseconds,
    [customFetch]: (url, options) => fetch(url, options),
  })
  let last: { copy: JSONWebKeySet; get: JWTVerifyGetKey } | undefined

  return async (header, token) => {
    try {
      return await keys(header, token)
    } catch (error) {
      const copy = keys.jwks()
      if (!copy || error instanceof errors.JWKSNoMatchingKey || error instanceof errors.JWKSMultipleMatchingKeys) throw error
      if (last?.copy !== copy) last = { copy, get: createLocalJWKSet(copy) }
      return last.get(header, token)
    }
  }
}
