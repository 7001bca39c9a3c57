import { createSecretKey, type KeyObject } from 'node:crypto'
import type { Keyring } from '../../platform/crypto/keyring.ts'
import type { Secrets } from './variants.ts'

const cachedMax = 5_000

/** The stored secrets of an endpoint, each encrypted for this endpoint only. */
export interface EncryptedSecrets {
  secretEncrypted: string
  previousSecretEncrypted: string | null
  previousSecretExpiresAt: Date | null
}

/** The secrets that sign at a time: the previous one only during its grace period. */
export type DecryptSecrets = (endpointId: string, stored: EncryptedSecrets, at: Date) => Secrets

/** Caches decrypted secrets by their stored form: decrypting takes several times as long as signing. */
export function secretsDecrypter(keyring: Keyring): DecryptSecrets {
  const cached = new Map<string, KeyObject>()

  function decrypt(encrypted: string, endpointId: string): KeyObject {
    const name = `${endpointId} ${encrypted}`
    const known = cached.get(name)
    if (known) return known
    const key = createSecretKey(keyring.decrypt(encrypted, endpointId), 'utf8')
    if (cached.size >= cachedMax) cached.clear()
    cached.set(name, key)
    return key
  }

  return (endpointId, { secretEncrypted, previousSecretEncrypted, previousSecretExpiresAt }, at) => {
    const inGrace = previousSecretEncrypted !== null && previousSecretExpiresAt !== null && previousSecretExpiresAt > at
    return {
      current: decrypt(secretEncrypted, endpointId),
      previous: inGrace ? decrypt(previousSecretEncrypted, endpointId) : undefined,
    }
  }
}
