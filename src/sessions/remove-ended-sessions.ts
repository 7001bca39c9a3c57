import { sql } from 'kysely'
import { daysBefore } from '../platform/clock.ts'
import { deleteBatch } from '../platform/database/delete-batch.ts'
import type { Task } from '../platform/jobs/tasks.ts'

const storedDays = 1

/** Removes sessions, mailed links, unfinished sign-ins and unfinished enrolments that ended more than a day ago. */
export const removeEndedSessions: Task = {
  name: 'remove-ended-sessions',
  everySeconds: 600,
  async run(database) {
    const system = database.system()
    const before = daysBefore(system.now, storedDays)
    const more = await Promise.all([
      deleteBatch(system, 'sessions', sql`expires_at < ${before}`),
      deleteBatch(system, 'action_links', sql`expires_at < ${before}`),
      deleteBatch(system, 'mfa_challenges', sql`expires_at < ${before}`),
      deleteBatch(system, 'mfa_credentials', sql`verified_at is null and created_at < ${before}`),
    ])
    return more.includes(true)
  },
}
