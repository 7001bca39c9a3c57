/** What a client presents to say for whom it asks for an identity assertion: an ID token of ours, or its refresh token. */
import { say } from '../../../shared/checks/said.ts'
import { authenticationContextOf } from '../../access/factors.ts'
import { isActiveSession } from '../../access/session-expiry.ts'
import type { Tenant } from '../../platform/database/database.ts'
import { statement } from '../../platform/database/statement.ts'
import { addStoredResponse, findRefreshToken } from '../../tokens/families.ts'
import { verifyJwt } from '../../tokens/jwt.ts'
import { signingAlgorithms } from '../../tokens/rules.ts'
import { invalidRequest } from '../protocol/errors.ts'
import { decideRefresh } from './decisions.ts'
import type { GrantDependencies, Requester } from './grant.ts'
import { revokeReused } from './record-issue.ts'

export const idTokenType = 'urn:ietf:params:oauth:token-type:id_token'
export const refreshTokenType = 'urn:ietf:params:oauth:token-type:refresh_token'
const subjectTokenTypes: readonly string[] = [idTokenType, refreshTokenType]

/** A user, the way they signed in, and what their access of the client hangs on. */
export interface PresentedSubject {
  userId: string
  authenticatedAt: Date
  authenticationContext: string
  authenticationMethods: readonly string[]
  /** When the client got the token. */
  authorizedAt: Date
  heldBy: { sessionId: string } | { familyId: string }
}

/**
 * Reads a subject token. A refresh token is not rotated by it; one that was exchanged before ends its family, as always, unless the client
 * has a grace for repeating the exchange.
 *
 * @throws OAuthError `invalid_request` (RFC 8693 §2.2.2)
 */
export async function readSubjectToken(
  dependencies: GrantDependencies,
  requester: Requester,
  { subjectToken, subjectTokenType }: { subjectToken: string; subjectTokenType: string },
): Promise<PresentedSubject> {
  if (!subjectTokenTypes.includes(subjectTokenType)) {
    throw invalidRequest('the subject_token_type is not supported', {
      name: 'subject_token_type',
      expected: subjectTokenTypes,
      received: subjectTokenType,
    })
  }
  return subjectTokenType === idTokenType
    ? readIdToken(dependencies, requester, subjectToken)
    : readRefreshToken(dependencies, requester, subjectToken)
}

async function readIdToken({ database, issuer }: GrantDependencies, { client }: Requester, token: string): Promise<PresentedSubject> {
  const verified = await verifyJwt(issuer.signingKeys, token, { type: 'JWT', algorithms: signingAlgorithms })
  const { iss, sub, aud, sid, exp, iat, auth_time: authTime, acr, amr } = verified?.claims ?? {}
  if (iss !== issuer.issuer || typeof sub !== 'string' || typeof sid !== 'string' || typeof exp !== 'number' || typeof iat !== 'number') {
    throw invalidSubject('the subject_token is no ID token of this issuer', {
      expected: say('an-id-token-of-this-issuer'),
      received: token,
    })
  }
  if (aud !== client.id) throw invalidSubject('the subject_token is for another client', { expected: client.id, received: aud })
  const now = database.clock.now()
  if (exp * 1_000 <= now.getTime()) {
    const expected = say('use-before', new Date(exp * 1_000).toISOString())
    throw invalidSubject('the subject_token has expired', { expected, received: now.toISOString() })
  }
  const authenticationMethods = Array.isArray(amr) ? amr.map(String) : []
  return {
    userId: sub,
    authenticatedAt: new Date(Number(authTime ?? iat) * 1_000),
    authenticationContext: typeof acr === 'string' ? acr : authenticationContextOf(authenticationMethods),
    authenticationMethods,
    authorizedAt: new Date(iat * 1_000),
    heldBy: { sessionId: sid },
  }
}

async function readRefreshToken(
  { database, oauthExtensions }: GrantDependencies,
  requester: Requester,
  token: string,
): Promise<PresentedSubject> {
  const { client } = requester
  const found = await findRefreshToken(database, client.organisationId, token)
  const { refreshTokenGraceSeconds: graceSeconds, refreshTokenAbsoluteLifetime: absoluteLifetimeSeconds } = client
  await addStoredResponse(database, client.organisationId, token, found, graceSeconds)
  const asked = { clientId: client.id, graceSeconds, absoluteLifetimeSeconds, oauthExtensions }
  const decision = decideRefresh(found, asked, database.clock.now())
  if (decision.kind === 'refuse') throw invalidRequest(decision.error.description, { ...decision.error.check, name: 'subject_token' })
  if (decision.kind === 'reuse') {
    await revokeReused(database, requester, decision.token, 'refresh token reuse')
    throw invalidSubject('the refresh token has been exchanged', { expected: say('a-token-used-once'), received: say('a-second-use') })
  }
  const family = decision.token
  return {
    userId: family.userId,
    authenticatedAt: family.authenticatedAt,
    authenticationContext: family.authenticationContext ?? authenticationContextOf(family.authenticationMethods),
    authenticationMethods: family.authenticationMethods,
    authorizedAt: family.createdAt,
    heldBy: { familyId: family.familyId },
  }
}

const invalidSubject = (description: string, check: { expected: unknown; received: unknown }) =>
  invalidRequest(description, { name: 'subject_token', ...check })

/** A user for whom an assertion may be issued now. */
export interface HeldSubject {
  email: string
  emailVerifiedAt: Date | null
  name: string
  roleIds: string[]
  teamIds: string[]
}

/**
 * Holds the user, and the session or the family of the token, until the end of the transaction: whatever ends one of them waits. An ID token
 * says nothing of a family: one of the client has to live in its session, since taking back a consent ends those and leaves the session. So
 * does the end of a consent, which no ID token knows: its user may have chosen it since.
 *
 * @returns undefined when one of them has ended
 */
export async function holdSubject(
  tenant: Tenant,
  clientId: string,
  { userId, heldBy }: PresentedSubject,
): Promise<HeldSubject | undefined> {
  const { organisationId, now } = tenant
  const sessionId = 'sessionId' in heldBy ? heldBy.sessionId : null
  const familyId = 'familyId' in heldBy ? heldBy.familyId : null
  const [held] = await tenant.run(liveSubject, { organisationId, clientId, userId, sessionId, familyId, now })
  if (!held) return undefined
  // A statement of its own: it sees what has changed while the first one waited.
  const [membership = { roleIds: [], teamIds: [] }] = await tenant.run(membershipOf, { organisationId, userId })
  return { ...held, ...membership }
}

interface LiveSubject {
  organisationId: string
  clientId: string
  userId: string
  sessionId: string | null
  familyId: string | null
  now: Date
}

const liveSubject = statement<LiveSubject, Pick<HeldSubject, 'email' | 'emailVerifiedAt' | 'name'>>(`
  with person as (
    select id, email, email_verified_at, name from users
    where organisation_id = :organisationId and id = :userId and blocked_at is null and deleted_at is null for share
  ), session as (
    select id from sessions
    where organisation_id = :organisationId and id = :sessionId and user_id = :userId and not awaits_mfa_enrolment
      and ${isActiveSession('sessions', ':now::timestamptz')}
    for share
  ), family as (
    select id from token_families
    where organisation_id = :organisationId and user_id = :userId and client_id = :clientId and revoked_at is null
      and (consented_until is null or consented_until > :now::timestamptz) and (id = :familyId or session_id = :sessionId)
    for share
  )
  select email, email_verified_at as "emailVerifiedAt", name from person
  where exists (select from family) and (:sessionId::text is null or exists (select from session))`)

const membershipOf = statement<{ organisationId: string; userId: string }, Pick<HeldSubject, 'roleIds' | 'teamIds'>>(`
  select array(select role_id from user_roles where organisation_id = :organisationId and user_id = :userId) as "roleIds",
    array(select team_id from team_members where organisation_id = :organisationId and user_id = :userId) as "teamIds"`)
