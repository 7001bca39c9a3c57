import { type Kysely, sql } from 'kysely'
import type { ConcurrentIndex } from '../concurrent-indexes.ts'

/**
 * When a session ended or will end, for `src/sessions/remove-ended-sessions.ts`. The index by `expires_at` is dropped: that task alone has
 * used it, and each activity of a session would be written to both. Until it is replaced, the former release reads all sessions every ten
 * minutes.
 */
export const concurrentIndexes: readonly ConcurrentIndex[] = [
  {
    name: 'sessions_ends_index',
    on: `sessions (least(revoked_at at time zone 'UTC', expires_at at time zone 'UTC',
      last_activity_at at time zone 'UTC' + make_interval(secs => idle_timeout)))`,
  },
]

export async function up(database: Kysely<unknown>): Promise<void> {
  await sql`drop index sessions_expires_at_index`.execute(database)
}
