import { randomInt } from 'node:crypto'
import type { Keyring } from '../platform/crypto/keyring.ts'

/** Six digits, to be sent. */
export function newSentCode(): string {
  return String(randomInt(1_000_000)).padStart(6, '0')
}

/** Six digits are guessed at once from a plain hash; without the service's key this one says nothing. */
export function hashSentCode(keyring: Keyring, credentialId: string, code: string): string {
  return keyring.hmac('sent code', `${credentialId} ${code}`)
}
