import type { Keyring } from '../platform/crypto/keyring.ts'
import { keysAt, newClientKey } from './client-key.ts'
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
  const { present, next, former } = keysAt(connection, now)
  if (present === null) return undefined
  const keysIn = (encrypted: string): SamlKeys => JSON.parse(keyring.decrypt(encrypted, connection.id))
  const inUse = keysIn(present)
  const published = [inUse, ...(next === null ? [] : [keysIn(next)])]
  return { inUse, published, decrypting: [...published, ...former.map(keysIn)] }
}
