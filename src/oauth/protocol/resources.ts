/** The resource servers that a token is for: RFC 8707, and the contract's rules for scopes. The decisions are pure. */
import { say } from '../../../shared/checks/said.ts'
import type { OAuthExtensions } from '../../clients/extensions.ts'
import type { ResourceScopes } from '../../platform/database/column-types.ts'
import type { Database } from '../../platform/database/database.ts'
import { statement } from '../../platform/database/statement.ts'
import type { TokenAudience } from '../../tokens/issue-tokens.ts'
import { type AuthorizedResources, type ResourceServer, resourceServerObject } from '../../tokens/resource-servers.ts'
import { resourceIdentifierOf } from '../../tokens/rules.ts'
import { invalidTarget } from './errors.ts'
import { valuesOf } from './parameters.ts'
import { automaticAccessTokenSecondsMax, type OAuthClient } from './queries.ts'
import { isOfOpenid, stillAllowed } from './scope.ts'

/** A resource server that a request is for, with the scopes of the request that it defines. */
export interface GrantedResource {
  id: string
  scopes: string[]
}

type Client = Pick<OAuthClient, 'resourceServerIds' | 'id' | 'clientId'>

const isOffered = (extensions: OAuthExtensions) => extensions.has('resource_indicators')

/** Of an automatic client the client_id is not the id of its row. */
const isAutomatic = ({ id, clientId }: Pick<Client, 'id' | 'clientId'>) => clientId !== id

interface Asked {
  organisationId: string
  identifiers: readonly string[]
  /** The custom scopes of the client. */
  scopes: readonly string[]
}

const askedAndNamed = statement<Asked, { servers: ResourceServer[] }>(`
  select coalesce(json_agg(${resourceServerObject()} order by r.id), '[]') as servers from resource_servers r
  where r.organisation_id = :organisationId and (
    r.identifier = any(:identifiers::text[])
    or exists (select from jsonb_array_elements(r.scopes) s where s ->> 'name' = any(:scopes::text[])))`)

/** The resource servers that a request asks for, and those that define scopes of the client. */
export interface AskedResources {
  asked: readonly ResourceServer[]
  known: readonly ResourceServer[]
}

/**
 * Finds what a request of a client is for: the resource servers that it names or, if it names none, the client's default. Undefined when
 * it is for none; then nothing is read.
 *
 * @throws OAuthError `invalid_target`
 */
export async function findAskedResources(
  database: Database,
  client: OAuthClient,
  resource: string | undefined,
  extensions: OAuthExtensions,
): Promise<AskedResources | undefined> {
  const sent = valuesOf(resource)
  const named = sent.length > 0 ? sent : client.defaultResource === null ? [] : [client.defaultResource]
  return named.length === 0 ? undefined : findNamedResources(database, client, named, extensions)
}

/**
 * Finds the resource servers with these identifiers.
 *
 * @throws OAuthError `invalid_target`
 */
export async function findNamedResources(
  database: Database,
  client: OAuthClient,
  named: readonly string[],
  extensions: OAuthExtensions,
): Promise<AskedResources> {
  requireExtension(extensions)
  const identifiers = identifiersOf(named)
  const { organisationId, scopes } = client
  const { servers: known = [] } = (await database.pointRead(askedAndNamed, { organisationId, identifiers, scopes })) ?? {}
  return { asked: decideAsked(client, identifiers, known), known }
}

/**
 * The resource servers with these identifiers, each of which has to be active and allowed to the client. What is unknown, inactive and not
 * allowed is refused alike.
 *
 * @throws OAuthError `invalid_target`
 */
function decideAsked(client: Client, identifiers: readonly string[], known: readonly ResourceServer[]): ResourceServer[] {
  const usable = known.filter((server) => mayAskFor(client, server))
  return identifiers.map((identifier) => {
    const server = usable.find((one) => one.identifier === identifier)
    if (!server) throw unusable(identifier, usable)
    return server
  })
}

const mayAskFor = (client: Client, { id, isActive, allowsAutomaticClients }: ResourceServer) =>
  isActive && (client.resourceServerIds?.includes(id) ?? false) && (allowsAutomaticClients || !isAutomatic(client))

/** @throws OAuthError `invalid_target` for what cannot be the identifier of a resource server */
export function identifiersOf(values: readonly string[]): string[] {
  const identifiers = values.map((value) => {
    const identifier = resourceIdentifierOf(value)
    if (identifier !== undefined) return identifier
    throw invalidTarget('the resource must be an absolute URI without a fragment', {
      name: 'resource',
      expected: say('an-absolute-uri'),
      received: value,
    })
  })
  return [...new Set(identifiers)]
}

/** Whether anything is left of what was authorized: if not, {@link narrowResources} refuses whatever is asked for. */
export const isAnyResourceLeft = (
  { resources, resourceServers }: Pick<AuthorizedResources, 'resources' | 'resourceServers'>,
  client: Client,
  extensions: OAuthExtensions,
): boolean => resources === null || (isOffered(extensions) && (resourceServers?.some((server) => mayAskFor(client, server)) ?? false))

/**
 * Narrows what was authorized to what a token request asks for: all that is still usable, or those that it names.
 *
 * @returns undefined when no resource server was authorized: the token is for the client itself
 * @throws OAuthError `invalid_target`
 */
export function narrowResources(
  { resources, resourceServers }: Pick<AuthorizedResources, 'resources' | 'resourceServers'>,
  client: Client,
  resource: string | undefined,
  extensions: OAuthExtensions,
): AskedResources | undefined {
  const named = valuesOf(resource)
  if (resources === null) {
    if (named.length > 0) throw unusable(named[0] as string, [])
    return undefined
  }
  requireExtension(extensions)
  const known = resourceServers ?? []
  if (named.length > 0) return { asked: decideAsked(client, identifiersOf(named), known), known }
  const asked = known.filter((server) => mayAskFor(client, server))
  if (asked.length > 0) return { asked, known }
  throw invalidTarget('no resource of the authorization may be used any more', {
    name: 'resource',
    expected: say('an-active-resource-server-of-the-client'),
    received: say('none'),
  })
}

const authorizedById = statement<{ organisationId: string; ids: readonly string[] }, { resourceServers: ResourceServer[] }>(`
  select coalesce(json_agg(${resourceServerObject()} order by r.id), '[]') as "resourceServers" from resource_servers r
  where r.organisation_id = :organisationId and r.id = any(:ids::text[])`)

/**
 * Refuses a stored request once one of its resource servers may not be asked for any more: a user would allow it in vain.
 *
 * @throws OAuthError `invalid_target`
 */
export async function requireStoredResources(
  database: Database,
  client: OAuthClient,
  resources: readonly GrantedResource[] | undefined,
  extensions: OAuthExtensions,
): Promise<void> {
  if (resources === undefined) return
  requireExtension(extensions)
  const ids = resources.map(({ id }) => id)
  const { resourceServers = [] } = (await database.pointRead(authorizedById, { organisationId: client.organisationId, ids })) ?? {}
  requireEveryResource({ resources: ids, resourceServers }, client)
}

/**
 * Refuses what is not decided yet, once one of its resource servers is inactive, deleted or not allowed to the client any more.
 *
 * @throws OAuthError `invalid_target`
 */
export function requireEveryResource(
  { resources, resourceServers }: Pick<AuthorizedResources, 'resources' | 'resourceServers'>,
  client: Client,
): void {
  const usable = resourceServers?.filter((server) => mayAskFor(client, server)) ?? []
  const lost = resources?.find((id) => !usable.some((server) => server.id === id))
  if (lost !== undefined) throw unusable(resourceServers?.find(({ id }) => id === lost)?.identifier ?? lost, usable)
}

/** What the client may have of a request for these resource servers: their scopes as far as it has them, and those that none defines. */
export function scopesForResources({ asked, known }: AskedResources, custom: readonly string[]): { ofResources: string[]; own: string[] } {
  return {
    ofResources: custom.filter((scope) => asked.some(({ scopes }) => scopes.includes(scope))),
    own: custom.filter((scope) => !known.some(({ scopes }) => scopes.includes(scope))),
  }
}

/**
 * The part of a granted scope that is for these resource servers: what was authorized there and is still defined there, and what was of none.
 * A scope whose resource server is gone, or does not define it any more, becomes no scope of the client itself, nor one of another that begins
 * to define it.
 */
function scopeOfResources(
  granted: readonly string[],
  { asked, known }: AskedResources,
  { resourceScopes }: Pick<AuthorizedResources, 'resourceScopes'>,
  client: Pick<Client, 'id' | 'clientId'>,
): string[] {
  const authorized = resourceScopes && Object.values(resourceScopes)
  const isAuthorizedAt = (id: string, scope: string) => resourceScopes === null || (resourceScopes[id]?.includes(scope) ?? false)
  // All scopes of an automatic client are of resource servers, but for those of OpenID Connect.
  const hasOwn = !isAutomatic(client)
  const isOwn = (scope: string) =>
    isOfOpenid(scope) ||
    (hasOwn && !known.some(({ scopes }) => scopes.includes(scope)) && !authorized?.some((scopes) => scopes.includes(scope)))
  return granted.filter((scope) => asked.some(({ id, scopes }) => scopes.includes(scope) && isAuthorizedAt(id, scope)) || isOwn(scope))
}

/** The scope that is left of an authorization, for these of its resource servers, or for the client alone if it names none. */
export function scopeLeft(
  authorized: Pick<AuthorizedResources, 'resourceScopes'> & { scope: readonly string[] },
  client: Pick<Client, 'id' | 'clientId'> & { scopes: readonly string[] },
  resources: AskedResources | undefined,
): readonly string[] {
  const allowed = stillAllowed(authorized.scope, client.scopes)
  return resources ? scopeOfResources(allowed, resources, authorized, client) : allowed
}

/** What was authorized, as it is stored with a code; null without resource servers. */
export const resourceScopesOf = (resources: readonly GrantedResource[] | undefined): ResourceScopes | null =>
  resources?.length ? Object.fromEntries(resources.map(({ id, scopes }) => [id, scopes])) : null

/** Which scopes of a request each resource server defines. */
export const grantedResources = ({ asked }: Pick<AskedResources, 'asked'>, scope: readonly string[]): GrantedResource[] =>
  asked.map(({ id, scopes }) => ({ id, scopes: scope.filter((value) => scopes.includes(value)) }))

/** The scopes of a request that are of no resource server. */
export const ownScopes = (scope: readonly string[], resources: readonly GrantedResource[]): string[] =>
  scope.filter((value) => !resources.some(({ scopes }) => scopes.includes(value)))

/**
 * For whom an access token is: the resource servers, and this server itself when the scope opens UserInfo. The token suits each of them:
 * it lives as long as the shortest says, and is signed by RS256, which every resource server has to support (RFC 9068 §4), if one asks for it.
 */
export function audienceOf(
  resources: AskedResources | undefined,
  {
    client,
    scope,
    issuer,
  }: { client: Pick<OAuthClient, 'accessTokenLifetime' | 'origin' | 'profile'>; scope: readonly string[]; issuer: string },
): TokenAudience | undefined {
  if (!resources) return undefined
  const { asked } = resources
  return {
    identifiers: [...asked.map(({ identifier }) => identifier), ...(scope.includes('openid') ? [issuer] : [])],
    lifetimeSeconds: Math.min(
      ...asked.map(({ accessTokenLifetime }) => accessTokenLifetime ?? client.accessTokenLifetime),
      ...(client.origin === 'admin' ? [] : [automaticAccessTokenSecondsMax]),
    ),
    // FAPI 2.0 §5.4.1 no. 2 has no RS256, whatever the API prefers.
    signingAlg: client.profile === null && asked.some(({ accessTokenSigningAlg }) => accessTokenSigningAlg === 'RS256') ? 'RS256' : 'EdDSA',
    includesAuthentication: asked.some(({ includeAuthenticationContext }) => includeAuthenticationContext),
  }
}

/**
 * What depends on an extension that the operator has switched off gets no token: without its audience it would be for another party.
 *
 * @throws OAuthError `invalid_target`
 */
function requireExtension(extensions: OAuthExtensions): void {
  if (isOffered(extensions)) return
  throw invalidTarget('tokens for resource servers are switched off', {
    name: 'resource',
    expected: 'OAUTH_EXTENSIONS=resource_indicators',
    received: say('nothing'),
  })
}

const unusable = (identifier: string, usable: readonly ResourceServer[]) =>
  invalidTarget('the resource is unknown, inactive or not allowed to the client', {
    name: 'resource',
    expected: usable.length > 0 ? usable.map((server) => server.identifier) : say('an-active-resource-server-of-the-client'),
    received: identifier,
  })
