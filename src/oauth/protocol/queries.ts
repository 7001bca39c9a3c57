import type { AssuranceLevel } from '../../access/factors.ts'
import type { AutomaticClient } from '../../automatic-clients/automatic-client.ts'
import { claimSources, type MappedClaims } from '../../claims/statements.ts'
import type { Profile } from '../../clients/profile.ts'
import type { AuthMethod } from '../../clients/rules.ts'
import type { Withheld } from '../../clients/withheld.ts'
import { tokenLifetimesOf } from '../../organisations/rules.ts'
import type {
  ClientAlgorithm,
  FederatedCredential,
  OrganisationStatus,
  PublicKeySet,
  SigningAlgorithm,
  TlsClientAuth,
} from '../../platform/database/column-types.ts'
import type { Database } from '../../platform/database/database.ts'
import { statement } from '../../platform/database/statement.ts'
import { effectiveLifetimes } from '../../tokens/lifetimes.ts'

/** An automatic client that asks for an authorization, as it describes itself now. */
export interface AskingAutomaticClient {
  client: AutomaticClient
  /** Whether the organisation has a row for it: a user has allowed it before. */
  isBound: boolean
  /** Whether it asks for more than users of the organisation have allowed it so far, or is another version than they have allowed. */
  isNew: boolean
  /** The scopes of resource servers that users of the organisation have allowed it so far: no token has others. */
  allowedScopes: readonly string[]
}

/**
 * A client with the settings of its organisation. Lifetimes are in seconds, and are the effective ones. The sources of claims are those of
 * tokens for the client itself.
 */
export interface OAuthClient extends MappedClaims {
  organisationId: string
  /** The id of its row; of an automatic client that has none yet, the client_id. */
  id: string
  /** The client_id: that of an automatic client is the same in every organisation. */
  clientId: string
  origin: 'admin' | 'registration' | 'metadata_document'
  /** Consents hold only for this version of the client. */
  consentVersion: string | null
  /** Set while it asks for an authorization, for an automatic client. */
  automatic?: AskingAutomaticClient | undefined
  name: string
  clientType: 'confidential' | 'public'
  tokenEndpointAuthMethod: AuthMethod
  /** The keys by which it authenticates: these, or those at an address of its own. */
  jwks: PublicKeySet | null
  jwksUri: string | null
  tokenEndpointAuthSigningAlg: ClientAlgorithm | null
  /** The identities of platforms by which it authenticates besides; null for none. */
  federatedCredentials: FederatedCredential[] | null
  requireSignedRequestObject: boolean
  requestObjectSigningAlg: ClientAlgorithm | null
  secretHash: string | null
  previousSecretHash: string | null
  previousSecretExpiresAt: Date | null
  redirectUris: string[]
  postLogoutRedirectUris: string[]
  grantTypes: string[]
  /** The custom scopes. */
  scopes: string[]
  requirePkce: boolean
  allowPlainPkce: boolean
  requireConsent: boolean
  requirePushedAuthorizationRequests: boolean
  requireDpop: boolean
  /** The name that the certificate has to have by which it authenticates. */
  tlsClientAuth: TlsClientAuth | null
  certificateBoundAccessTokens: boolean
  /** The profile of OAuth that it is held to; null for none. */
  profile: Profile | null
  refreshTokenGraceSeconds: number
  authorizationCodeTtl: number
  idTokenSignedResponseAlg: SigningAlgorithm
  /** Null means RS256. */
  introspectionSignedResponseAlg: SigningAlgorithm | null
  defaultAcrValues: AssuranceLevel[] | null
  /** Seconds; null for any. */
  defaultMaxAge: number | null
  /** The resource servers that it may ask tokens for; null for none. */
  resourceServerIds: string[] | null
  /** The identifier of the one that tokens are for if a request names none. */
  defaultResource: string | null
  isActive: boolean
  lastUsedAt: Date | null
  secretLastUsedAt: Date | null
  tokensValidAfter: Date | null
  organisationStatus: Exclude<OrganisationStatus, 'cancelled'>
  /** Whether an endpoint has subscribed to tokens that are issued or revoked: if not, no event is written. */
  hasSubscriber: boolean
  accessTokenLifetime: number
  refreshTokenLifetime: number
  /** Seconds after the sign-in of the user. */
  refreshTokenAbsoluteLifetime: number
  idTokenLifetime: number
}

type StoredLifetimes = Record<keyof ReturnType<typeof effectiveLifetimes>, number | null>
type StoredClient = Omit<OAuthClient, keyof StoredLifetimes | 'automatic'> &
  StoredLifetimes & { tokenLifetimePolicy: Record<string, unknown> | null }

/** @param further columns, each with a comma after it */
const storedClientWith = (further = '') => `
  select ${further} c.organisation_id as "organisationId", c.id, coalesce(c.automatic_client_id, c.id) as "clientId", c.origin,
    c.consent_version as "consentVersion", c.name, c.client_type as "clientType",
    c.token_endpoint_auth_method as "tokenEndpointAuthMethod", c.jwks, c.jwks_uri as "jwksUri",
    c.token_endpoint_auth_signing_alg as "tokenEndpointAuthSigningAlg",
    c.require_signed_request_object as "requireSignedRequestObject", c.request_object_signing_alg as "requestObjectSigningAlg", c.secret_hash as "secretHash",
    c.previous_secret_hash as "previousSecretHash", c.previous_secret_expires_at as "previousSecretExpiresAt",
    c.redirect_uris as "redirectUris", c.post_logout_redirect_uris as "postLogoutRedirectUris", c.grant_types as "grantTypes",
    c.scopes, c.require_pkce as "requirePkce", c.allow_plain_pkce as "allowPlainPkce", c.require_consent as "requireConsent",
    c.require_pushed_authorization_requests as "requirePushedAuthorizationRequests", c.require_dpop as "requireDpop", c.profile,
    c.tls_client_auth as "tlsClientAuth", c.certificate_bound_access_tokens as "certificateBoundAccessTokens",
    c.refresh_token_grace_seconds as "refreshTokenGraceSeconds", c.authorization_code_ttl as "authorizationCodeTtl",
    c.id_token_signed_response_alg as "idTokenSignedResponseAlg",
    c.introspection_signed_response_alg as "introspectionSignedResponseAlg", c.default_acr_values as "defaultAcrValues", c.default_max_age as "defaultMaxAge",
    c.resource_server_ids as "resourceServerIds", c.default_resource as "defaultResource",
    c.federated_credentials as "federatedCredentials", c.claim_mappings as "claimMappings", ${claimSources('c.claim_mappings', ['access_token'], { organisation: 'c.organisation_id' })} as "claimSources",
    c.is_active as "isActive",
    c.last_used_at as "lastUsedAt", c.secret_last_used_at as "secretLastUsedAt", c.tokens_valid_after as "tokensValidAfter", c.access_token_lifetime as "accessTokenLifetime",
    c.refresh_token_lifetime as "refreshTokenLifetime", c.refresh_token_absolute_lifetime as "refreshTokenAbsoluteLifetime",
    c.id_token_lifetime as "idTokenLifetime",
    o.status as "organisationStatus", o.token_lifetime_policy as "tokenLifetimePolicy",
    exists (
      select from webhook_endpoints w
      where w.organisation_id = c.organisation_id and w.is_active and w.events && array['*', 'oauth2.token.issued', 'oauth2.token.revoked']
        and (w.client_id is null or w.client_id = c.id)
    ) as "hasSubscriber"
  from clients c join organisations o on o.id = c.organisation_id
  where c.deleted_at is null and o.status <> 'cancelled'`
const storedClient = storedClientWith()

const clientById = statement<{ clientId: string }, StoredClient>(`${storedClient} and c.id = :clientId`, {
  crossesOrganisations: 'a client_id alone says of which organisation a client is',
})

const automaticClient = statement<{ organisationId: string; clientId: string }, StoredClient & { withheld: Withheld | null }>(
  `${storedClientWith(`c.registered_metadata -> 'withheld' as withheld,`)} and c.organisation_id = :organisationId and c.automatic_client_id = :clientId`,
)

const automaticClientOfUser = statement<{ userId: string; clientId: string }, StoredClient>(
  `${storedClient} and c.automatic_client_id = :clientId and c.organisation_id = (select organisation_id from users where id = :userId)`,
  { crossesOrganisations: 'the user says of which organisation an automatic client is' },
)

interface HeldCredentials {
  clientId: string
  codeHash: string | null
  selectorHash: string | null
  deviceCodeHash: string | null
}

// By the code or the family: a client_id that is the same in every organisation does not say which one is meant.
const clientOfCredentials = statement<HeldCredentials, StoredClient>(
  `${storedClient} and c.automatic_client_id = :clientId and (
    exists (
      select from authorization_codes k
      where k.organisation_id = c.organisation_id and k.client_id = c.id and k.code_hash = :codeHash)
    or exists (
      select from token_families f
      where f.organisation_id = c.organisation_id and f.client_id = c.id and f.selector_hash = :selectorHash)
    or exists (
      select from device_codes d
      where d.organisation_id = c.organisation_id and d.client_id = c.id and d.device_code_hash = :deviceCodeHash))`,
  { crossesOrganisations: 'a code, a device code or a refresh token says of which organisation an automatic client is' },
)

/** The client of a client_id, in any organisation: the client determines the tenant. */
export async function findClient(database: Database, clientId: string): Promise<OAuthClient | undefined> {
  return withLifetimes(await database.pointRead(clientById, { clientId }))
}

/**
 * The client that a request names: by its client_id, which for an automatic client is never the id of its row. By that one it would be
 * served without the resource that decides whether it may be.
 */
export async function findNamedClient(database: Database, clientId: string): Promise<OAuthClient | undefined> {
  const client = await findClient(database, clientId)
  return client?.clientId === clientId ? client : undefined
}

/** An automatic client in one organisation; undefined when none of its users has allowed it. */
export async function findAutomaticClient(
  database: Database,
  organisationId: string,
  clientId: string,
): Promise<(OAuthClient & { withheld: Withheld | null }) | undefined> {
  return withLifetimes(await database.pointRead(automaticClient, { organisationId, clientId }))
}

/** An automatic client in the organisation of a user. */
export async function findAutomaticClientOfUser(database: Database, userId: string, clientId: string): Promise<OAuthClient | undefined> {
  return withLifetimes(await database.pointRead(automaticClientOfUser, { userId, clientId }))
}

/** An automatic client in the organisation in which it was given a code or a refresh token. */
export async function findClientOfCredentials(database: Database, held: HeldCredentials): Promise<OAuthClient | undefined> {
  return withLifetimes(await database.pointRead(clientOfCredentials, held))
}

function withLifetimes<Stored extends StoredClient>(client: Stored | undefined) {
  if (!client) return undefined
  const { tokenLifetimePolicy, ...stored } = client
  return { ...stored, ...lifetimesOf(client, tokenLifetimePolicy) }
}

/** Access tokens of automatic clients are short-lived, whatever else is set. */
export const automaticAccessTokenSecondsMax = 3_600

export function lifetimesOf(
  client: StoredLifetimes & Pick<OAuthClient, 'origin'>,
  policy: Record<string, unknown> | null,
): ReturnType<typeof effectiveLifetimes> {
  const lifetimes = effectiveLifetimes(client, tokenLifetimesOf(policy))
  if (client.origin === 'admin') return lifetimes
  return { ...lifetimes, accessTokenLifetime: Math.min(lifetimes.accessTokenLifetime, automaticAccessTokenSecondsMax) }
}
