import { sql } from 'kysely'
import type { Task } from '../platform/jobs/tasks.ts'

const batch = 1_000
const keepMilliseconds = 24 * 3_600 * 1_000

const whatEnds = [
  { table: sql.table('sessions'), endedBefore: (time: Date) => sql`expires_at < ${time}` },
  { table: sql.table('action_links'), endedBefore: (time: Date) => sql`expires_at < ${time}` },
  { table: sql.table('mfa_challenges'), endedBefore: (time: Date) => sql`expires_at < ${time}` },
  { table: sql.table('mfa_credentials'), endedBefore: (time: Date) => sql`verified_at is null and created_at < ${time}` },
]

/** Removes sessions, mailed links, unfinished sign-ins and unfinished enrolments that ended more than a day ago. */
export const removeEndedSessions: Task = {
  name: 'remove-ended-sessions',
  everySeconds: 600,
  async run(database) {
    const system = database.system()
    const before = new Date(system.now.getTime() - keepMilliseconds)
    const removed = await Promise.all(
      whatEnds.map(async ({ table, endedBefore }) => {
        const { numAffectedRows = 0n } = await sql`
          delete from ${table} where (organisation_id, id) in (
            select organisation_id, id from ${table} where ${endedBefore(before)} limit ${batch})`.execute(system)
        return numAffectedRows
      }),
    )
    return removed.some((count) => count >= batch)
  },
}
