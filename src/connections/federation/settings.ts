import type { Keyring } from '../../platform/crypto/keyring.ts'
import { keysAt } from '../client-key.ts'
import { callbackUrlOf } from '../present-connection.ts'
import type { Connection } from '../queries.ts'
import type { UpstreamConfiguration, UpstreamSettings } from '../upstream/settings.ts'

/** The settings of a connection for the code that contacts identity providers. */
export function settingsOf(
  { keyring, publicUrl }: { keyring: Keyring; publicUrl: string },
  connection: Connection,
  verifiedDomains: readonly string[],
  now: Date,
): UpstreamSettings {
  const { id, provider, configuration, mapping } = connection
  if (provider === 'saml') throw new Error('A connection by SAML has no OpenID Connect settings')
  const { present, former } = keysAt(connection, now)
  const secrets = [present, ...former].filter((secret) => secret !== null)
  return {
    provider,
    configuration: configuration as unknown as UpstreamConfiguration,
    secrets: secrets.map((secret) => keyring.decrypt(secret, id)),
    redirectUri: callbackUrlOf(publicUrl, id),
    emailClaim: mapping.email,
    verifiedDomains,
  }
}
