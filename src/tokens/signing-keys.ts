import { createPrivateKey, createPublicKey, type KeyObject } from 'node:crypto'
import { isWithin } from '../platform/clock.ts'
import type { Keyring } from '../platform/crypto/keyring.ts'
import type { SigningAlgorithm } from '../platform/database/column-types.ts'
import type { Database } from '../platform/database/database.ts'
import { channels } from '../platform/database/locks-and-channels.ts'
import { statement } from '../platform/database/statement.ts'
import { type Document, documentOf } from '../platform/http/document.ts'
import { addSigningKey } from './rotate-signing-keys.ts'
import { publishedKeys, signingKeyAt } from './rules.ts'

const freshForMilliseconds = 30_000
const reloadsEveryMilliseconds = 1_000

export interface SigningKeyRow {
  /** The key's `kid`. */
  id: string
  algorithm: SigningAlgorithm
  publicJwk: Record<string, string>
  privateKeyEncrypted: string
  signsFrom: Date
  retiresAt: Date | null
}

export interface SigningKey extends Omit<SigningKeyRow, 'privateKeyEncrypted'> {
  privateKey: KeyObject
  publicKey: KeyObject
}

/**
 * The keys of the issuer in this process. They are read again twice a minute and when another process reports a change; a key is published
 * long before it signs, so all processes agree on the signing one.
 */
export interface SigningKeys {
  /** The key that signs now. The first one of an algorithm is created on demand. */
  signer(algorithm: SigningAlgorithm): Promise<SigningKey>
  /**
   * Creates the first key of an algorithm once the change of this request is committed, so that verifiers see the key before its first token.
   * The change stands if that fails: the first token creates the key.
   */
  ensure(algorithm: SigningAlgorithm): Promise<void>
  /** The published key with this id. */
  verifier(id: string): Promise<SigningKey | undefined>
  /** The JWK set (RFC 7517 §5) as a document; synchronously, unless the keys have to be read again. */
  jwks(): Document | Promise<Document>
}

export interface OpenableSigningKeys extends SigningKeys {
  /** Reads the keys and creates the first ones. It throws, and can be retried, when the table does not exist. */
  open(): Promise<void>
  /** Reads the keys again, although they are fresh. */
  reload(): Promise<void>
}

export interface SigningKeysOptions {
  /** The algorithms for which first keys are created. */
  algorithms: readonly SigningAlgorithm[]
  /** Called when the keys could not be read, or a first one created, after a change. */
  onError: (error: unknown) => void
}

export function createSigningKeys(database: Database, keyring: Keyring, { algorithms, onError }: SigningKeysOptions): OpenableSigningKeys {
  const { clock } = database
  let keys: readonly SigningKey[] = []
  let jwks: { document: Document; madeAt: number } | undefined
  let loadedAt = Number.NEGATIVE_INFINITY
  let loading: Promise<void> | undefined

  const load = () => {
    loading ??= readKeys(database, keyring, keys)
      .then((read) => {
        keys = read
        loadedAt = clock.now().getTime()
        jwks = undefined
      })
      .finally(() => {
        loading = undefined
      })
    return loading
  }
  const isFresh = () => isWithin(freshForMilliseconds, loadedAt, clock.now().getTime())
  const refresh = async () => {
    if (!isFresh()) await load()
  }
  const currentJwks = () => {
    const now = clock.now()
    if (!jwks || !isWithin(freshForMilliseconds, jwks.madeAt, now.getTime())) {
      const text = JSON.stringify({ keys: publishedKeys(keys, now).map(({ publicJwk }) => publicJwk) })
      jwks = { document: documentOf(text), madeAt: now.getTime() }
    }
    return jwks.document
  }

  const signingKeys: OpenableSigningKeys = {
    async open() {
      await load()
      for (const algorithm of algorithms) await signingKeys.signer(algorithm)
      // Listen last: a caller that fails before may retry, and would get every notice twice.
      await database.listen(channels.signingKeys, () => {
        // One that is under way may have read the former keys, which would then stay in use for as long as they are fresh.
        signingKeys.reload().catch(onError)
      })
    },

    async reload() {
      // One that is under way may have begun before the change.
      await loading?.catch(() => {})
      await load()
    },

    async signer(algorithm) {
      await refresh()
      const known = signingKeyAt(keys, algorithm, clock.now())
      if (known) return known
      await addSigningKey(database, keyring, algorithm)
      await load()
      return signingKeyAt(keys, algorithm, clock.now()) as SigningKey
    },

    ensure: (algorithm) => database.afterCommit(() => signingKeys.signer(algorithm).then(() => {}, onError)),

    async verifier(id) {
      await refresh()
      const find = () => publishedKeys(keys, clock.now()).find((key) => key.id === id)
      const known = find()
      if (known || isWithin(reloadsEveryMilliseconds, loadedAt, clock.now().getTime())) return known
      // Another process may have just created it. Do not load for every unknown id: a client can send any number of them.
      await load()
      return find()
    },

    jwks: () => (isFresh() ? currentJwks() : load().then(currentJwks)),
  }
  return signingKeys
}

const signingKeyRows = statement<Record<never, never>, SigningKeyRow>(`
  select id, algorithm, public_jwk as "publicJwk", private_key_encrypted as "privateKeyEncrypted",
    signs_from as "signsFrom", retires_at as "retiresAt"
  from signing_keys order by signs_from`)

async function readKeys(database: Database, keyring: Keyring, known: readonly SigningKey[]): Promise<SigningKey[]> {
  const rows = await database.system().run(signingKeyRows, {})
  const byId = new Map(known.map((key) => [key.id, key]))
  return rows.map(({ privateKeyEncrypted, ...row }) => {
    const decrypted = byId.get(row.id) ?? decryptKey(keyring, row.id, privateKeyEncrypted)
    return { ...row, privateKey: decrypted.privateKey, publicKey: decrypted.publicKey }
  })
}

function decryptKey(keyring: Keyring, id: string, encrypted: string): Pick<SigningKey, 'privateKey' | 'publicKey'> {
  const privateKey = createPrivateKey(keyring.decrypt(encrypted, id))
  return { privateKey, publicKey: createPublicKey(privateKey) }
}
