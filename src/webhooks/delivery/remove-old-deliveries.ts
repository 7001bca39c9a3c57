import { sql } from 'kysely'
import { daysBefore } from '../../platform/clock.ts'
import { deleteBatch } from '../../platform/database/delete-batch.ts'
import type { Task } from '../../platform/jobs/tasks.ts'

const storedDays = 30
const hoursStoredDays = 91

/** Removes deliveries and their attempts 30 days after they were created. */
export const removeOldDeliveries: Task = {
  name: 'remove-old-deliveries',
  everySeconds: 600,
  run(database) {
    const system = database.system()
    const before = daysBefore(system.now, storedDays)
    return deleteBatch(system, 'webhook_deliveries', sql`created_at < ${before}`)
  },
}

/** Removes the counts of an hour after 90 whole days. */
export const removeOldWebhookHours: Task = {
  name: 'remove-old-webhook-hours',
  everySeconds: 3_600,
  run(database) {
    const system = database.system()
    const before = daysBefore(system.now, hoursStoredDays)
    return deleteBatch(system, 'webhook_hours', sql`hour < ${before}`)
  },
}
