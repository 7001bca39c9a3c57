import type { Connection } from '../queries.ts'
import { samlConfigurationOf } from '../saml-settings.ts'
import { presets } from '../upstream/presets.ts'
import type { UpstreamConfiguration } from '../upstream/settings.ts'

/** The host by which the person at the browser recognises an identity provider; undefined while the connection does not determine it. */
export function providerHostOf({ provider, configuration }: Pick<Connection, 'provider' | 'configuration'>): string | undefined {
  const settings = configuration as unknown as UpstreamConfiguration
  if (provider === 'github') return settings.host ?? 'github.com'
  const address = provider === 'saml' ? samlConfigurationOf({ configuration }).ssoUrl : presets[provider].issuerOf(settings)
  return address === undefined ? undefined : URL.parse(address)?.host
}
