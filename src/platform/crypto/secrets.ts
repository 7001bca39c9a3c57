import { hash, randomBytes, timingSafeEqual } from 'node:crypto'

/** Creates a secret of 256 random bits, base64url, after an optional prefix such as `rt_`. */
export function newSecret(prefix = ''): string {
  return prefix + randomBytes(32).toString('base64url')
}

/**
 * Returns the SHA-256 of a secret made by {@link newSecret}, base64url. With 256 random bits there is nothing to guess, so a slow password
 * hash would only cost time.
 */
export function hashSecret(secret: string): string {
  return hash('sha256', secret, 'base64url')
}

/** Compares two texts in a time that does not depend on where they differ. */
export function sameSecret(left: string, right: string): boolean {
  const digests = [left, right].map((text) => hash('sha256', text, 'buffer'))
  return timingSafeEqual(digests[0] as Buffer, digests[1] as Buffer)
}
