import { type Withheld, withoutWithheld } from '../../clients/withheld.ts'
import { lifetimesOf } from '../protocol/queries.ts'

/** Where the response of a client goes that no administrator has registered: it has chosen its name itself. */
export interface ReachOnPage {
  /** The host; for a private-use scheme, the scheme. */
  redirectHost: string
  /** Whether any program on the user's computer may be behind it. */
  isLoopbackOnly: boolean
}

/** Undefined for a client of an administrator. */
export function presentReach(
  { origin, redirectUris }: { origin: Origin | null; redirectUris: readonly string[] | null },
  redirectUri: string,
): ReachOnPage | undefined {
  if (origin === null || origin === 'admin') return undefined
  const { host, protocol } = new URL(redirectUri)
  // What follows a private-use scheme is no host that answers: any program that claims the scheme gets the response.
  return {
    redirectHost: /^https?:$/.test(protocol) ? host : protocol,
    isLoopbackOnly: redirectUris?.every((uri) => /^http:/i.test(uri)) ?? false,
  }
}

type Origin = 'admin' | 'registration' | 'metadata_document'

/** Null where the client has no row. */
export interface StoredSettings {
  refreshTokenAbsoluteLifetime: number | null
  tokenLifetimePolicy: Record<string, unknown> | null
  registeredMetadata: Record<string, unknown> | null
}

/**
 * How long a client that no administrator has registered can refresh its tokens, in seconds: it does not ask for that by a scope, so the page
 * says it. Undefined for one that cannot, and for any other client.
 */
export function refreshSecondsOf(
  { origin, grantTypes }: { origin: Origin | null; grantTypes: readonly string[] | null },
  { refreshTokenAbsoluteLifetime, tokenLifetimePolicy, registeredMetadata }: StoredSettings,
): number | undefined {
  if (origin === null || origin === 'admin') return undefined
  const left = withoutWithheld({ grantTypes: grantTypes ?? [] }, (registeredMetadata?.withheld ?? null) as Withheld | null)
  if (!left.grantTypes.includes('refresh_token')) return undefined
  const own = { accessTokenLifetime: null, refreshTokenLifetime: null, refreshTokenAbsoluteLifetime, idTokenLifetime: null }
  return lifetimesOf({ ...own, origin }, tokenLifetimePolicy).refreshTokenAbsoluteLifetime
}
