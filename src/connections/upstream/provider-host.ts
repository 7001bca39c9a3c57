import type { Connection } from '../queries.ts'
import { presets } from './presets.ts'
import type { UpstreamConfiguration } from './settings.ts'

/** The host by which the person at the browser recognises an identity provider; undefined while the connection does not determine it. */
export function providerHostOf({ provider, configuration }: Pick<Connection, 'provider' | 'configuration'>): string | undefined {
  const settings = configuration as unknown as UpstreamConfiguration
  if (provider === 'github') return settings.host ?? 'github.com'
  return provider === 'saml' ? undefined : URL.parse(presets[provider].issuerOf(settings))?.host
}
