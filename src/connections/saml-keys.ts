import type { Keyring } from '../platform/crypto/keyring.ts'
import { newClientKey, nextKeySigns } from './client-key.ts'
import type { Connection } from './queries.ts'

/** A key with its certificate, both in PEM. */
interface CertifiedKey {
  privateKey: string
  certificate: string
}

/** Our keys of a connection by SAML. They are rotated together, as the key of `private_key_jwt` is, and stored in the same columns. */
export interface SamlKeys {
  signing: CertifiedKey
  encryption: CertifiedKey
}

/** Makes keys as they are stored. */
async function newSamlKeys(name: string, now: Date): Promise<string> {
  const { newOwnKey } = await import('./saml/new-own-key.ts')
  const [signing, encryption] = await Promise.all([newOwnKey(name, now), newOwnKey(name, now)])
  return JSON.stringify({ signing, encryption } satisfies SamlKeys)
}

/** A key of ours for a connection that has one in place of a secret, as it is stored. */
export const newOwnKeyFor = ({ provider, slug }: Pick<Connection, 'provider' | 'slug'>, now: Date): Promise<string> =>
  provider === 'saml' ? newSamlKeys(slug, now) : newClientKey()

export interface OwnSamlKeys {
  /** Those that sign. */
  inUse: SamlKeys
  /** Those that our metadata shows. */
  published: readonly SamlKeys[]
  /** Those that decrypt: a former key is not shown any more, but its provider may not have looked since. */
  decrypting: readonly SamlKeys[]
}

/** The keys of a connection; undefined for one that has none. */
export function samlKeysOf(keyring: Keyring, connection: Connection, now: Date): OwnSamlKeys | undefined {
  const { id, secretEncrypted, nextSecretEncrypted, previousSecretEncrypted, previousSecretExpiresAt } = connection
  if (secretEncrypted === null) return undefined
  const keysIn = (encrypted: string): SamlKeys => JSON.parse(keyring.decrypt(encrypted, id))
  const present = keysIn(secretEncrypted)
  const next = nextSecretEncrypted === null ? [] : [keysIn(nextSecretEncrypted)]
  const isFormerValid = previousSecretEncrypted !== null && previousSecretExpiresAt !== null && previousSecretExpiresAt > now
  const published = [present, ...next]
  return {
    inUse: (nextKeySigns(connection, now) ? next[0] : undefined) ?? present,
    published,
    decrypting: [...published, ...(isFormerValid ? [keysIn(previousSecretEncrypted)] : [])],
  }
}
