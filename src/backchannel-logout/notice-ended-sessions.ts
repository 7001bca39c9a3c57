import { sql } from 'kysely'
import { sessionExpiry } from '../access/session-expiry.ts'
import { daysBefore } from '../platform/clock.ts'
import { deleteBatch } from '../platform/database/delete-batch.ts'
import type { Task } from '../platform/jobs/tasks.ts'
import { endExpiredSessions, namedSessions } from '../sessions/end-expired-sessions.ts'

const batchMax = 1_000
const storedDays = 30

/**
 * Ends the sessions with clients that have expired or been idle for too long, which no request does, so that their clients are told. It also
 * tells clients of a session that ended while they redeemed its code, and notes when to look at the others again.
 */
export const noticeEndedSessions: Task = {
  name: 'notice-ended-sessions',
  everySeconds: 60,
  async run(database) {
    const system = database.system()
    const { now } = system
    const due = await system
      .selectFrom('sessionClients')
      .select(['organisationId', 'sessionId'])
      .where('checkAt', '<=', now)
      .orderBy('checkAt')
      .limit(batchMax)
      .execute()
    if (due.length === 0) return false
    await endExpiredSessions(system, due)
    await sql`
      select tell_clients_of_session(named.organisation_id, named.id, ${now}::timestamptz)
      from ${namedSessions(due)}
      left join sessions s on s.organisation_id = named.organisation_id and s.id = named.id
      where s.id is null or s.revoked_at is not null`.execute(system)
    await sql`
      update session_clients noted
      set check_at = greatest(${sql.raw(sessionExpiry('s'))}, ${now}::timestamptz + interval '1 minute')
      from ${namedSessions(due)}, sessions s
      where noted.organisation_id = named.organisation_id and noted.session_id = named.id and noted.check_at <= ${now}
        and s.organisation_id = named.organisation_id and s.id = named.id and s.revoked_at is null`.execute(system)
    return due.length === batchMax
  },
}

/** Removes deliveries and their attempts 30 days after they were created. */
export const removeOldLogouts: Task = {
  name: 'remove-old-logouts',
  everySeconds: 3_600,
  run(database) {
    const system = database.system()
    return deleteBatch(system, 'logout_deliveries', sql`created_at < ${daysBefore(system.now, storedDays)}`)
  },
}
