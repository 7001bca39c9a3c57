import { sql } from 'kysely'
import { daysBefore } from '../platform/clock.ts'
import { deleteBatch } from '../platform/database/delete-batch.ts'
import type { Task } from '../platform/jobs/tasks.ts'

const storedDays = 1

/**
 * SQL for when a session ended: revoked, expired or idle for too long. In UTC, since only such an expression can have an index; the one of
 * `sessions_ends_index` has to be the same.
 */
const endOfSession = sql`least(revoked_at at time zone 'UTC', expires_at at time zone 'UTC',
  last_activity_at at time zone 'UTC' + make_interval(secs => idle_timeout))`

/** Removes sessions, mailed links, unfinished sign-ins and unfinished enrolments that ended more than a day ago. */
export const removeEndedSessions: Task = {
  name: 'remove-ended-sessions',
  everySeconds: 600,
  async run(database) {
    const system = database.system()
    const before = daysBefore(system.now, storedDays)
    const more = await Promise.all([
      deleteBatch(system, 'sessions', sql`${endOfSession} < ${before}::timestamptz at time zone 'UTC'`),
      deleteBatch(system, 'action_links', sql`expires_at < ${before}`),
      deleteBatch(system, 'mfa_challenges', sql`expires_at < ${before}`),
      deleteBatch(system, 'mfa_credentials', sql`verified_at is null and created_at < ${before}`),
    ])
    return more.includes(true)
  },
}
