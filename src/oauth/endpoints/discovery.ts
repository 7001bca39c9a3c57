/** Both discovery documents: OpenID Connect Discovery §3, RFC 8414 §2. */

import { openidScopes } from '../../../shared/openid-scopes.ts'
import { assuranceLevels } from '../../access/factors.ts'
import { isOffered, type OAuthExtensions } from '../../clients/extensions.ts'
import { algorithmNames } from '../../clients/public-keys.ts'
import type { Grant } from '../grants/grant.ts'
import { identityAssertionType } from '../grants/token-exchange.ts'
import type { CertificateHeaders } from '../protocol/client-certificate.ts'

export interface DiscoveryOptions {
  /** The origin of `PUBLIC_URL`. */
  issuer: string
  pkcePlain: 'allow' | 'deny'
  grants: readonly Grant[]
  oauthExtensions: OAuthExtensions
  /** Without an id there are no passkeys, and no level that needs one. */
  relyingParty: { readonly id: string | undefined }
  mtls: CertificateHeaders | undefined
}

/** The service's description of itself for clients. It does not change while the service runs. */
export function discoveryDocument({ issuer, pkcePlain, grants, oauthExtensions, relyingParty, mtls }: DiscoveryOptions) {
  const byKey = oauthExtensions.has('private_key_jwt')
  const byCertificate = oauthExtensions.has('mtls') ? ['tls_client_auth', 'self_signed_tls_client_auth'] : []
  const confidential = ['client_secret_basic', 'client_secret_post', ...(byKey ? ['private_key_jwt'] : []), ...byCertificate]
  const authMethods = ['client_secret_basic', 'client_secret_post', 'none', ...(byKey ? ['private_key_jwt'] : []), ...byCertificate]
  return {
    issuer,
    authorization_endpoint: `${issuer}/oauth2/authorize`,
    token_endpoint: `${issuer}/oauth2/token`,
    userinfo_endpoint: `${issuer}/oauth2/userinfo`,
    jwks_uri: `${issuer}/oauth2/jwks.json`,
    revocation_endpoint: `${issuer}/oauth2/revoke`,
    introspection_endpoint: `${issuer}/oauth2/introspect`,
    end_session_endpoint: `${issuer}/oauth2/logout`,
    scopes_supported: openidScopes,
    response_types_supported: ['code'],
    response_modes_supported: ['query', 'form_post'],
    grant_types_supported: grants.filter((grant) => isOffered(grant, oauthExtensions)).map(({ grantType }) => grantType),
    subject_types_supported: ['public'],
    id_token_signing_alg_values_supported: ['EdDSA', 'RS256'],
    token_endpoint_auth_methods_supported: authMethods,
    revocation_endpoint_auth_methods_supported: authMethods,
    introspection_endpoint_auth_methods_supported: confidential,
    code_challenge_methods_supported: pkcePlain === 'allow' ? ['S256', 'plain'] : ['S256'],
    claims_supported: [
      'iss',
      'sub',
      'aud',
      'exp',
      'iat',
      'auth_time',
      'nonce',
      'acr',
      'amr',
      'sid',
      'name',
      'given_name',
      'family_name',
      'updated_at',
      'email',
      'email_verified',
      'phone_number',
      'phone_number_verified',
    ],
    prompt_values_supported: ['none', 'login', 'consent', 'select_account'],
    authorization_response_iss_parameter_supported: true,
    // Omitted, it would mean that they are supported.
    request_uri_parameter_supported: false,
    request_parameter_supported: oauthExtensions.has('jar'),
    claims_parameter_supported: oauthExtensions.has('claims_parameter'),
    ...(oauthExtensions.has('backchannel_logout') && { backchannel_logout_supported: true, backchannel_logout_session_supported: true }),
    ...(oauthExtensions.has('client_metadata_documents') && { client_id_metadata_document_supported: true }),
    // RFC 8414 §2: demanded beside the method. RFC 9864 gives EdDSA with Ed25519 a second name.
    ...(byKey && {
      token_endpoint_auth_signing_alg_values_supported: [...algorithmNames],
      revocation_endpoint_auth_signing_alg_values_supported: [...algorithmNames],
      introspection_endpoint_auth_signing_alg_values_supported: [...algorithmNames],
    }),
    ...(oauthExtensions.has('device') && { device_authorization_endpoint: `${issuer}/oauth2/device_authorization` }),
    ...(oauthExtensions.has('dpop') && { dpop_signing_alg_values_supported: [...algorithmNames] }),
    ...(oauthExtensions.has('dynamic_registration') && { registration_endpoint: `${issuer}/oauth2/register` }),
    ...(oauthExtensions.has('identity_assertions') && {
      identity_chaining_requested_token_types_supported: [identityAssertionType],
      authorization_grant_profiles_supported: ['urn:ietf:params:oauth:grant-profile:id-jag'],
    }),
    ...(oauthExtensions.has('jar') && {
      request_object_signing_alg_values_supported: [...algorithmNames],
      require_signed_request_object: false,
    }),
    ...(oauthExtensions.has('jwt_introspection') && { introspection_signing_alg_values_supported: ['EdDSA', 'RS256'] }),
    ...(mtls && { tls_client_certificate_bound_access_tokens: true }),
    ...(mtls?.publicUrl !== undefined && { mtls_endpoint_aliases: endpointsAt(mtls.publicUrl, oauthExtensions) }),
    ...(oauthExtensions.has('par') && { pushed_authorization_request_endpoint: `${issuer}/oauth2/par` }),
    ...(oauthExtensions.has('step_up') && {
      acr_values_supported: relyingParty.id === undefined ? assuranceLevels.slice(0, 2) : assuranceLevels,
    }),
  }
}

/** The endpoints at which clients present certificates (RFC 8705 §5). */
const endpointsAt = (origin: string, oauthExtensions: OAuthExtensions) => ({
  token_endpoint: `${origin}/oauth2/token`,
  userinfo_endpoint: `${origin}/oauth2/userinfo`,
  revocation_endpoint: `${origin}/oauth2/revoke`,
  introspection_endpoint: `${origin}/oauth2/introspect`,
  ...(oauthExtensions.has('device') && { device_authorization_endpoint: `${origin}/oauth2/device_authorization` }),
  ...(oauthExtensions.has('par') && { pushed_authorization_request_endpoint: `${origin}/oauth2/par` }),
})
