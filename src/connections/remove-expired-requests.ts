import { sql } from 'kysely'
import { deleteBatch } from '../platform/database/delete-batch.ts'
import type { Task } from '../platform/jobs/tasks.ts'

/** Removes expired sign-ins at identity providers, completed or not, and logout tokens and assertions that are too old to be replayed. */
export const removeExpiredRequests: Task = {
  name: 'remove-expired-federation-requests',
  everySeconds: 3_600,
  async run(database) {
    const system = database.system()
    const expired = sql`expires_at < ${system.now}`
    const more = await Promise.all([
      deleteBatch(system, 'federation_requests', expired),
      deleteBatch(system, 'logout_tokens', expired),
      deleteBatch(system, 'saml_used', expired),
    ])
    return more.includes(true)
  },
}
