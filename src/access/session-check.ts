import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Keyring } from '../platform/crypto/keyring.ts'
import { hashSecret } from '../platform/crypto/secrets.ts'
import type { Database } from '../platform/database/database.ts'
import { type BrowserSession, originOf, type UserCaller } from './caller.ts'
import { setCorsHeaders } from './cross-origin.ts'
import { checkCsrfToken } from './csrf.ts'
import type { AdminAccess, SelfAccess } from './declarations.ts'
import { whyNotSignedIn } from './explain-credentials.ts'
import { findSession, type StoredSession, touchSession } from './queries.ts'
import { invalidSession, mfaEnrolmentRequired, missingPermission, severalSessionCookiesOnPage, userNotFound } from './refusals.ts'
import { idleExpiryOf, isLive } from './rules.ts'
import { sessionTokenOf } from './session-token.ts'
import { checkTenant, refuseWhileSuspended } from './tenant-check.ts'
import { touchAfterResponse, touchEveryMilliseconds } from './touch.ts'

/** Sent with a read that a page sends by a timer. It can only shorten a session. */
const unattendedHeader = 'x-unattended'

/** The checks of a request by session cookie, in their documented order. */
export async function checkSession(
  request: FastifyRequest,
  reply: FastifyReply,
  access: AdminAccess | SelfAccess,
  options: { database: Database; keyring: Keyring; systemApiKey: string; tenantHeader: 'optional' | 'required' },
): Promise<UserCaller> {
  const { database, keyring, systemApiKey } = options
  const token = sessionTokenOf(request)
  const session = token === undefined ? undefined : await findSession(database, hashSecret(token))
  // Even for a session that has ended, so that its page can read the 401.
  await setCorsHeaders(request, reply, database, session)
  if (token === undefined) throw whyNotSignedIn(request, access.kind, systemApiKey)
  if (session?.userDeletedAt) throw userNotFound()
  if (!session || !isUsable(session, database.clock.now())) throw invalidSession()
  const lastUsedAt = touch(request, reply, database, session)

  if (access.kind === 'admin' || access.csrf) checkCsrfToken(request, keyring, token)
  if (session.awaitsMfaEnrolment && !(access.kind === 'self' && access.duringMfaEnrolment)) throw mfaEnrolmentRequired()
  if (access.kind === 'admin') await checkTenant(request, session, options)
  refuseWhileSuspended(request, session)

  const caller = callerOf(request, session, lastUsedAt)
  const lacking = access.kind === 'admin' && access.permissions.find((permission) => !caller.permissions.has(permission))
  if (lacking) throw missingPermission(lacking)
  request.logContext = { organisationId: session.organisationId, actorId: session.userId }
  return caller
}

/** The session of a browser that opens a page; undefined without one. The page then decides what to show. */
export async function findBrowserSession(
  request: FastifyRequest,
  reply: FastifyReply,
  database: Database,
): Promise<BrowserSession | undefined> {
  const session = await findLiveSession(request, database)
  if (!session) return undefined
  const lastUsedAt = touch(request, reply, database, session)
  const { createdAt: startedAt, authenticationMethods, awaitsMfaEnrolment } = session
  const caller = callerOf(request, session, lastUsedAt)
  const browserSession = { caller, startedAt, ...timesOf(session), authenticationMethods, awaitsMfaEnrolment }
  request.logContext = { organisationId: session.organisationId, actorId: session.userId }
  return browserSession
}

function callerOf(request: FastifyRequest, session: StoredSession, lastUsedAt: Date): UserCaller {
  const {
    id,
    userId,
    organisationId,
    email,
    name,
    provenAt,
    signInId,
    reauthenticatedWith,
    authenticationMethods,
    awaitsMfaEnrolment,
    expiresAt,
    idleTimeout,
  } = session
  const idleExpiresAt = idleExpiryOf({ lastActivityAt: lastUsedAt, idleTimeout })
  return {
    kind: 'user',
    organisationId,
    permissions: new Set(session.permissions),
    actor: { actorType: 'user', actorId: userId, email, name, ...originOf(request), signInId },
    responsibleUserId: userId,
    email,
    isOwner: session.ownerId === userId,
    session: { id, userId, provenAt, reauthenticatedWith, authenticationMethods, awaitsMfaEnrolment, expiresAt, idleExpiresAt },
  }
}

/** A sign-in of ours began with a proof of ours. A later second factor or password does not renew it. */
function timesOf({ connectionId, authenticatedAt, provenAt }: StoredSession) {
  if (connectionId === null) return { authenticatedAt, signInProvenAt: authenticatedAt }
  const isLater = provenAt !== null && provenAt > authenticatedAt
  return { authenticatedAt: isLater ? provenAt : authenticatedAt, signInProvenAt: provenAt }
}

async function findLiveSession(request: FastifyRequest, database: Database): Promise<StoredSession | undefined> {
  const token = sessionTokenOf(request, severalSessionCookiesOnPage)
  const session = token === undefined ? undefined : await findSession(database, hashSecret(token))
  return session && isUsable(session, database.clock.now()) ? session : undefined
}

function isUsable(session: StoredSession, now: Date): boolean {
  if (session.userDeletedAt || session.blockedAt || session.organisationStatus === 'cancelled') return false
  return isLive(session, now)
}

function touch(request: FastifyRequest, reply: FastifyReply, database: Database, session: StoredSession): Date {
  const { organisationId, id, lastActivityAt, idleTimeout } = session
  // A page that is in view reads again by itself: its user may have left long ago. A change is always a use.
  if (request.method === 'GET' && request.headers[unattendedHeader] === 'true') return lastActivityAt
  // A use that is not noted must not end the session while its user is at work: a quarter of a short time is noted.
  const every = Math.min(touchEveryMilliseconds, idleTimeout * 250)
  return touchAfterResponse(request, reply, database.clock, lastActivityAt, (use) => touchSession(database, organisationId, id, use), every)
}
