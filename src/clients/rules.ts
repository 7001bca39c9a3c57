import { openidScopes } from '../../shared/openid-scopes.ts'
import { redirectUriMistake } from '../organisations/rules.ts'
import type { OAuthExtension } from './extensions.ts'

const everyClientsScopes: ReadonlySet<string> = new Set(openidScopes)

/**
 * Why this cannot be an `initiate_login_uri` (OpenID Connect Core §4); undefined when it can. Any browser may open it, so it
 * must lead to the application by https, or to a loopback address in development.
 */
export function initiateLoginUriMistake(uri: string): string | undefined {
  const mistake = redirectUriMistake(uri)
  if (mistake) return mistake
  return /^https?:/i.test(uri) ? undefined : 'initiation-not-https'
}

/** The parameters that responses add to the query of a redirect URI. */
export const parametersOfResponses = {
  authorization: ['code', 'state', 'iss', 'error', 'error_description'],
  logout: ['state'],
  initiation: ['iss', 'login_hint', 'target_link_uri'],
} as const

/**
 * The parameter because of which no response can be sent to this URI; undefined when one can. No parameter may occur twice
 * (RFC 6749 §3.1).
 */
export function responseUriMistake(uri: string, added: readonly string[]): string | undefined {
  return added.find((name) => new URL(uri).searchParams.has(name))
}

export type ScopeMistake = 'scope-syntax' | 'scope-not-supported'

/** Why a client cannot have this scope; undefined when it can. RFC 6749 §3.3 gives the syntax. */
export function scopeMistake(scope: string): ScopeMistake | undefined {
  if (!/^[\x21\x23-\x5b\x5d-\x7e]+$/.test(scope)) return 'scope-syntax'
  return scope === 'address' ? 'scope-not-supported' : undefined
}

/** A client's scopes without those of OpenID Connect. */
export const customScopesOf = (scopes: readonly string[]): string[] => scopes.filter((scope) => !everyClientsScopes.has(scope))

/** The properties of a grant that the registration of a client depends on. */
export interface GrantRules {
  readonly grantType: string
  /** Whether a client that has no secret may use it. */
  readonly forPublicClients: boolean
  /** The extension that offers it; undefined for a grant that is always offered. */
  readonly extension?: OAuthExtension
}

/** The ways in which a client can be registered to authenticate (OpenID Connect Core §9). */
export const authMethods = [
  'client_secret_basic',
  'client_secret_post',
  'none',
  'private_key_jwt',
  'tls_client_auth',
  'self_signed_tls_client_auth',
] as const
export type AuthMethod = (typeof authMethods)[number]

export const usesSecret = (method: AuthMethod): boolean => method === 'client_secret_basic' || method === 'client_secret_post'

/** Whether a client of the method authenticates by the certificate of its connection (RFC 8705 §2). */
export const usesCertificate = (method: AuthMethod): method is 'tls_client_auth' | 'self_signed_tls_client_auth' =>
  method === 'tls_client_auth' || method === 'self_signed_tls_client_auth'

const needsKeys = (method: AuthMethod): boolean => method === 'private_key_jwt' || method === 'self_signed_tls_client_auth'

export interface ClientShape {
  isActive: boolean
  clientType: 'confidential' | 'public'
  tokenEndpointAuthMethod: AuthMethod
  jwks: object | null
  jwksUri: string | null
  tlsClientAuth: object | null
  federatedCredentials?: readonly object[] | null
  requirePkce: boolean
  grantTypes: readonly string[]
  redirectUris: readonly string[]
}

/** A mistake in how a client's fields fit together, when each is valid by itself. */
export interface ClientMistake {
  reason:
    | 'public-client-without-secret'
    | 'confidential-client-authenticates'
    | 'public-client-uses-pkce'
    | 'grant-for-confidential-clients'
    | 'client-keys-missing'
    | 'certificate-name-missing'
    | 'client-keys-in-two-places'
    | 'redirect-uri-missing'
    | 'credentials-for-confidential-clients'
  path: [keyof ClientShape]
  grantType?: string
}

/** An inactive client may still lack its redirect URI: it gets no tokens. */
export function clientMistakes(client: ClientShape, grants: readonly GrantRules[]): ClientMistake[] {
  const mistakes: ClientMistake[] = []
  const refuse = (field: keyof ClientShape, reason: ClientMistake['reason']) => mistakes.push({ reason, path: [field] })
  const isPublic = client.clientType === 'public'

  if (isPublic && client.tokenEndpointAuthMethod !== 'none') refuse('tokenEndpointAuthMethod', 'public-client-without-secret')
  if (!isPublic && client.tokenEndpointAuthMethod === 'none') refuse('tokenEndpointAuthMethod', 'confidential-client-authenticates')
  if (client.jwks && client.jwksUri) refuse('jwksUri', 'client-keys-in-two-places')
  const hasCredentials = (client.federatedCredentials ?? []).length > 0
  // A token of a platform is such an assertion, too.
  const hasKeys = client.jwks || client.jwksUri || (client.tokenEndpointAuthMethod === 'private_key_jwt' && hasCredentials)
  if (needsKeys(client.tokenEndpointAuthMethod) && !hasKeys) refuse('jwks', 'client-keys-missing')
  if (client.tokenEndpointAuthMethod === 'tls_client_auth' && !client.tlsClientAuth) refuse('tlsClientAuth', 'certificate-name-missing')
  if (isPublic && hasCredentials) refuse('federatedCredentials', 'credentials-for-confidential-clients')
  if (isPublic && !client.requirePkce) refuse('requirePkce', 'public-client-uses-pkce')
  for (const { grantType, forPublicClients } of grants) {
    if (isPublic && !forPublicClients && client.grantTypes.includes(grantType))
      mistakes.push({ reason: 'grant-for-confidential-clients', path: ['grantTypes'], grantType })
  }
  if (client.isActive && client.grantTypes.includes('authorization_code') && client.redirectUris.length === 0)
    refuse('redirectUris', 'redirect-uri-missing')
  return mistakes
}

/** The positions of the URIs that the organisation's list does not contain; none without a list. */
export function placesOutside(allowed: readonly string[], uris: readonly string[] = []): number[] {
  if (allowed.length === 0) return []
  return uris.flatMap((uri, index) => (allowed.includes(uri) ? [] : [index]))
}

/** Whether the organisation has a list and it excludes the origin of an `initiate_login_uri`. */
export function isInitiationOutside(allowed: readonly string[], uri: string | null | undefined): boolean {
  if (allowed.length === 0 || uri === null || uri === undefined) return false
  const { origin } = new URL(uri)
  return !allowed.some((url) => new URL(url).origin === origin)
}
