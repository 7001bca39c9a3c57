import { authenticationContextOf } from '../access/factors.ts'
import { userNotFound } from '../accounts/refusals.ts'
import { evaluateClaims, mappingsFor, withAdded } from '../claims/evaluate.ts'
import { clientNotFound } from '../clients/refusals.ts'
import { describeAccessToken } from '../oauth/endpoints/introspect.ts'
import { OAuthError } from '../oauth/protocol/errors.ts'
import { findClient, type OAuthClient } from '../oauth/protocol/queries.ts'
import { audienceOf, findAskedResources, scopesForResources } from '../oauth/protocol/resources.ts'
import { scopeForUser, scopeForUserAt } from '../oauth/protocol/scope.ts'
import type { ClaimTarget } from '../platform/database/column-types.ts'
import { invalidInput } from '../platform/http/problem.ts'
import { userClaims } from '../tokens/claims.ts'
import { accessTokenClaims, idTokenClaims } from '../tokens/issue-tokens.ts'
import { findSubject } from '../tokens/subject.ts'
import type { AskedClaims, ClaimsPreview } from './claim-schemas.ts'
import { findSources } from './claim-sources.ts'
import type { AuthorizationChecks } from './explain-authorization.ts'
import { wouldBeRefused } from './refusals.ts'

/** Claims that only a sign-in, or the request itself, decides. */
const claimsOfSignIn: ReadonlySet<string> = new Set(['jti', 'sid', 'nonce'])

/**
 * The claims that the tokens of a user would have who signs in now by a password or, with a linked account, by the identity provider used
 * last. It signs and writes nothing.
 *
 * @throws Problem `not-found` for the user or the client; `bad-request` for a scope or a resource that would be refused
 */
export async function previewClaims(
  { database, issuer, oauthExtensions }: AuthorizationChecks,
  organisationId: string,
  clientId: string,
  { userId, scope: asked, resource, claimMappings }: AskedClaims,
): Promise<ClaimsPreview> {
  const [found, subject] = await Promise.all([findClient(database, clientId), findSubject(database, organisationId, userId)])
  if (found?.organisationId !== organisationId) throw clientNotFound()
  if (subject?.userDeletedAt !== null) throw userNotFound()
  const client: OAuthClient = { ...found, claimMappings: claimMappings ?? found.claimMappings }
  // The authorization endpoint does not know the parameter while the extension is off.
  const sent = oauthExtensions.has('resource_indicators') ? resource : undefined
  const resources = await orInvalid('resource', () => findAskedResources(database, client, sent, oauthExtensions))
  const scope = await orInvalid('scope', async () =>
    resources ? scopeForUserAt(scopesForResources(resources, client.scopes), asked) : scopeForUser(asked, client.scopes),
  )

  const now = database.clock.now()
  const signedIn = { ...subject, ...signInAt(now) }
  const ofServers = resources?.asked.map((server) => server.claimMappings) ?? []
  const sources = await findSources(
    database,
    organisationId,
    userId,
    [client.claimMappings, ...ofServers].flatMap((list) => list ?? []),
  )
  const user = { acr: authenticationContextOf(signedIn.authenticationMethods) }
  const addedTo = (target: ClaimTarget) =>
    evaluateClaims(mappingsFor(target, client.claimMappings, seesServers(target) ? ofServers : []), { scope, sources, user }).claims

  const audience = audienceOf(resources, { client, scope, issuer })
  const access = accessTokenClaims(issuer, client, signedIn, scope, now, audience)
  const addedToAccess = addedTo('access_token')
  const isOpenid = scope.includes('openid')
  return {
    idToken: isOpenid
      ? lasting(withAdded(idTokenClaims(issuer, client, signedIn, { scope, nonce: null, now }), addedTo('id_token')))
      : null,
    accessToken: lasting(withAdded(access, addedToAccess)),
    userInfo: isOpenid ? withAdded({ sub: userId, ...userClaims(signedIn, scope) }, addedTo('userinfo')) : null,
    introspection: lasting(withAdded(describeAccessToken(access, signedIn, issuer), { ...addedTo('introspection'), ...addedToAccess })),
  }
}

const seesServers = (target: ClaimTarget) => target === 'access_token' || target === 'introspection'

const signInAt = (now: Date) => ({
  familyId: '',
  sessionId: '',
  authenticatedAt: now,
  authenticationMethods: ['pwd'],
  federatedUntil: null,
  consentedUntil: null,
  authenticationContext: null,
})

/** @throws Problem `bad-request` that names the field for what the protocol would refuse */
async function orInvalid<T>(field: 'scope' | 'resource', check: () => Promise<T>): Promise<T> {
  try {
    return await check()
  } catch (error) {
    if (error instanceof OAuthError) throw invalidInput([wouldBeRefused([field], error.description)])
    throw error
  }
}

const lasting = (claims: object) => Object.fromEntries(Object.entries(claims).filter(([name]) => !claimsOfSignIn.has(name)))
