import { sql } from 'kysely'
import { secondsBefore } from '../platform/clock.ts'
import { deleteBatch } from '../platform/database/delete-batch.ts'
import type { Task } from '../platform/jobs/tasks.ts'

const day = 86_400
/** The longest time for which a response may be requested again. */
const answerSeconds = 60
/** A device learns for this long that its code has expired, while the number of rows stays bounded. */
const expiredDeviceSeconds = 10 * 60

/** Removes expired tokens, assertions that are too old to be replayed, and stored responses that can no longer be requested. Used codes stay a day longer, to be recognised. */
export const removeExpiredTokens: Task = {
  name: 'remove-expired-tokens',
  everySeconds: 60,
  async run(database) {
    const system = database.system()
    const { now } = system
    const dayAgo = secondsBefore(now, day)
    const more = await Promise.all([
      deleteBatch(system, 'authorization_requests', sql`expires_at < ${now}`),
      deleteBatch(system, 'authorization_codes', sql`expires_at < ${dayAgo}`),
      deleteBatch(system, 'device_codes', sql`expires_at < ${secondsBefore(now, expiredDeviceSeconds)}`),
      deleteBatch(system, 'refresh_answers', sql`rotated_at < ${secondsBefore(now, answerSeconds)}`),
      deleteBatch(system, 'token_families', sql`kept_until < ${now}`),
      deleteBatch(system, 'revoked_access_tokens', sql`expires_at < ${now}`),
      deleteBatch(system, 'used_assertions', sql`expires_at < ${now}`),
    ])
    return more.includes(true)
  },
}
