import { sql } from 'kysely'
import type { Task } from '../platform/jobs/tasks.ts'

const batch = 1_000
const keepMilliseconds = 24 * 3_600 * 1_000

/** Removes sessions, mailed links and unfinished sign-ins that ended more than a day ago. */
export const removeEndedSessions: Task = {
  name: 'remove-ended-sessions',
  everySeconds: 600,
  async run(database) {
    const system = database.system()
    const before = new Date(system.now.getTime() - keepMilliseconds)
    const removed = await Promise.all(
      [sql.table('sessions'), sql.table('action_links'), sql.table('mfa_challenges')].map(async (table) => {
        const { numAffectedRows = 0n } = await sql`
          delete from ${table} where (organisation_id, id) in (
            select organisation_id, id from ${table} where expires_at < ${before} limit ${batch})`.execute(system)
        return numAffectedRows
      }),
    )
    return removed.some((count) => count >= batch)
  },
}
