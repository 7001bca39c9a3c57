import { sql } from 'kysely'
import { deleteBatch } from '../platform/database/delete-batch.ts'
import type { Task } from '../platform/jobs/tasks.ts'

/** Removes sign-ins at identity providers once they have expired, completed or not. */
export const removeExpiredRequests: Task = {
  name: 'remove-expired-federation-requests',
  everySeconds: 3_600,
  async run(database) {
    const system = database.system()
    return deleteBatch(system, 'federation_requests', sql`expires_at < ${system.now}`)
  },
}
