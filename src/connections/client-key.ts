import { generateKeyPair, type KeyObject } from 'node:crypto'
import { promisify } from 'node:util'
import type { JWK } from 'jose'
import { calculateJwkThumbprint } from 'jose/jwk/thumbprint'
import { exportJWK } from 'jose/key/export'
import { secondsAfter } from '../platform/clock.ts'
import type { Keyring } from '../platform/crypto/keyring.ts'
import type { Connection } from './queries.ts'
import type { ConnectionConfiguration } from './schemas.ts'

const day = 86_400

/** How long a next key is published before it signs, unless it is activated earlier. */
export const nextKeySeconds = 7 * day

/** How long the previous key is published, and tried with a provider that does not know the present one yet. */
const previousKeySeconds = 30 * day

/** Whether a connection authenticates to its provider with a key of ours instead of a secret of the provider's. */
export const signsItsRequests = ({ clientAuthentication }: ConnectionConfiguration): boolean => clientAuthentication === 'private_key_jwt'

/** Whether a key of ours stands in place of the provider's secret. */
export const hasOwnKey = ({
  provider,
  configuration,
}: {
  provider: Connection['provider']
  configuration: ConnectionConfiguration
}): boolean => provider === 'saml' || signsItsRequests(configuration)

/**
 * Creates a key that signs for a connection (`private_key_jwt`, OpenID Connect Core §9), as the JWK that is stored. Every provider
 * supports RS256.
 */
export async function newClientKey(): Promise<string> {
  const { privateKey }: { privateKey: KeyObject } = await promisify(generateKeyPair)('rsa', { modulusLength: 2_048 })
  const jwk = await exportJWK(privateKey)
  return JSON.stringify({ ...jwk, kid: await calculateJwkThumbprint(jwk), alg: 'RS256', use: 'sig' })
}

type StoredKeys = Pick<
  Connection,
  'secretEncrypted' | 'nextSecretEncrypted' | 'nextSecretSignsFrom' | 'previousSecretEncrypted' | 'previousSecretExpiresAt'
>

/** The keys or secrets of a connection at a time, encrypted as they are stored. */
interface KeysAtTime {
  /** The one that is used. */
  present: string | null
  next: string | null
  /** Those that were used before and still count, the latest first. */
  former: readonly string[]
  /** When the latest one that was used before no longer counts. */
  formerExpiresAt: Date | null
}

/** What the stored keys are at a time: a next key becomes the present one by itself, and the one before counts for as long as after a rotation by hand. */
export function keysAt(stored: StoredKeys, now: Date): KeysAtTime {
  const { secretEncrypted, nextSecretEncrypted, previousSecretEncrypted, previousSecretExpiresAt } = stored
  const rolledOverAt = rolledOver(stored, now)
  const replaced = rolledOverAt && { key: secretEncrypted, expiresAt: secondsAfter(rolledOverAt, previousKeySeconds) }
  const replacedBefore = { key: previousSecretEncrypted, expiresAt: previousSecretExpiresAt }
  return {
    present: replaced ? nextSecretEncrypted : secretEncrypted,
    next: replaced ? null : nextSecretEncrypted,
    former: [replaced, replacedBefore].flatMap((one) => (one?.key && one.expiresAt && one.expiresAt > now ? [one.key] : [])),
    formerExpiresAt: (replaced ?? replacedBefore).expiresAt,
  }
}

/** When the next key has become the present one by itself, without being activated; undefined when it has not. */
const rolledOver = ({ nextSecretEncrypted, nextSecretSignsFrom }: StoredKeys, now: Date): Date | undefined =>
  nextSecretEncrypted !== null && nextSecretSignsFrom !== null && nextSecretSignsFrom <= now ? nextSecretSignsFrom : undefined

/** When a key that is replaced now no longer counts: one that a next key has replaced by itself has been counting down since. */
export const replacedKeyExpiresAt = (stored: StoredKeys, now: Date): Date =>
  secondsAfter(rolledOver(stored, now) ?? now, previousKeySeconds)

/** When the next key signs at the latest; null once it signs, or when no next key exists. */
export const nextKeySignsFrom = (stored: StoredKeys, now: Date): Date | null =>
  keysAt(stored, now).next === null ? null : stored.nextSecretSignsFrom

/** The public keys of a connection for its provider (RFC 7517 §5), including the next one and those before. */
export function publicKeysOf(keyring: Keyring, connection: Connection, now: Date): { keys: JWK[] } {
  if (!signsItsRequests(connection.configuration)) return { keys: [] }
  const { present, next, former } = keysAt(connection, now)
  const published = [present, next, ...former].filter((key) => key !== null)
  return { keys: published.map((key) => publicKeyOf(JSON.parse(keyring.decrypt(key, connection.id)))) }
}

const publicKeyOf = ({ kty, kid, use, alg, n, e }: JWK) => ({ kty, kid, use, alg, n, e }) as JWK
