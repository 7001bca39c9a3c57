import { createSecretKey, type KeyObject } from 'node:crypto'
import type { Keyring } from '../../platform/crypto/keyring.ts'
import type { Secrets } from './variants.ts'

const rememberedMax = 5_000

/** The secrets of an endpoint as they are stored: each encrypted for this endpoint alone. */
export interface EncryptedSecrets {
  secretEncrypted: string
  previousSecretEncrypted: string | null
  previousSecretExpiresAt: Date | null
}

/** The secrets that sign at a time: the former one only while its grace period lasts. */
export type DecryptSecrets = (endpointId: string, stored: EncryptedSecrets, at: Date) => Secrets

/** Remembers what it has decrypted, by what was stored: to decrypt takes several times as long as to sign. */
export function secretsDecrypter(keyring: Keyring): DecryptSecrets {
  const remembered = new Map<string, KeyObject>()

  function decrypt(encrypted: string, endpointId: string): KeyObject {
    const name = `${endpointId} ${encrypted}`
    const known = remembered.get(name)
    if (known) return known
    const key = createSecretKey(keyring.decrypt(encrypted, endpointId), 'utf8')
    if (remembered.size >= rememberedMax) remembered.clear()
    remembered.set(name, key)
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
