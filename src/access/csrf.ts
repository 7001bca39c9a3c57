import type { FastifyRequest } from 'fastify'
import type { Keyring } from '../platform/crypto/keyring.ts'
import { sameSecret } from '../platform/crypto/secrets.ts'
import { invalidCsrfToken, missingCsrfToken } from './refusals.ts'

/**
 * The CSRF token that is derived from the token of a session. It needs no storage, and all tabs of a browser share it. A
 * session that becomes a full one gets a new token, and so another CSRF token.
 */
export function csrfTokenOf(keyring: Keyring, sessionToken: string): string {
  return keyring.hmac('csrf', sessionToken)
}

export function isCsrfTokenOf(keyring: Keyring, sessionToken: string, token: unknown): boolean {
  return typeof token === 'string' && sameSecret(csrfTokenOf(keyring, sessionToken), token)
}

/** @throws Problem `forbidden` when the header is missing or holds the token of another session */
export function checkCsrfToken({ headers }: FastifyRequest, keyring: Keyring, sessionToken: string): void {
  const token = headers['x-csrf-token']
  if (token === undefined || token === '') throw missingCsrfToken()
  if (!isCsrfTokenOf(keyring, sessionToken, token)) throw invalidCsrfToken()
}
