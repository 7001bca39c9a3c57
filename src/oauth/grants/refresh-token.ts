import { isDeepStrictEqual } from 'node:util'
import { decodeJwt } from 'jose/jwt/decode'
import { say } from '../../../shared/checks/said.ts'
import {
  addStoredResponse,
  findRefreshToken,
  findRefreshTokenEarly,
  type RefreshTokenWithSubject,
  rotateRefreshToken,
} from '../../tokens/families.ts'
import { nextRefreshToken } from '../../tokens/issue-tokens.ts'
import { invalidGrant, invalidTarget } from '../protocol/errors.ts'
import { credential, harmless, optional, required } from '../protocol/parameters.ts'
import { narrowResources, scopeLeft } from '../protocol/resources.ts'
import { isWithin, narrowedScope, parseScope } from '../protocol/scope.ts'
import { refreshTokenExample, resource } from '../protocol/shared-parameters.ts'
import { certificateAsKey, confirmationOf, keyOfFamily, requireProofFor } from './bound-tokens.ts'
import { decideRefresh, type RefreshDecision } from './decisions.ts'
import { defineGrant, type GrantDependencies, type Requester } from './grant.ts'
import { claimAndRecord, recordIssue, revokeReused } from './record-issue.ts'
import { organisationNotRunning, refuseInvalidAuthorization } from './subject.ts'
import { issueUserTokens, type TokenResponse } from './token-response.ts'

/**
 * The refresh token grant (RFC 6749 §6): exchanges a token for a new pair of the same family. Presenting an exchanged token
 * again revokes its family, unless the client has a grace period and asks again within it. A client of the FAPI 2.0 profile gets the
 * same token back, whose expiry moves.
 *
 * @throws OAuthError `invalid_grant`, `invalid_scope`, `invalid_target`
 */
export const refreshTokenGrant = defineGrant({
  grantType: 'refresh_token',
  forPublicClients: true,
  parameters: {
    refresh_token: required('the token, which works once; used again, it ends its whole family', refreshTokenExample, credential),
    resource,
    scope: optional('the same or fewer scopes than were granted', 'reports:read', harmless),
  },
  findEarly: (database, credentials, { refreshToken }) =>
    refreshToken === undefined ? undefined : findRefreshTokenEarly(database, credentials, refreshToken),
  async grant(dependencies, requester, parameters, found) {
    const { database, keyring, issuer } = dependencies
    const { client } = requester
    const { refreshToken: presented } = parameters
    const now = database.clock.now()

    const decision = await decide(dependencies, requester, presented, now, found)
    if (decision.kind !== 'rotate') return respondWithoutRotation(dependencies, requester, parameters, decision)

    const { token } = decision
    const { resources, scope } = narrowed(dependencies, requester, parameters, token)
    // FAPI 2.0 §5.3.2.1 no. 9: a client that authenticates by a key, and whose tokens are bound to one, loses nothing by a lost response.
    const successor = client.profile === null ? nextRefreshToken(presented) : presented
    const tokens = await issueUserTokens(issuer, client, token, {
      scope,
      authorizedScope: token.scope,
      resources,
      nonce: null,
      refreshToken: successor,
      cnf: confirmationOf(requester),
      now,
    })
    requester.noteLeftOut(tokens.leftOut)

    const repeatable =
      client.refreshTokenGraceSeconds > 0 && successor !== presented
        ? keyring.encrypt(JSON.stringify({ ...tokens.response, resource: parameters.resource }), presented)
        : undefined
    const { refreshTokenExpiresAt: expiresAt, keptUntil } = tokens
    // RFC 9449 §5: what a public client gets for a proof is bound, also if it began without one.
    const jkt = keyOfFamily(requester)
    const claim = rotateRefreshToken(client.organisationId, presented, successor, { now, expiresAt, keptUntil, jkt, repeatable })
    const user = { id: token.userId, email: token.email, name: token.name }
    if (await claimAndRecord(database, requester, claim, { grantType: 'refresh_token', scope, user })) return tokens.response
    // Another request was first, or the organisation has just been suspended.
    return respondWithoutRotation(dependencies, requester, parameters, await decide(dependencies, requester, presented, now))
  },
})

async function decide(
  { database, oauthExtensions }: GrantDependencies,
  { client, jkt, certificate, noteSignIn }: Requester,
  presented: string,
  now: Date,
  found?: RefreshTokenWithSubject,
): Promise<RefreshDecision<RefreshTokenWithSubject>> {
  const { organisationId, id: clientId, claimMappings, refreshTokenGraceSeconds: graceSeconds, refreshTokenAbsoluteLifetime } = client
  const token = found ?? (await findRefreshToken(database, organisationId, presented, claimMappings))
  noteSignIn(token)
  await addStoredResponse(database, organisationId, presented, token, graceSeconds)
  return decideRefresh(
    token,
    {
      clientId,
      graceSeconds,
      absoluteLifetimeSeconds: refreshTokenAbsoluteLifetime,
      jkt,
      certificate: certificate && certificateAsKey(certificate),
      oauthExtensions,
    },
    now,
  )
}

interface Asked {
  refreshToken: string
  resource: string | undefined
  scope: string | undefined
}

/** What a request gets of an authorization now: the resource servers, and the scope at them. */
function narrowed(
  { oauthExtensions }: GrantDependencies,
  requester: Requester,
  { resource: asked, scope }: Asked,
  token: RefreshTokenWithSubject,
) {
  const { client } = requester
  refuseInvalidAuthorization(client, token, token.familyCreatedAt)
  const resources = narrowResources(token, client, asked, oauthExtensions)
  requireProofFor(resources, requester, oauthExtensions)
  return { resources, scope: narrowedScope(scope, scopeLeft(token, client, resources)) }
}

/** Responds when this request does not rotate the token. */
async function respondWithoutRotation(
  dependencies: GrantDependencies,
  requester: Requester,
  parameters: Asked,
  decision: RefreshDecision<RefreshTokenWithSubject>,
): Promise<TokenResponse> {
  const { database, keyring } = dependencies
  const { refreshToken: presented, resource: asked } = parameters
  switch (decision.kind) {
    case 'refuse':
      throw decision.error
    case 'repeat': {
      // It was earned before, and is refused as a new one would be: a client or an organisation may have been stopped since.
      const granted = narrowed(dependencies, requester, parameters, decision.token)
      const { resource: answered, ...response } = JSON.parse(keyring.decrypt(decision.response, presented))
      if (answered === asked) return repeated(dependencies, requester, decision.token, granted, response)
      // The stored token is for another party than the one that this request would give it to.
      throw invalidTarget('the refresh token was exchanged for another resource', {
        name: 'resource',
        expected: answered ?? say('nothing'),
        received: asked ?? say('nothing'),
      })
    }
    case 'reuse':
      await revokeReused(database, requester, decision.token, 'refresh token used twice')
      throw invalidGrant('the refresh token has been used before', {
        name: 'refresh_token',
        expected: say('a-token-used-once'),
        received: say('used-before', decision.token.createdAt.toISOString()),
        hint: requester.client.refreshTokenGraceSeconds === 0 ? say('grace-for-several-processes') : undefined,
      })
    case 'rotate':
      throw organisationNotRunning()
  }
}

/**
 * The response to a request that is repeated: the stored one, or another access token beside its refresh token if this request gets one
 * that is bound to something else, or has another scope. The family is not bound to the key of a repetition: that would take the token from
 * the first process, which has it already.
 */
async function repeated(
  { database, issuer }: GrantDependencies,
  requester: Requester,
  token: RefreshTokenWithSubject,
  { resources, scope }: ReturnType<typeof narrowed>,
  stored: TokenResponse,
): Promise<TokenResponse> {
  const cnf = confirmationOf(requester)
  if (isDeepStrictEqual(decodeJwt(stored.access_token).cnf, cnf) && hasSameScope(stored.scope ?? '', scope)) return stored
  const now = database.clock.now()
  const { refresh_token: refreshToken } = stored
  const tokens = await issueUserTokens(issuer, requester.client, token, {
    scope,
    authorizedScope: token.scope,
    resources,
    nonce: null,
    refreshToken,
    cnf,
    now,
  })
  requester.noteLeftOut(tokens.leftOut)
  if (requester.client.hasSubscriber) {
    const user = { id: token.userId, email: token.email, name: token.name }
    const issue = { grantType: 'refresh_token', scope, user }
    await database.transaction(requester.client.organisationId, (tenant) => recordIssue(tenant, requester, issue))
  }
  return tokens.response
}

function hasSameScope(stored: string, scope: readonly string[]): boolean {
  const values = parseScope(stored)
  return isWithin(values, scope) && isWithin(scope, values)
}
