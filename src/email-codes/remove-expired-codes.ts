import { sql } from 'kysely'
import { deleteBatch } from '../platform/database/delete-batch.ts'
import type { Task } from '../platform/jobs/tasks.ts'

/** Removes expired e-mail codes, and the attempts that were counted for them. */
export const removeExpiredCodes: Task = {
  name: 'remove-expired-email-codes',
  everySeconds: 3_600,
  async run(database) {
    const system = database.system()
    const more = await Promise.all([
      deleteBatch(system, 'email_codes', sql`expires_at < ${system.now}`),
      deleteBatch(system, 'email_code_tries', sql`expires_at < ${system.now}`),
    ])
    return more.includes(true)
  },
}
