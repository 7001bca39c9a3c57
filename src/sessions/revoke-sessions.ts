import { type RawBuilder, sql } from 'kysely'
import { isLive } from '../access/rules.ts'
import { sessionExpiry } from '../access/session-expiry.ts'
import type { Actor } from '../activity/actor.ts'
import { hasSubscriber, recordEach, reportAll } from '../activity/record.ts'
import type { Tenant } from '../platform/database/database.ts'
import type { SignInsByConnection } from '../tokens/revoke-tokens.ts'
import { presentSession, type Session } from './session-list.ts'

/** Marks all sessions of a user as ended, except the given one. Called by `endAccess`, which ends the rest. */
export async function revokeSessions(tenant: Tenant, userId: string, exceptSessionId: string | undefined): Promise<EndedSession[]> {
  return endSessions(tenant)
    .where('userId', '=', userId)
    .$if(exceptSessionId !== undefined, (query) => query.where('id', '!=', exceptSessionId as string))
    .returning(columns)
    .execute()
}

/** Marks the sessions of users as ended, except those that came by a connection. Called by `endAccessBesides`. */
export async function revokeSessionsBesides(tenant: Tenant, users: RawBuilder<string>, connectionId: string): Promise<EndedSession[]> {
  return endSessions(tenant)
    .where('userId', 'in', users)
    .where('connectionId', 'is distinct from', connectionId)
    .returning(columns)
    .execute()
}

/**
 * Ends all sessions of the organisation. Their number may be large, so they are read only when an endpoint has subscribed.
 *
 * @param actor undefined to report no event
 */
export async function revokeAllSessions(tenant: Tenant, actor: Actor | undefined): Promise<void> {
  if (actor && (await hasSubscriber(tenant, 'session.ended')))
    await reportEnded(tenant, actor, await endSessions(tenant).returning(columns).execute())
  else await endSessions(tenant).execute()
}

/**
 * Ends the sessions of the organisation that await an enrolment. Their users have proven what the former rules asked for: to sign in anew is
 * to be judged by those of now.
 */
export async function revokeEnrollingSessions(tenant: Tenant, actor: Actor): Promise<void> {
  await reportEnded(tenant, actor, await endSessions(tenant).where('awaitsMfaEnrolment', '=', true).returning(columns).execute())
}

/** Sign-ins by a connection. The user and the subject are given together. */
export interface AccessByConnection extends SignInsByConnection {
  /** The user's subject at the identity provider. */
  subject?: string | undefined
}

/**
 * Ends the sessions by a connection, and reports them. Called by `endAccessByConnection`, which ends the rest.
 *
 * @returns the number of ended sessions that were live
 */
export async function revokeSessionsOfConnection(
  tenant: Tenant,
  actor: Actor,
  { connectionId, subject, upstreamSession, exceptSessionId }: AccessByConnection,
  { recordEachSession = false }: { recordEachSession?: boolean | undefined },
): Promise<number> {
  const ending = endSessions(tenant)
    .where('connectionId', '=', connectionId)
    .$if(subject !== undefined, (query) => query.where('upstreamSubject', '=', subject as string))
    .$if(upstreamSession !== undefined, (query) =>
      query.where((session) =>
        session.or([
          session('upstreamSession', '=', upstreamSession as string),
          // The provider did not identify the session.
          ...(subject === undefined ? [] : [session('upstreamSession', 'is', null)]),
        ]),
      ),
    )
    .$if(exceptSessionId !== undefined, (query) => query.where('id', '!=', exceptSessionId as string))
  if (recordEachSession) {
    return recordRevoked(tenant, actor, await ending.returning(columns).execute())
  }
  // As above, their number may be large.
  if (await hasSubscriber(tenant, 'session.ended')) return reportEnded(tenant, actor, await ending.returning(columns).execute())
  const { live } = await tenant
    .with('ended', () => ending.returning(sql<Date>`${sql.raw(sessionExpiry('sessions'))}`.as('expiry')))
    .selectFrom('ended')
    .select((ended) => ended.fn.countAll<number>().as('live'))
    .where('expiry', '>', tenant.now)
    .executeTakeFirstOrThrow()
  return live
}

type EndedSession = Session & { idleTimeout: number }

const columns = ['id', 'ipAddress', 'userAgent', 'lastActivityAt', 'expiresAt', 'createdAt', 'idleTimeout'] as const

const endSessions = (tenant: Tenant) => tenant.updateTable('sessions').set({ revokedAt: tenant.now }).where('revokedAt', 'is', null)

/** Writes an audit entry for each session that was live. @returns how many were */
export async function recordRevoked(
  tenant: Tenant,
  actor: Actor,
  ended: readonly EndedSession[],
  currentSessionId?: string,
): Promise<number> {
  const live = liveOf(tenant, ended)
  const entries = live.map((session) => ({ action: 'session.revoked' as const, session: presentSession(session, currentSessionId) }))
  await recordEach(tenant, actor, entries)
  return live.length
}

/** Reports each session that was live. @returns how many were */
export async function reportEnded(tenant: Tenant, actor: Actor, ended: readonly EndedSession[]): Promise<number> {
  const live = liveOf(tenant, ended)
  await reportAll(
    tenant,
    actor,
    live.map((session) => ({ action: 'session.ended', session: presentSession(session, undefined) })),
  )
  return live.length
}

/**
 * The ended sessions without those that had expired before, by time or by disuse. These are marked as ended as well: the use of a request that
 * came in time may be noted only now.
 */
const liveOf = (tenant: Tenant, ended: readonly EndedSession[]) =>
  ended.filter((session) => isLive({ ...session, revokedAt: null }, tenant.now))
