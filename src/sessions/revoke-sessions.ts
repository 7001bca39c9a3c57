import { isLive } from '../access/rules.ts'
import type { Actor } from '../activity/actor.ts'
import { isHeard, reportAll } from '../activity/record.ts'
import type { Tenant } from '../platform/database/database.ts'
import { deleteChallenges } from './challenges.ts'
import { presentSession, type Session } from './session-list.ts'

/**
 * Ends all sessions of a user, on every process with the next request, but for one if it is named. Sign-ins that wait
 * for a second factor end too. The change that it belongs to leaves the audit entry.
 */
export async function revokeSessionsOf(tenant: Tenant, actor: Actor, userId: string, exceptSessionId?: string): Promise<void> {
  const ended = await endSessions(tenant)
    .where('userId', '=', userId)
    .$if(exceptSessionId !== undefined, (query) => query.where('id', '!=', exceptSessionId as string))
    .returning(columns)
    .execute()
  await deleteChallenges(tenant, userId)
  await reportEnded(tenant, actor, ended)
}

/**
 * Ends all sessions of the organisation, of which there can be very many: they are read only for who has subscribed.
 *
 * @param actor undefined where nobody hears of it
 */
export async function revokeAllSessions(tenant: Tenant, actor: Actor | undefined): Promise<void> {
  if (actor && (await isHeard(tenant, 'session.ended')))
    await reportEnded(tenant, actor, await endSessions(tenant).returning(columns).execute())
  else await endSessions(tenant).execute()
}

const columns = ['id', 'ipAddress', 'userAgent', 'lastActivityAt', 'expiresAt', 'createdAt', 'idleTimeout'] as const

const endSessions = (tenant: Tenant) => tenant.updateTable('sessions').set({ revokedAt: tenant.now }).where('revokedAt', 'is', null)

/** What has ended by itself, unnoticed, is not reported. */
async function reportEnded(tenant: Tenant, actor: Actor, ended: readonly (Session & { idleTimeout: number })[]): Promise<void> {
  const live = ended.filter((session) => isLive({ ...session, revokedAt: null }, tenant.now))
  await reportAll(
    tenant,
    actor,
    live.map((session) => ({ action: 'session.ended', session: presentSession(session, undefined) })),
  )
}
