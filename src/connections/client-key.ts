import { generateKeyPair, type KeyObject } from 'node:crypto'
import { promisify } from 'node:util'
import type { JWK } from 'jose'
import { calculateJwkThumbprint } from 'jose/jwk/thumbprint'
import { exportJWK } from 'jose/key/export'
import type { Keyring } from '../platform/crypto/keyring.ts'
import type { Connection } from './queries.ts'
import type { ConnectionConfiguration } from './schemas.ts'

const day = 86_400

/** How long a next key is published before it signs, unless it is activated earlier. */
export const nextKeySeconds = 7 * day

/** How long the previous key is published, and tried with a provider that does not know the present one yet. */
export const previousKeySeconds = 30 * day

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

type NextKey = Pick<Connection, 'nextSecretEncrypted' | 'nextSecretSignsFrom'>

/** Whether the next key has become the signing key by itself, without being activated. */
export const nextKeySigns = ({ nextSecretSignsFrom }: NextKey, now: Date): boolean =>
  nextSecretSignsFrom !== null && nextSecretSignsFrom <= now

/** When the next key signs at the latest; null once it signs, or when no next key exists. */
export const nextKeySignsFrom = (connection: NextKey, now: Date): Date | null =>
  nextKeySigns(connection, now) ? null : connection.nextSecretSignsFrom

/** The public keys of a connection for its provider (RFC 7517 §5), including the next and the previous one. */
export function publicKeysOf(keyring: Keyring, connection: Connection, now: Date): { keys: JWK[] } {
  const { id, configuration, secretEncrypted, nextSecretEncrypted, previousSecretEncrypted, previousSecretExpiresAt } = connection
  if (!signsItsRequests(configuration)) return { keys: [] }
  const isPreviousValid = previousSecretExpiresAt !== null && previousSecretExpiresAt > now
  const stored = [secretEncrypted, nextSecretEncrypted, isPreviousValid ? previousSecretEncrypted : null].filter((key) => key !== null)
  return { keys: stored.map((key) => publicKeyOf(JSON.parse(keyring.decrypt(key, id)))) }
}

const publicKeyOf = ({ kty, kid, use, alg, n, e }: JWK) => ({ kty, kid, use, alg, n, e }) as JWK
