import { CompiledQuery } from 'kysely'
import type { Database } from '../../platform/database/database.ts'
import { hashesOfRefreshToken, nextRefreshToken, type TokenSubject } from '../../tokens/issue-tokens.ts'
import { invalidGrant } from '../protocol/errors.ts'
import { type Parameters, requiredParameter } from '../protocol/parameters.ts'
import { type OAuthClient, subjectColumns } from '../protocol/queries.ts'
import { narrowedScope, stillAllowed } from '../protocol/scope.ts'
import { issueUserTokens, type TokenAnswer } from './answer.ts'
import { decideRefresh, type RefreshDecision, type StoredRefreshToken } from './decisions.ts'
import { claimAndRecord, type GrantDependencies, type Requester, revokeReused } from './grant.ts'
import { refuseDeadSubject, type SubjectState } from './subject.ts'

type TokenWithSubject = StoredRefreshToken & TokenSubject & SubjectState

/**
 * The refresh token grant (RFC 6749 §6): exchanges a token for a new pair of the same family. A token that was exchanged
 * before takes its family with it, unless the client has a grace and asks again within it.
 *
 * @throws OAuthError `invalid_grant`, `invalid_scope`
 */
export async function refreshTokenGrant(
  dependencies: GrantDependencies,
  requester: Requester,
  parameters: Parameters,
): Promise<TokenAnswer> {
  const { database, keyring, issuer } = dependencies
  const { client } = requester
  const presented = requiredParameter(parameters, 'refresh_token')
  const now = database.clock.now()

  const decision = await decide(database, client, presented, now)
  if (decision.kind !== 'rotate') return settle(dependencies, requester, presented, decision)

  const { token } = decision
  refuseDeadSubject(client, token, token.familyCreatedAt)
  const scope = narrowedScope(parameters.get('scope'), stillAllowed(token.scope, client.scopes))
  const successor = nextRefreshToken(presented)
  const tokens = await issueUserTokens(issuer, client, token, { scope, nonce: null, refreshToken: successor, now })

  const { selectorHash, secretHash } = hashesOfRefreshToken(presented)
  const repeatable = client.refreshTokenGraceSeconds > 0 ? keyring.encrypt(JSON.stringify(tokens.answer), presented) : undefined
  const values = [client.organisationId, selectorHash, secretHash, hashesOfRefreshToken(successor).secretHash, now]
  const validity = [tokens.refreshTokenExpiresAt, tokens.keptUntil]
  const claim =
    repeatable === undefined
      ? CompiledQuery.raw(rotateToken, [...values, ...validity])
      : CompiledQuery.raw(rotateAndKeep, [...values, ...validity, repeatable])
  const user = { id: token.userId, email: token.email, name: token.name }
  if (await claimAndRecord(database, requester, claim, { grantType: 'refresh_token', scope, user })) return tokens.answer
  // Somebody else was first, a moment ago.
  return settle(dependencies, requester, presented, await decide(database, client, presented, now))
}

async function decide(database: Database, client: OAuthClient, presented: string, now: Date): Promise<RefreshDecision<TokenWithSubject>> {
  const { organisationId, id: clientId, refreshTokenGraceSeconds: graceSeconds, refreshTokenAbsoluteLifetime } = client
  const token = await findRefreshToken(database, organisationId, presented)
  if (token && !token.isLatest && graceSeconds > 0) {
    token.kept = await findAnswer(database, organisationId, token.familyId, presented)
  }
  return decideRefresh(token, { clientId, graceSeconds, absoluteLifetimeSeconds: refreshTokenAbsoluteLifetime }, now)
}

/** Answers everything that is not a rotation by this request. */
async function settle(
  { database, keyring }: GrantDependencies,
  requester: Requester,
  presented: string,
  decision: RefreshDecision<TokenWithSubject>,
): Promise<TokenAnswer> {
  switch (decision.kind) {
    case 'refuse':
      throw decision.error
    case 'repeat':
      return JSON.parse(keyring.decrypt(decision.answer, presented))
    case 'reuse':
      await revokeReused(database, requester, decision.token.familyId, 'refresh token used twice')
      throw invalidGrant('the refresh token has been used before', {
        name: 'refresh_token',
        expected: 'a token that is used once',
        received: `used before; the latest of its family is of ${decision.token.createdAt.toISOString()}, and revoked now`,
      })
    case 'rotate':
      throw new Error('A refresh token that could not be claimed turned out to be unclaimed')
  }
}

const tokenByHashes = `
  select f.id as "familyId", f.refreshed_at as "createdAt", f.refreshable_until as "expiresAt", f.secret_hash = $3 as "isLatest",
    f.client_id as "clientId", f.session_id as "sessionId", f.scope, f.revoked_at as "familyRevokedAt",
    f.created_at as "familyCreatedAt", f.authenticated_at as "authenticatedAt",
    f.authentication_methods as "authenticationMethods", ${subjectColumns}
  from token_families f
  join users u on u.organisation_id = f.organisation_id and u.id = f.user_id
  where f.organisation_id = $1 and f.selector_hash = $2`

/** What is stored of the family of a refresh token, be the token its latest or an earlier one, and of the user as they are now. */
export async function findRefreshToken(database: Database, organisationId: string, token: string): Promise<TokenWithSubject | undefined> {
  const { selectorHash, secretHash } = hashesOfRefreshToken(token)
  const query = CompiledQuery.raw(tokenByHashes, [organisationId, selectorHash, secretHash])
  return (await database.engine.lookUp<TokenWithSubject>(query)).rows[0]
}

type KeptAnswer = NonNullable<StoredRefreshToken['kept']>

const answerByHash = `
  select answer_encrypted as "answerEncrypted", rotated_at as "rotatedAt"
  from refresh_answers where organisation_id = $1 and family_id = $2 and secret_hash = $3`

async function findAnswer(database: Database, organisationId: string, familyId: string, token: string): Promise<KeptAnswer | undefined> {
  const query = CompiledQuery.raw(answerByHash, [organisationId, familyId, hashesOfRefreshToken(token).secretHash])
  return (await database.engine.lookUp<KeptAnswer>(query)).rows[0]
}

// One statement, so that of any number of uses one rotates. No column of an index changes, but for kept_until once a day: then
// no index is written to.
const rotateToken = `
  update token_families set secret_hash = $4, refreshed_at = $5::timestamptz, refreshable_until = $6::timestamptz,
    kept_until = case when kept_until < $7::timestamptz then $7::timestamptz + interval '1 day' else kept_until end
  where organisation_id = $1 and selector_hash = $2 and secret_hash = $3 and revoked_at is null
  returning organisation_id, id`

const rotateAndKeep = `
  with rotated as (${rotateToken})
  insert into refresh_answers (organisation_id, family_id, secret_hash, answer_encrypted, rotated_at)
  select organisation_id, id, $3, $8, $5::timestamptz from rotated returning family_id`
