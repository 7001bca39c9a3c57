import type { AutomaticClient } from '../../automatic-clients/automatic-client.ts'
import { type Withheld, withoutWithheld } from '../../clients/withheld.ts'
import { lifetimesOf } from '../protocol/queries.ts'

/** What the consent page says of a client that has introduced itself. */
export interface AutomaticOnPage {
  /** The host that vouches for it; null if none does. */
  host: string | null
  /** Where the response goes. */
  redirectHost: string
  /** Whether any program on the user's computer may be behind it. */
  isLoopbackOnly: boolean
  /** How long it can refresh its tokens, in seconds; undefined if it cannot. */
  refreshSeconds: number | undefined
}

interface StoredSettings {
  refreshTokenAbsoluteLifetime: number | null
  tokenLifetimePolicy: Record<string, unknown> | null
  /** Null for a client without a row. */
  registeredMetadata: Record<string, unknown> | null
}

export function presentAutomatic(
  { host, redirectUris, grantTypes, origin }: AutomaticClient,
  redirectUri: string,
  { refreshTokenAbsoluteLifetime, tokenLifetimePolicy, registeredMetadata }: StoredSettings,
): AutomaticOnPage {
  const own = { accessTokenLifetime: null, refreshTokenLifetime: null, refreshTokenAbsoluteLifetime, idTokenLifetime: null }
  const left = withoutWithheld({ grantTypes }, (registeredMetadata?.withheld ?? null) as Withheld | null)
  return {
    host,
    redirectHost: new URL(redirectUri).host,
    isLoopbackOnly: redirectUris.every((uri) => /^http:/i.test(uri)),
    refreshSeconds: left.grantTypes.includes('refresh_token')
      ? lifetimesOf({ ...own, origin }, tokenLifetimePolicy).refreshTokenAbsoluteLifetime
      : undefined,
  }
}
