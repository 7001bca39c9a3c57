import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Keyring } from '../platform/crypto/keyring.ts'
import { hashSecret } from '../platform/crypto/secrets.ts'
import type { Database } from '../platform/database/database.ts'
import { type Caller, originOf } from './caller.ts'
import { isCsrfTokenOf } from './csrf.ts'
import type { Access } from './declarations.ts'
import { findSession, type StoredSession, touchSession } from './queries.ts'
import { authenticationRequired, invalidCsrfToken, mfaEnrolmentRequired, missingPermission, userNotFound } from './refusals.ts'
import { isLive } from './rules.ts'
import { checkTenant, refuseForeignOrigin, refuseWhileSuspended } from './tenant-check.ts'
import { touchAfterAnswer } from './touch.ts'

export const sessionCookie = 'svc_session'

/** The checks of a request by session cookie, in their documented order. */
export async function checkSession(
  request: FastifyRequest,
  reply: FastifyReply,
  access: Extract<Access, { kind: 'admin' | 'self' }>,
  options: { database: Database; keyring: Keyring; tenantHeader: 'optional' | 'required' },
): Promise<void> {
  const session = await liveSession(request, options.database)
  refuseForeignOrigin(request, reply, session)
  touch(request, reply, options.database, session)

  const csrf = access.kind === 'admin' || access.csrf
  if (csrf && !isCsrfTokenOf(options.keyring, session.id, request.headers['x-csrf-token'])) throw invalidCsrfToken()
  if (session.awaitsMfaEnrolment && !(access.kind === 'self' && access.duringMfaEnrolment)) throw mfaEnrolmentRequired()
  if (access.kind === 'admin') await checkTenant(request, session, options)
  refuseWhileSuspended(request, session)

  const caller = callerOf(request, session)
  if (access.kind === 'admin' && access.permission && !caller.permissions.has(access.permission)) throw missingPermission(access.permission)
  request.caller = caller
  request.logContext = { organisationId: session.organisationId, actorId: session.userId }
}

/** A page is shown to anybody; what they may do there, the page decides. */
export async function recogniseVisitor(request: FastifyRequest, reply: FastifyReply, database: Database): Promise<void> {
  const session = await findLiveSession(request, database)
  if (!session) return
  touch(request, reply, database, session)
  const { authenticatedAt, authenticationMethods, awaitsMfaEnrolment, organisationStatus } = session
  request.visitor = { caller: callerOf(request, session), authenticatedAt, authenticationMethods, awaitsMfaEnrolment, organisationStatus }
  request.logContext = { organisationId: session.organisationId, actorId: session.userId }
}

function callerOf(request: FastifyRequest, session: StoredSession): Caller {
  return {
    actorType: 'user',
    actorId: session.userId,
    email: session.email,
    organisationId: session.organisationId,
    permissions: new Set(session.permissions),
    isOwner: session.ownerId === session.userId,
    session: { id: session.id, userId: session.userId },
    ...originOf(request),
  }
}

async function liveSession(request: FastifyRequest, database: Database): Promise<StoredSession> {
  const session = await findStoredSession(request, database)
  if (session?.userDeletedAt) throw userNotFound()
  if (!session || !isUsable(session, database.clock.now())) throw authenticationRequired()
  return session
}

async function findLiveSession(request: FastifyRequest, database: Database): Promise<StoredSession | undefined> {
  const session = await findStoredSession(request, database)
  return session && isUsable(session, database.clock.now()) ? session : undefined
}

async function findStoredSession(request: FastifyRequest, database: Database): Promise<StoredSession | undefined> {
  const token = request.cookies[sessionCookie]
  return token ? findSession(database, hashSecret(token)) : undefined
}

function isUsable(session: StoredSession, now: Date): boolean {
  if (session.userDeletedAt || session.blockedAt || session.organisationStatus === 'cancelled') return false
  return isLive(session, now)
}

function touch(request: FastifyRequest, reply: FastifyReply, database: Database, session: StoredSession): void {
  const { organisationId, id, lastActivityAt } = session
  touchAfterAnswer(request, reply, database.clock, lastActivityAt, (use) => touchSession(database, organisationId, id, use))
}
