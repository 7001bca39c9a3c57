import { sql } from 'kysely'
import { deleteBatch } from '../../platform/database/delete-batch.ts'
import type { Task } from '../../platform/jobs/tasks.ts'

const storedMilliseconds = 30 * 24 * 3_600 * 1_000

/** Removes deliveries and their attempts 30 days after they were created. */
export const removeOldDeliveries: Task = {
  name: 'remove-old-deliveries',
  everySeconds: 600,
  run(database) {
    const system = database.system()
    const before = new Date(system.now.getTime() - storedMilliseconds)
    return deleteBatch(system, 'webhook_deliveries', sql`created_at < ${before}`)
  },
}
