import { CompiledQuery } from 'kysely'
import { hashSecret } from '../../platform/crypto/secrets.ts'
import type { Database } from '../../platform/database/database.ts'
import type { TokenSubject } from '../../tokens/issue-tokens.ts'
import { invalidGrant } from '../errors.ts'
import { type Parameters, requiredParameter } from '../parameters.ts'
import { subjectColumns } from '../queries.ts'
import { narrowedScope } from '../scope.ts'
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
  const presentedHash = hashSecret(requiredParameter(parameters, 'refresh_token'))
  const now = database.clock.now()

  const decide = async () =>
    decideRefresh(
      await findRefreshToken(database, client.organisationId, presentedHash),
      { clientId: client.id, graceSeconds: client.refreshTokenGraceSeconds },
      now,
    )
  const decision = await decide()
  if (decision.kind !== 'rotate') return settle(dependencies, requester, presentedHash, decision)

  const { token } = decision
  refuseDeadSubject(client, token, token.familyCreatedAt)
  const scope = narrowedScope(parameters.get('scope'), token.scope)
  const tokens = await issueUserTokens(issuer, client, token, { scope, nonce: null, withRefreshToken: true, now })

  const repeatable = client.refreshTokenGraceSeconds > 0 ? keyring.encrypt(JSON.stringify(tokens.answer), presentedHash) : null
  const successorHash = hashSecret(tokens.refreshToken ?? '')
  const { refreshTokenExpiresAt, keptUntil } = tokens
  const claim = CompiledQuery.raw(rotateToken, [
    client.organisationId,
    presentedHash,
    now,
    repeatable,
    successorHash,
    refreshTokenExpiresAt,
    keptUntil,
  ])
  const user = { id: token.userId, email: token.email, name: token.name }
  if (await claimAndRecord(database, requester, claim, { grantType: 'refresh_token', scope, user })) return tokens.answer
  // Somebody else was first, a moment ago.
  return settle(dependencies, requester, presentedHash, await decide())
}

/** Answers everything that is not a rotation by this request. */
async function settle(
  { database, keyring }: GrantDependencies,
  requester: Requester,
  presentedHash: string,
  decision: RefreshDecision<TokenWithSubject>,
): Promise<TokenAnswer> {
  switch (decision.kind) {
    case 'refuse':
      throw decision.error
    case 'repeat':
      return JSON.parse(keyring.decrypt(decision.answer, presentedHash))
    case 'reuse':
      await revokeReused(database, requester, decision.token.familyId, 'refresh token used twice')
      throw invalidGrant('the refresh token has been used before', {
        name: 'refresh_token',
        expected: 'a token that is used once',
        received: `used before, at ${decision.token.rotatedAt?.toISOString()}; its family is revoked now`,
      })
    case 'rotate':
      throw new Error('A refresh token that could not be claimed turned out to be unclaimed')
  }
}

const tokenByHash = `
  select r.family_id as "familyId", r.created_at as "createdAt", r.expires_at as "expiresAt", r.rotated_at as "rotatedAt",
    r.answer_encrypted as "answerEncrypted",
    f.client_id as "clientId", f.session_id as "sessionId", f.scope, f.revoked_at as "familyRevokedAt",
    f.created_at as "familyCreatedAt", f.authenticated_at as "authenticatedAt",
    f.authentication_methods as "authenticationMethods", ${subjectColumns}
  from refresh_tokens r
  join token_families f on f.organisation_id = r.organisation_id and f.id = r.family_id
  join users u on u.organisation_id = f.organisation_id and u.id = f.user_id
  where r.organisation_id = $1 and r.token_hash = $2`

/** A refresh token with its family and the user as they are now. */
export async function findRefreshToken(
  database: Database,
  organisationId: string,
  tokenHash: string,
): Promise<TokenWithSubject | undefined> {
  const { rows } = await database.engine.lookUp<TokenWithSubject>(CompiledQuery.raw(tokenByHash, [organisationId, tokenHash]))
  return rows[0]
}

// One statement, so that of any number of uses one rotates. A family that is revoked meanwhile kills what it adds.
const rotateToken = `
  with rotated as (
    update refresh_tokens set rotated_at = $3::timestamptz, answer_encrypted = $4
    where organisation_id = $1 and token_hash = $2 and rotated_at is null
    returning organisation_id, family_id
  ), successor as (
    insert into refresh_tokens (organisation_id, token_hash, family_id, created_at, expires_at, kept_until)
    select organisation_id, $5::text, family_id, $3::timestamptz, $6::timestamptz, $7::timestamptz from rotated
  )
  select family_id from rotated`
