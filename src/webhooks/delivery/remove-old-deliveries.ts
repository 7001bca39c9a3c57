import { sql } from 'kysely'
import type { Task } from '../../platform/jobs/tasks.ts'

const batch = 1_000
const storedMilliseconds = 30 * 24 * 3_600 * 1_000

/** Removes deliveries and their attempts 30 days after they were created. */
export const removeOldDeliveries: Task = {
  name: 'remove-old-deliveries',
  everySeconds: 600,
  async run(database) {
    const system = database.system()
    const before = new Date(system.now.getTime() - storedMilliseconds)
    const { numAffectedRows = 0n } = await sql`
      delete from webhook_deliveries where (organisation_id, id) in (
        select organisation_id, id from webhook_deliveries where created_at < ${before} limit ${batch})`.execute(system)
    return numAffectedRows >= batch
  },
}
