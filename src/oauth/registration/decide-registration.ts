import { openidScopes } from '../../../shared/openid-scopes.ts'
import type { OAuthExtensions } from '../../clients/extensions.ts'
import type { ClientSettings } from '../../clients/queries.ts'
import { type AuthMethod, type ClientMistake, clientMistakes, type GrantRules, scopeMistake } from '../../clients/rules.ts'
import type { SigningAlgorithm } from '../../platform/database/column-types.ts'
import { parseScope } from '../protocol/scope.ts'
import { invalidMetadata, invalidRedirectUri } from './errors.ts'
import { type AddressRules, type Assurance, certificateNameMembers, readAssurance } from './keys-and-assurance.ts'
import { type ClientMetadata, isLevel, isOpenidScope, type RegisteredMetadata, shownMetadata } from './metadata.ts'

/** What a registration may ask for. */
export interface Bounds {
  grantTypes: readonly string[]
  /** Custom scopes. */
  scopes: readonly string[]
  /** Whether it may redirect to private-use schemes. */
  privateSchemes: boolean
}

export interface Offers {
  /** Those that are not switched off. */
  grants: readonly GrantRules[]
  /** Whether clients may ask for levels of sign-in (`step_up`). */
  levels: boolean
  extensions: OAuthExtensions
  addresses: AddressRules
}

type Settings = Assurance &
  Pick<
    ClientSettings,
    | ('name' | 'tokenEndpointAuthMethod' | 'redirectUris' | 'postLogoutRedirectUris' | 'initiateLoginUri' | 'grantTypes' | 'scopes')
    | ('idTokenSignedResponseAlg' | 'defaultAcrValues' | 'defaultMaxAge' | 'logoUrl')
  >

export interface Registration {
  clientType: 'confidential' | 'public'
  settings: Settings
  metadata: RegisteredMetadata
}

/**
 * What metadata register: RFC 7591 §2, OpenID Connect Dynamic Client Registration §2. Each member was valid by itself.
 *
 * @throws OAuthError `invalid_redirect_uri`, `invalid_client_metadata`
 */
export function decideRegistration(sent: ClientMetadata, bounds: Bounds, offers: Offers): Registration {
  if (sent.jwks != null && sent.jwks_uri != null) throw invalidMetadata('jwks', 'must not be sent together with jwks_uri')
  const tokenEndpointAuthMethod = authMethodOf(sent, offers.extensions)
  const assurance = readAssurance(sent, offers.extensions, offers.addresses)
  const clientType = tokenEndpointAuthMethod === 'none' ? 'public' : 'confidential'
  const grantTypes = grantTypesOf(sent, bounds)
  const redirectUris = sent.redirect_uris ?? []
  const applicationType = applicationTypeOf(sent, redirectUris, bounds)
  if (sent.subject_type != null && sent.subject_type !== 'public') throw invalidMetadata('subject_type', 'must be public')
  const { scopes, asked } = scopesOf(sent, bounds)
  const shape = {
    isActive: true,
    clientType,
    tokenEndpointAuthMethod,
    requirePkce: true,
    grantTypes,
    redirectUris,
    jwks: assurance.jwks,
    jwksUri: assurance.jwksUri,
    tlsClientAuth: assurance.tlsClientAuth,
  } as const
  const [mistake] = clientMistakes(shape, offers.grants)
  if (mistake) throw refusalOf(mistake, tokenEndpointAuthMethod)

  const acrValues = offers.levels ? (sent.default_acr_values ?? []).filter(isLevel) : []
  const signIn = {
    defaultAcrValues: acrValues.length > 0 ? [...new Set(acrValues)] : null,
    defaultMaxAge: sent.default_max_age ?? null,
  }
  return {
    clientType,
    settings: {
      name: sent.client_name ?? nameOf(redirectUris),
      tokenEndpointAuthMethod,
      redirectUris,
      postLogoutRedirectUris: sent.post_logout_redirect_uris ?? [],
      initiateLoginUri: sent.initiate_login_uri ?? null,
      grantTypes,
      scopes,
      idTokenSignedResponseAlg: signingAlgorithmOf(sent),
      logoUrl: sent.logo_uri ?? null,
      ...signIn,
      ...assurance,
    },
    metadata: {
      applicationType,
      grantTypes,
      scopes,
      openidScopes: asked,
      assurance: { ...assurance, ...signIn, tokenEndpointAuthMethod },
      ...shownMetadata(sent),
    },
  }
}

const authMethods = ['client_secret_basic', 'client_secret_post', 'none'] as const

function authMethodOf({ token_endpoint_auth_method: sent }: ClientMetadata, extensions: OAuthExtensions): AuthMethod {
  if (sent == null) return 'client_secret_basic'
  if (sent === 'private_key_jwt' || sent === 'tls_client_auth' || sent === 'self_signed_tls_client_auth') {
    const extension = sent === 'private_key_jwt' ? sent : 'mtls'
    if (extensions.has(extension)) return sent
    throw invalidMetadata('token_endpoint_auth_method', `needs OAUTH_EXTENSIONS to hold ${extension}`)
  }
  const method = authMethods.find((known) => known === sent)
  if (!method) throw invalidMetadata('token_endpoint_auth_method', `must be one of ${authMethods.join(', ')}`)
  return method
}

/** The two lists have to agree (RFC 7591 §2.1): only the code flow has a response type. */
function grantTypesOf({ grant_types: grants, response_types: responses }: ClientMetadata, bounds: Bounds): string[] {
  const grantTypes = [...new Set(grants ?? ['authorization_code'])]
  if (grantTypes.length === 0) throw invalidMetadata('grant_types', 'must name at least one grant')
  const beyond = grantTypes.find((grantType) => !bounds.grantTypes.includes(grantType))
  if (beyond !== undefined) throw invalidMetadata('grant_types', `may hold ${bounds.grantTypes.join(', ')}, and not ${beyond}`)
  if (responses?.some((type) => type !== 'code')) throw invalidMetadata('response_types', 'may hold code alone')
  const usesCode = grantTypes.includes('authorization_code')
  if (responses && responses.length > 0 !== usesCode)
    throw invalidMetadata('response_types', 'must hold code if grant_types hold authorization_code, and nothing otherwise')
  return grantTypes
}

/** The kind of an application, which says where it may redirect: web ones to https alone (OpenID Connect Dynamic Client Registration §2). */
function applicationTypeOf({ application_type: sent }: ClientMetadata, uris: readonly string[], bounds: Bounds): 'web' | 'native' {
  const isHttps = (uri: string) => /^https:/i.test(uri)
  const isPrivate = (uri: string) => !/^https?:/i.test(uri)
  const forbidden = bounds.privateSchemes ? -1 : uris.findIndex(isPrivate)
  if (forbidden !== -1) throw invalidRedirectUri(forbidden, 'must be https, or http on a loopback address')
  if (sent == null) return uris.every(isHttps) ? 'web' : 'native'
  const outside = sent === 'web' ? uris.findIndex((uri) => !isHttps(uri)) : -1
  if (outside !== -1) throw invalidRedirectUri(outside, 'must be https, because application_type is web')
  return sent
}

function scopesOf({ scope }: ClientMetadata, bounds: Bounds): { scopes: string[]; asked: string[] } {
  if (scope == null) return { scopes: [...bounds.scopes], asked: [...openidScopes] }
  const values = parseScope(scope)
  const malformed = values.find((value) => scopeMistake(value) !== undefined)
  if (malformed !== undefined) throw invalidMetadata('scope', 'holds what is no scope that is supported')
  const scopes = values.filter((value) => !isOpenidScope(value))
  const beyond = scopes.find((value) => !bounds.scopes.includes(value))
  if (beyond !== undefined) throw invalidMetadata('scope', `may not hold ${beyond}`)
  return { scopes, asked: values.filter(isOpenidScope) }
}

/** RS256 unless the client chooses: what registers itself expects the default of the standard (OpenID Connect Dynamic Client Registration §2). */
function signingAlgorithmOf({ id_token_signed_response_alg: sent }: ClientMetadata): SigningAlgorithm {
  if (sent == null || sent === 'RS256') return 'RS256'
  if (sent === 'EdDSA' || sent === 'Ed25519') return 'EdDSA'
  throw invalidMetadata('id_token_signed_response_alg', 'must be RS256 or EdDSA')
}

/** The name of a client that has sent none. */
const nameOf = ([uri]: readonly string[]): string => (uri === undefined ? '' : new URL(uri).hostname) || 'Application'

function refusalOf({ reason, grantType }: ClientMistake, method: AuthMethod) {
  if (reason === 'redirect-uri-missing') return invalidRedirectUri(undefined, 'must name at least one address for authorization_code')
  if (reason === 'client-keys-missing') return invalidMetadata('jwks', `must hold a key that ${method} can use, unless jwks_uri is sent`)
  if (reason === 'certificate-name-missing')
    return invalidMetadata('token_endpoint_auth_method', `needs one of ${certificateNameMembers.join(', ')}`)
  return invalidMetadata('grant_types', `${grantType ?? 'one of them'} is for confidential clients`)
}
