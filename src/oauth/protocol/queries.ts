import type { AssuranceLevel } from '../../access/factors.ts'
import { tokenLifetimesOf } from '../../organisations/rules.ts'
import type { OrganisationStatus, SigningAlgorithm } from '../../platform/database/column-types.ts'
import type { Database } from '../../platform/database/database.ts'
import { statement } from '../../platform/database/statement.ts'
import { effectiveLifetimes } from '../../tokens/lifetimes.ts'

/** A client with the settings of its organisation. Lifetimes are in seconds, and are the effective ones. */
export interface OAuthClient {
  organisationId: string
  id: string
  name: string
  clientType: 'confidential' | 'public'
  tokenEndpointAuthMethod: 'client_secret_basic' | 'client_secret_post' | 'none'
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
  refreshTokenGraceSeconds: number
  authorizationCodeTtl: number
  idTokenSignedResponseAlg: SigningAlgorithm
  defaultAcrValues: AssuranceLevel[] | null
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
  isHeard: boolean
  accessTokenLifetime: number
  refreshTokenLifetime: number
  /** Seconds after the sign-in of the user. */
  refreshTokenAbsoluteLifetime: number
  idTokenLifetime: number
}

type StoredLifetimes = Record<keyof ReturnType<typeof effectiveLifetimes>, number | null>
type StoredClient = Omit<OAuthClient, keyof StoredLifetimes> & StoredLifetimes & { tokenLifetimePolicy: Record<string, unknown> | null }

const clientById = statement<{ clientId: string }, StoredClient>(
  `
  select c.organisation_id as "organisationId", c.id, c.name, c.client_type as "clientType",
    c.token_endpoint_auth_method as "tokenEndpointAuthMethod", c.secret_hash as "secretHash",
    c.previous_secret_hash as "previousSecretHash", c.previous_secret_expires_at as "previousSecretExpiresAt",
    c.redirect_uris as "redirectUris", c.post_logout_redirect_uris as "postLogoutRedirectUris", c.grant_types as "grantTypes",
    c.scopes, c.require_pkce as "requirePkce", c.allow_plain_pkce as "allowPlainPkce", c.require_consent as "requireConsent",
    c.refresh_token_grace_seconds as "refreshTokenGraceSeconds", c.authorization_code_ttl as "authorizationCodeTtl",
    c.id_token_signed_response_alg as "idTokenSignedResponseAlg", c.default_acr_values as "defaultAcrValues",
    c.resource_server_ids as "resourceServerIds", c.default_resource as "defaultResource", c.is_active as "isActive",
    c.last_used_at as "lastUsedAt", c.secret_last_used_at as "secretLastUsedAt", c.tokens_valid_after as "tokensValidAfter", c.access_token_lifetime as "accessTokenLifetime",
    c.refresh_token_lifetime as "refreshTokenLifetime", c.refresh_token_absolute_lifetime as "refreshTokenAbsoluteLifetime",
    c.id_token_lifetime as "idTokenLifetime",
    o.status as "organisationStatus", o.token_lifetime_policy as "tokenLifetimePolicy",
    exists (
      select from webhook_endpoints w
      where w.organisation_id = c.organisation_id and w.is_active and w.events && array['*', 'oauth2.token.issued', 'oauth2.token.revoked']
        and (w.client_id is null or w.client_id = c.id)
    ) as "isHeard"
  from clients c join organisations o on o.id = c.organisation_id
  where c.id = :clientId and c.deleted_at is null and o.status <> 'cancelled'`,
  { crossesOrganisations: 'a client_id alone says of which organisation a client is' },
)

/** The client of a client_id, in any organisation: the client determines the tenant. */
export async function findClient(database: Database, clientId: string): Promise<OAuthClient | undefined> {
  const client = await database.pointRead(clientById, { clientId })
  return client && { ...client, ...effectiveLifetimes(client, tokenLifetimesOf(client.tokenLifetimePolicy)) }
}
