import { sql } from 'kysely'
import { deleteBatch } from '../platform/database/delete-batch.ts'
import type { Task } from '../platform/jobs/tasks.ts'

/** Removes used challenges that would be refused because of their age, too. */
export const removeSpentChallenges: Task = {
  name: 'remove-spent-challenges',
  everySeconds: 3_600,
  async run(database) {
    const system = database.system()
    return deleteBatch(system, 'spent_challenges', sql`expires_at < ${system.now}`)
  },
}
