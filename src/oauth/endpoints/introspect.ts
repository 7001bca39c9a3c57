/** POST /oauth2/introspect (RFC 7662). */
import type { OAuthExtensions } from '../../clients/extensions.ts'
import type { Database } from '../../platform/database/database.ts'
import { statement } from '../../platform/database/statement.ts'
import { type AccessTokenClaims, type AccessTokens, resourcesOf } from '../../tokens/access-tokens.ts'
import { findRefreshToken, type RefreshTokenWithSubject } from '../../tokens/families.ts'
import { isRefreshToken, type TokenIssuer } from '../../tokens/issue-tokens.ts'
import { refreshableUntil } from '../../tokens/rules.ts'
import { decideRefresh } from '../grants/decisions.ts'
import { refreshTokenGrant } from '../grants/refresh-token.ts'
import { whyAuthorizationInvalid } from '../grants/subject.ts'
import { invalidClient } from '../protocol/errors.ts'
import { findClient, type OAuthClient } from '../protocol/queries.ts'
import { isAnyResourceLeft, narrowResources, scopeLeft } from '../protocol/resources.ts'
import { parseScope } from '../protocol/scope.ts'
import { addedToResponse } from './mapped-claims.ts'
import { type IntrospectionParameters, introspectionParameters } from './parameters.ts'

export interface IntrospectionDependencies {
  database: Database
  accessTokens: AccessTokens
  issuer: TokenIssuer
  oauthExtensions: OAuthExtensions
  /** Remembers claims that would have made the response too large, for a diagnosis. */
  noteLeftOut(claims: readonly string[]): void
}

/** The same response for inactive, foreign and malformed tokens (RFC 7662 §2.2). */
const inactive = { active: false } as const

/**
 * Describes a token to a confidential client of the token's organisation. Any program can claim to be a public client, and could then
 * try tokens out.
 */
export async function introspectToken(dependencies: IntrospectionDependencies, client: OAuthClient, parameters: IntrospectionParameters) {
  if (client.clientType === 'public') {
    throw invalidClient('introspection is for confidential clients', {
      name: 'client_type',
      expected: 'confidential',
      received: 'public',
    })
  }
  const { token } = introspectionParameters.complete(parameters)
  return isRefreshToken(token) ? introspectRefreshToken(dependencies, client, token) : introspectAccessToken(dependencies, client, token)
}

async function introspectAccessToken(
  { database, accessTokens, issuer, noteLeftOut }: IntrospectionDependencies,
  client: OAuthClient,
  token: string,
) {
  const checked = await accessTokens.check(token)
  if (checked.kind !== 'active' || checked.claims.org !== client.organisationId) return inactive
  const { claims, user } = checked
  if (!(await maySee(database, client, claims.client_id, resourcesOf(claims, issuer.issuer)))) return inactive
  const added = addedToResponse('introspection', checked, parseScope(claims.scope))
  if (added) noteLeftOut(added.tooLarge)
  const shown = describeAccessToken(claims, user, issuer.issuer)
  // What the token holds is what its resource server has seen.
  return added || checked.added ? { ...added?.claims, ...checked.added, ...shown } : shown
}

/** An active access token, without what mappings add. */
export function describeAccessToken(claims: AccessTokenClaims, user: { email: string } | undefined, issuer: string) {
  return {
    active: true,
    token_type: claims.cnf?.jkt === undefined ? 'Bearer' : 'DPoP',
    ...(claims.scope !== '' && { scope: claims.scope }),
    client_id: claims.client_id,
    ...(user && { username: user.email }),
    exp: claims.exp,
    iat: claims.iat,
    sub: claims.sub,
    aud: claims.aud,
    iss: issuer,
    jti: claims.jti,
    ...(claims.acr !== undefined && { acr: claims.acr, amr: claims.amr, auth_time: claims.auth_time }),
    ...(claims.cnf && { cnf: claims.cnf }),
  }
}

/**
 * A token for resource servers is shown to the client that it was issued to, and to those that introspect for one of them.
 *
 * @param owner the client_id of the former
 * @param identifiers of the resource servers; null for none
 */
async function maySee(database: Database, client: OAuthClient, owner: string, identifiers: readonly string[] | null): Promise<boolean> {
  if (identifiers === null || owner === client.clientId) return true
  const { organisationId, id: clientId } = client
  return (await database.pointRead(introspectedBy, { organisationId, clientId, identifiers })) !== undefined
}

const introspectedBy = statement<{ organisationId: string; clientId: string; identifiers: readonly string[] }, { id: string }>(`
  select id from resource_servers
  where organisation_id = :organisationId and identifier = any(:identifiers::text[]) and :clientId = any(introspection_client_ids) limit 1`)

async function introspectRefreshToken(
  { database, issuer, oauthExtensions }: IntrospectionDependencies,
  client: OAuthClient,
  token: string,
) {
  const found = await findRefreshToken(database, client.organisationId, token)
  if (!found) return inactive
  const owner = found.clientId === client.id ? client : await findClient(database, found.clientId)
  if (!owner || !isRefreshable(found, owner, oauthExtensions, database.clock.now())) return inactive
  const resources = narrowResources(found, owner, undefined, oauthExtensions)
  const identifiers = resources?.asked.map(({ identifier }) => identifier) ?? null
  if (!(await maySee(database, client, owner.clientId, identifiers))) return inactive
  const expiresAt = refreshableUntil(found, owner.refreshTokenAbsoluteLifetime)
  return {
    active: true,
    token_type: 'refresh_token',
    scope: scopeLeft(found, owner, resources).join(' '),
    client_id: owner.clientId,
    username: found.email,
    exp: Math.floor(expiresAt.getTime() / 1_000),
    iat: Math.floor(found.createdAt.getTime() / 1_000),
    sub: found.userId,
    aud: owner.clientId,
    iss: issuer.issuer,
  }
}

/** Whether the grant would exchange the token now, by its own decisions: what it refuses is not active (RFC 7662 §2.2). */
function isRefreshable(token: RefreshTokenWithSubject, owner: OAuthClient, oauthExtensions: OAuthExtensions, now: Date): boolean {
  const { id: clientId, refreshTokenAbsoluteLifetime: absoluteLifetimeSeconds } = owner
  // As its client presents it, which holds the key that it is bound to. One that is only repeated within a grace is used up.
  const asked = { clientId, absoluteLifetimeSeconds, graceSeconds: 0, jkt: token.jkt ?? undefined, oauthExtensions }
  return (
    owner.grantTypes.includes(refreshTokenGrant.grantType) &&
    decideRefresh(token, asked, now).kind === 'rotate' &&
    whyAuthorizationInvalid(owner, token, token.familyCreatedAt) === undefined &&
    isAnyResourceLeft(token, owner, oauthExtensions)
  )
}
