import type { Keyring } from '../../platform/crypto/keyring.ts'
import type { UpstreamConfiguration, UpstreamSettings } from '../upstream/settings.ts'
import type { ConnectionToUse } from './queries.ts'

/** Where identity providers send browsers back to: each connection has an address of its own, so that none can answer for another (RFC 9700 §4.4.2.2). */
const callbackUrlOf = (publicUrl: string, connectionId: string) => `${publicUrl}/federation/${connectionId}/callback`

/** A connection as the code that speaks with identity providers takes it. */
export function settingsOf(
  { keyring, publicUrl }: { keyring: Keyring; publicUrl: string },
  connection: ConnectionToUse,
  verifiedDomains: readonly string[],
  now: Date,
): UpstreamSettings {
  const { id, provider, configuration, mapping, secretEncrypted, previousSecretEncrypted, previousSecretExpiresAt } = connection
  if (provider === 'saml') throw new Error('A connection by SAML has no OpenID Connect settings')
  const isPreviousValid = previousSecretExpiresAt !== null && previousSecretExpiresAt > now
  const secrets = [secretEncrypted, isPreviousValid ? previousSecretEncrypted : null].filter((secret) => secret !== null)
  return {
    provider,
    configuration: configuration as unknown as UpstreamConfiguration,
    secrets: secrets.map((secret) => keyring.decrypt(secret, id)),
    redirectUri: callbackUrlOf(publicUrl, id),
    emailClaim: mapping.email,
    verifiedDomains,
  }
}
