import { redirectUriMistake } from '../organisations/rules.ts'
import type { FieldError } from '../platform/http/problem.ts'

/** The scopes of OpenID Connect that every client may ask for. */
export const openidScopes = ['openid', 'profile', 'email', 'phone', 'offline_access'] as const
const everyClientsScopes: ReadonlySet<string> = new Set(openidScopes)

/**
 * Why this cannot be an `initiate_login_uri` (OpenID Connect Core §4); undefined when it can. Any browser may open it, so it
 * must lead to the application by https, or to a loopback address in development.
 */
export function initiateLoginUriMistake(uri: string): string | undefined {
  const mistake = redirectUriMistake(uri)
  if (mistake) return mistake
  return /^https?:/i.test(uri) ? undefined : 'Must be https, or http on a loopback address'
}

/** The parameters that responses add to the query of a redirect URI. */
export const parametersOfResponses = {
  authorization: ['code', 'state', 'iss', 'error', 'error_description'],
  logout: ['state'],
  initiation: ['iss', 'login_hint', 'target_link_uri'],
} as const

/** Why no response can be sent to this URI; undefined when one can. No parameter may come twice (RFC 6749 §3.1). */
export function responseUriMistake(uri: string, added: readonly string[]): string | undefined {
  const taken = added.find((name) => new URL(uri).searchParams.has(name))
  return taken === undefined ? undefined : `Must not have ${taken} in its query, where answers add it`
}

/** Why a client cannot have this scope; undefined when it can. RFC 6749 §3.3 gives the syntax. */
export function scopeMistake(scope: string): string | undefined {
  if (!/^[\x21\x23-\x5b\x5d-\x7e]+$/.test(scope)) return 'Must be visible ASCII characters without space, " and \\'
  return scope === 'address' ? 'Is a scope of OpenID Connect that is not supported' : undefined
}

/** A client's scopes without those of OpenID Connect. */
export const customScopesOf = (scopes: readonly string[]): string[] => scopes.filter((scope) => !everyClientsScopes.has(scope))

/** The properties of a grant that the registration of a client depends on. */
export interface GrantRules {
  readonly grantType: string
  /** Whether a client that has no secret may use it. */
  readonly forPublicClients: boolean
}

interface ClientShape {
  clientType: 'confidential' | 'public'
  tokenEndpointAuthMethod: 'client_secret_basic' | 'client_secret_post' | 'none'
  requirePkce: boolean
  grantTypes: readonly string[]
  redirectUris: readonly string[]
}

/** The mistakes in how a client's fields fit together, when each is valid by itself. */
export function clientMistakes(client: ClientShape, grants: readonly GrantRules[]): FieldError[] {
  const mistakes: FieldError[] = []
  const refuse = (field: keyof ClientShape, message: string) => mistakes.push({ code: 'custom', path: [field], message })
  const isPublic = client.clientType === 'public'

  if (isPublic && client.tokenEndpointAuthMethod !== 'none') refuse('tokenEndpointAuthMethod', 'A public client has no secret: use none')
  if (!isPublic && client.tokenEndpointAuthMethod === 'none') refuse('tokenEndpointAuthMethod', 'A confidential client must authenticate')
  if (isPublic && !client.requirePkce) refuse('requirePkce', 'A public client must use PKCE')
  for (const { grantType, forPublicClients } of grants) {
    if (isPublic && !forPublicClients && client.grantTypes.includes(grantType))
      refuse('grantTypes', `${grantType} is for confidential clients`)
  }
  if (client.grantTypes.includes('authorization_code') && client.redirectUris.length === 0) {
    refuse('redirectUris', 'authorization_code needs at least one redirect URI')
  }
  return mistakes
}

/** The URIs that the organisation's list, if it has one, does not contain. */
export function mistakesOutside(
  allowed: readonly string[],
  field: 'redirectUris' | 'postLogoutRedirectUris',
  uris: readonly string[] = [],
): FieldError[] {
  if (allowed.length === 0) return []
  return uris.flatMap((uri, index) =>
    allowed.includes(uri) ? [] : [{ code: 'custom', path: [field, index], message: 'Is not among the URLs that the organisation allows' }],
  )
}

/** Why the organisation's list, if it has one, does not allow the origin of an `initiate_login_uri`; undefined when it does. */
export function initiationOutside(allowed: readonly string[], uri: string | null | undefined): FieldError[] {
  if (allowed.length === 0 || uri === null || uri === undefined) return []
  const { origin } = new URL(uri)
  if (allowed.some((url) => new URL(url).origin === origin)) return []
  const message = 'Is not of the origin of a URL that the organisation allows'
  return [{ code: 'custom', path: ['initiateLoginUri'], message }]
}
