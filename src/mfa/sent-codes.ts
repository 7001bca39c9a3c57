import { randomInt } from 'node:crypto'
import type { Keyring } from '../platform/crypto/keyring.ts'

/** Six random digits. */
export function newSentCode(): string {
  return String(randomInt(1_000_000)).padStart(6, '0')
}

/** A plain hash of six digits can be reversed by trying them all, so the hash is keyed with the service's secret. */
export function hashSentCode(keyring: Keyring, credentialId: string, code: string): string {
  return keyring.hmac('sent code', `${credentialId} ${code}`)
}
