/** The resource servers that tokens are for, as their statements read them. `resource-servers/` administers them. */
import { claimSources, type MappedClaims } from '../claims/statements.ts'
import type { ResourceScopes, SigningAlgorithm } from '../platform/database/column-types.ts'

/** A resource server as requests and tokens need it. */
export interface ResourceServer extends MappedClaims {
  id: string
  identifier: string
  isActive: boolean
  /** Whether clients may use it that no administrator has registered. */
  allowsAutomaticClients: boolean
  /** The names of the scopes that it defines. */
  scopes: readonly string[]
  /** Seconds; null follows the client. */
  accessTokenLifetime: number | null
  accessTokenSigningAlg: SigningAlgorithm
  includeAuthenticationContext: boolean
  /** Whether it takes only tokens that are bound to a key. */
  requireDpop: boolean
}

/** What was authorized, as a code or a family stores it. */
export interface AuthorizedResources {
  resources: readonly string[] | null
  /** The scopes that were authorized at each; null in what a former release has stored. */
  resourceScopes: ResourceScopes | null
  resourceServers: readonly ResourceServer[] | null
}

/**
 * The object of a row `r` of `resource_servers`, as SQL.
 *
 * @param row the alias of a row with the user, the connection and the session that a token is for, if it is for one
 */
export const resourceServerObject = (row?: string) => `json_build_object('id', r.id, 'identifier', r.identifier, 'isActive', r.is_active,
  'allowsAutomaticClients', r.allows_automatic_clients,
  'scopes', (select coalesce(json_agg(s ->> 'name'), '[]') from jsonb_array_elements(r.scopes) s),
  'accessTokenLifetime', r.access_token_lifetime, 'accessTokenSigningAlg', r.access_token_signing_alg,
  'includeAuthenticationContext', r.include_authentication_context, 'requireDpop', r.require_dpop, 'claimMappings', r.claim_mappings,
  'claimSources', ${claimSources('r.claim_mappings', ['access_token'], {
    organisation: 'r.organisation_id',
    ...(row !== undefined && { user: `${row}.user_id`, connection: `${row}.connection_id`, session: `${row}.session_id` }),
  })})`

/**
 * The resource servers with the ids in a column, as one value; null without ids, for which nothing is read.
 *
 * @param row the alias of a row with `organisation_id` and `resources`, and with the user, the connection and the session
 */
export const resourceServersOf = (row: string): string => `
  case when ${row}.resources is null then null else (
    select coalesce(json_agg(${resourceServerObject(row)} order by r.id), '[]') from resource_servers r
    where r.organisation_id = ${row}.organisation_id and r.id = any(${row}.resources)
  ) end as "resourceServers"`
