import { say } from '../../../shared/checks/said.ts'
import type { Database } from '../../platform/database/database.ts'
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
import { narrowResources, scopeOfResources } from '../protocol/resources.ts'
import { narrowedScope, stillAllowed } from '../protocol/scope.ts'
import { refreshTokenExample, resource } from '../protocol/shared-parameters.ts'
import { certificateAsKey, confirmationOf, keyOfFamily, requireProofFor } from './bound-tokens.ts'
import { decideRefresh, type RefreshDecision } from './decisions.ts'
import { defineGrant, type GrantDependencies, type Requester } from './grant.ts'
import { claimAndRecord, revokeReused } from './record-issue.ts'
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
    const { database, keyring, issuer, oauthExtensions } = dependencies
    const { client } = requester
    const { refreshToken: presented } = parameters
    const now = database.clock.now()

    const decision = await decide(database, requester, presented, now, found)
    if (decision.kind !== 'rotate') return respondWithoutRotation(dependencies, requester, parameters, decision)

    const { token } = decision
    refuseInvalidAuthorization(client, token, token.familyCreatedAt)
    const resources = narrowResources(token, client, parameters.resource, oauthExtensions)
    requireProofFor(resources, requester, oauthExtensions)
    const allowed = stillAllowed(token.scope, client.scopes)
    const scope = narrowedScope(parameters.scope, resources ? scopeOfResources(allowed, resources) : allowed)
    // FAPI 2.0 §5.3.2.1 no. 9: a client that authenticates by a key, and whose tokens are bound to one, loses nothing by a lost response.
    const successor = client.profile === null ? nextRefreshToken(presented) : presented
    const tokens = await issueUserTokens(issuer, client, token, {
      scope,
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
    return respondWithoutRotation(dependencies, requester, parameters, await decide(database, requester, presented, now))
  },
})

async function decide(
  database: Database,
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
    },
    now,
  )
}

/** Responds when this request does not rotate the token. */
async function respondWithoutRotation(
  { database, keyring }: GrantDependencies,
  requester: Requester,
  { refreshToken: presented, resource: asked }: { refreshToken: string; resource: string | undefined },
  decision: RefreshDecision<RefreshTokenWithSubject>,
): Promise<TokenResponse> {
  switch (decision.kind) {
    case 'refuse':
      throw decision.error
    case 'repeat': {
      // It was earned before, and is refused as a new one would be: a client or an organisation may have been stopped since.
      refuseInvalidAuthorization(requester.client, decision.token, decision.token.familyCreatedAt)
      const { resource: answered, ...response } = JSON.parse(keyring.decrypt(decision.response, presented))
      if (answered === asked) return response
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
