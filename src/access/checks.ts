import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Keyring } from '../platform/crypto/keyring.ts'
import { hashSecret, sameSecret } from '../platform/crypto/secrets.ts'
import type { Database } from '../platform/database/database.ts'
import type { App } from '../platform/http/server.ts'
import { type Caller, originOf } from './caller.ts'
import { isCsrfTokenOf } from './csrf.ts'
import type { Access } from './declarations.ts'
import { findOrganisationBySlug, findSession, type StoredSession, touchSession } from './queries.ts'
import {
  authenticationRequired,
  invalidCsrfToken,
  invalidSystemKey,
  mfaEnrolmentRequired,
  missingPermission,
  missingTenantHeader,
  organisationMismatch,
  organisationNotFound,
  organisationSuspended,
  userNotFound,
} from './refusals.ts'
import { isLive } from './rules.ts'

export const sessionCookie = 'svc_session'
const touchEveryMilliseconds = 60_000
const readMethods = new Set(['GET', 'HEAD'])

export interface AccessOptions {
  database: Database
  keyring: Keyring
  systemApiKey: string
  tenantHeader: 'optional' | 'required'
}

/** Puts the checks in front of every route that is registered afterwards, in their documented order. */
export function checkAccess(app: App, options: AccessOptions): void {
  app.decorateRequest('caller')
  app.decorateRequest('visitor')

  app.addHook('onRoute', ({ config, method, url }) => {
    if (!config?.access && !config?.methodNotAllowed) throw new Error(`${method} ${url} does not declare its access`)
  })

  app.addHook('onRequest', async (request, reply) => {
    const access = request.routeOptions.config.access
    if (!access || access.kind === 'public') return
    if (access.kind === 'system') return checkSystemKey(request, options.systemApiKey)
    if (access.kind === 'visitor') return recogniseVisitor(request, reply, options.database)
    await checkSession(request, reply, access, options)
  })
}

function checkSystemKey(request: FastifyRequest, systemApiKey: string): void {
  const [scheme, key = ''] = (request.headers.authorization ?? '').split(' ')
  if (scheme?.toLowerCase() !== 'bearer' || !sameSecret(key, systemApiKey)) throw invalidSystemKey()
}

async function checkSession(
  request: FastifyRequest,
  reply: FastifyReply,
  access: Extract<Access, { kind: 'admin' | 'self' }>,
  { database, keyring, tenantHeader }: AccessOptions,
): Promise<void> {
  const session = await liveSession(request, database)
  refuseForeignOrigin(request, reply, session)
  touchAfterAnswer(request, reply, database, session)

  const csrf = access.kind === 'admin' || access.csrf
  if (csrf && !isCsrfTokenOf(keyring, session.id, request.headers['x-csrf-token'])) throw invalidCsrfToken()
  if (session.awaitsMfaEnrolment && !(access.kind === 'self' && access.duringMfaEnrolment)) throw mfaEnrolmentRequired()
  if (access.kind === 'admin') await checkTenant(request, database, session.organisationId, session.organisationSlug, tenantHeader)
  if (session.organisationStatus === 'suspended' && !readMethods.has(request.method)) throw organisationSuspended()

  const caller = callerOf(request, session)
  if (access.kind === 'admin' && access.permission && !caller.permissions.has(access.permission)) throw missingPermission(access.permission)
  request.caller = caller
  request.logContext = { organisationId: session.organisationId, actorId: session.userId }
}

/** A page is shown to anybody; what they may do there, the page decides. */
async function recogniseVisitor(request: FastifyRequest, reply: FastifyReply, database: Database): Promise<void> {
  const session = await findLiveSession(request, database)
  if (!session) return
  touchAfterAnswer(request, reply, database, session)
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

async function checkTenant(
  request: FastifyRequest,
  database: Database,
  organisationId: string,
  organisationSlug: string,
  tenantHeader: 'optional' | 'required',
): Promise<void> {
  const slug = request.headers['x-org-domain']
  if (slug === undefined || slug === '') {
    if (tenantHeader === 'required') throw missingTenantHeader()
    return
  }
  if (slug === organisationSlug) return
  const tenant = await findOrganisationBySlug(database, String(slug))
  if (!tenant) throw organisationNotFound()
  if (tenant.id !== organisationId) throw organisationMismatch()
}

/** The origin was let in because some organisation lists it; the answer is for the caller's own organisation. */
function refuseForeignOrigin(request: FastifyRequest, reply: FastifyReply, session: StoredSession): void {
  const { origin } = request.headers
  if (!origin || session.allowedOrigins.includes(origin)) return
  reply.removeHeader('access-control-allow-origin')
  reply.removeHeader('access-control-allow-credentials')
}

function touchAfterAnswer(request: FastifyRequest, reply: FastifyReply, database: Database, session: StoredSession): void {
  const notSince = new Date(database.clock.now().getTime() - touchEveryMilliseconds)
  if (session.lastActivityAt >= notSince) return
  reply.raw.once('finish', () => {
    touchSession(database, session.organisationId, session.id, notSince).catch((error) => {
      request.log.warn({ err: error }, 'could not note the activity of a session')
    })
  })
}
