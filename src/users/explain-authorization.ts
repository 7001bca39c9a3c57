import { englishOf } from '../../shared/checks/said.ts'
import { userNotFound } from '../accounts/refusals.ts'
import { withAdded } from '../claims/evaluate.ts'
import type { OAuthExtensions } from '../clients/extensions.ts'
import { clientNotFound } from '../clients/refusals.ts'
import { requireCodeGrant } from '../oauth/authorization/authorization-request.ts'
import { findConsented } from '../oauth/authorization/consents.ts'
import { decideNextStep } from '../oauth/authorization/next-step.ts'
import { requireActive } from '../oauth/authorization/prove-target.ts'
import { addedToAccessToken, addedToIdToken } from '../oauth/grants/added-claims.ts'
import { refuseInvalidAuthorization } from '../oauth/grants/subject.ts'
import { earnsRefreshToken } from '../oauth/grants/token-response.ts'
import { AuthorizationPageError, OAuthError } from '../oauth/protocol/errors.ts'
import { findClient, type OAuthClient } from '../oauth/protocol/queries.ts'
import { type AskedResources, audienceOf, findAskedResources, grantedResources, scopesForResources } from '../oauth/protocol/resources.ts'
import { parseScope, scopeForUser, scopeForUserAt, stillAllowed } from '../oauth/protocol/scope.ts'
import type { Database } from '../platform/database/database.ts'
import { accessTokenClaims, idTokenClaims, type TokenSubject } from '../tokens/issue-tokens.ts'
import { findSubject, type SubjectState } from '../tokens/subject.ts'
import type { AskedAuthorization, AuthorizationCheck, AuthorizationRefusal } from './authorization-schemas.ts'
import { findSources } from './claim-sources.ts'
import { listPermissionsOf, type SignInDemands } from './explain-permissions.ts'

export interface AuthorizationChecks {
  database: Database
  /** The `iss` of tokens. */
  issuer: string
  oauthExtensions: OAuthExtensions
}

/** Claims that only a sign-in, or the request itself, decides. */
const claimsOfSignIn: ReadonlySet<string> = new Set(['jti', 'sid', 'nonce', 'acr', 'amr', 'auth_time'])

/**
 * The tokens that a client would get for a user who signs in now, and each check that would refuse, by the functions of authorization and
 * token requests. It issues and writes nothing.
 *
 * @throws Problem `not-found` for the user or the client
 */
export async function checkAuthorization(
  { database, issuer, oauthExtensions }: AuthorizationChecks,
  organisationId: string,
  { userId, clientId, scope: asked, resource }: AskedAuthorization,
  demands: SignInDemands,
): Promise<AuthorizationCheck> {
  const [found, subject] = await Promise.all([findClient(database, clientId), findSubject(database, organisationId, userId)])
  const client = found?.organisationId === organisationId ? found : undefined
  const user = subject?.userDeletedAt === null ? subject : undefined
  if (!user) throw userNotFound()
  if (!client) throw clientNotFound()
  const tenant = database.tenant(organisationId)
  // The authorization endpoint does not know the parameter while the extension is off.
  const sent = oauthExtensions.has('resource_indicators') ? resource : undefined
  const [{ blockedBy }, resources] = await Promise.all([
    listPermissionsOf(tenant, userId, demands),
    findAskedResources(database, client, sent, oauthExtensions).catch(asRefusal),
  ])
  const usable = resources instanceof OAuthError ? undefined : resources
  const { now } = tenant
  const signedIn = { ...user, ...signInAt(now) }
  const { refusals, scope, asksConsent } = await decide({ database, client, user: signedIn, asked, resources, now })
  const issues = refusals.length === 0
  const audience = audienceOf(usable, { client, scope, issuer })
  const mappings = [client.claimMappings, ...(usable?.asked.map((server) => server.claimMappings) ?? [])].flatMap((list) => list ?? [])
  const mapped = { ...signedIn, claimSources: await findSources(database, organisationId, userId, mappings) }
  return {
    userId,
    clientId,
    allowed: issues && blockedBy.length === 0,
    scope: issues ? [...scope] : [],
    asksConsent: issues && asksConsent,
    accessToken: issues
      ? lasting(
          withAdded(
            accessTokenClaims(issuer, client, signedIn, scope, now, audience),
            addedToAccessToken(client, mapped, scope, usable)?.claims,
          ),
        )
      : null,
    idToken:
      issues && scope.includes('openid')
        ? lasting(
            withAdded(idTokenClaims(issuer, client, signedIn, { scope, nonce: null, now }), addedToIdToken(client, mapped, scope)?.claims),
          )
        : null,
    refreshToken: issues && earnsRefreshToken(client, scope, signedIn, now),
    refusals,
    blockedBy,
    ignored: resource === sent ? [] : ['resource'],
  }
}

/** A sign-in at this moment, which no connection bounds. */
const signInAt = (now: Date) => ({
  familyId: '',
  sessionId: '',
  authenticatedAt: now,
  authenticationMethods: [],
  federatedUntil: null,
  consentedUntil: null,
  // A user who has not agreed to it is asked.
  allowsRefresh: null,
  authenticationContext: null,
})

/** The results of the authorization request and of the token request, with all refusals, not only the first. */
async function decide({
  database,
  client,
  user,
  asked,
  resources,
  now,
}: {
  database: Database
  client: OAuthClient
  user: TokenSubject & SubjectState
  asked: string | undefined
  resources: AskedResources | OAuthError | undefined
  now: Date
}) {
  const refusals: AuthorizationRefusal[] = []
  const tried = <T>(endpoint: AuthorizationRefusal['endpoint'], check: () => T): T | undefined => {
    try {
      return check()
    } catch (error) {
      refusals.push(refusalOf(endpoint, error))
      return undefined
    }
  }
  tried('authorize', () => requireActive(client, client.id))
  tried('authorize', () => requireCodeGrant(client))
  if (resources instanceof OAuthError) refusals.push(refusalOf('authorize', resources))
  const at = resources instanceof OAuthError ? undefined : resources
  const scopes = at && scopesForResources(at, client.scopes)
  // Check them one by one: a request is refused for the first of them.
  const values = asked === undefined ? [undefined] : parseScope(asked)
  const scope = stillAllowed(
    values.flatMap(
      (value) => tried('authorize', () => (scopes ? scopeForUserAt(scopes, value) : scopeForUser(value, client.scopes))) ?? [],
    ),
    client.scopes,
  )
  const granted = at && grantedResources(at, scope)
  const consented = client.requireConsent ? await findConsented(database, client, user.userId, granted) : undefined
  const step = decideNextStep({
    request: { scope: [...scope], resources: granted, prompt: [], maxAgeSeconds: undefined, levels: undefined, expectedSubject: undefined },
    client,
    browserSession: {
      userId: user.userId,
      organisationId: client.organisationId,
      startedAt: user.authenticatedAt,
      signInProvenAt: user.authenticatedAt,
      awaitsMfaEnrolment: false,
    },
    assurance: undefined,
    pendingSince: undefined,
    canProve: false,
    decision: undefined,
    consented,
    now,
  })
  if (step.kind === 'refuse') refusals.push(refusalOf('authorize', step.error))
  tried('token', () => refuseInvalidAuthorization(client, user, now))
  return { refusals, scope, asksConsent: step.kind === 'consent' }
}

/** A refusal of the protocol as a value. */
function asRefusal(error: unknown): OAuthError {
  if (error instanceof OAuthError) return error
  throw error
}

function refusalOf(endpoint: AuthorizationRefusal['endpoint'], error: unknown): AuthorizationRefusal {
  if (error instanceof OAuthError) {
    const { name, expected = null, received = null } = error.check
    return {
      endpoint,
      error: error.code,
      description: error.description,
      check: name,
      expected: englishOf(expected),
      received: englishOf(received),
    }
  }
  if (error instanceof AuthorizationPageError) {
    const { name, expected = null, received = null } = error.check
    return {
      endpoint,
      error: 'invalid_request',
      description: error.detail,
      check: name,
      expected: englishOf(expected),
      received: englishOf(received),
    }
  }
  throw error
}

const lasting = (claims: object) => Object.fromEntries(Object.entries(claims).filter(([name]) => !claimsOfSignIn.has(name)))
