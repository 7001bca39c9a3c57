import type { Keyring } from '../platform/crypto/keyring.ts'
import { sameSecret } from '../platform/crypto/secrets.ts'

/** The CSRF token of a session. It needs no storage, and all tabs of a browser share it. */
export function csrfTokenOf(keyring: Keyring, sessionId: string): string {
  return keyring.hmac('csrf', sessionId)
}

export function isCsrfTokenOf(keyring: Keyring, sessionId: string, token: unknown): boolean {
  return typeof token === 'string' && sameSecret(csrfTokenOf(keyring, sessionId), token)
}
