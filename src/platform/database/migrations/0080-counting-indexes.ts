import { type Kysely, sql } from 'kysely'

/**
 * What `GET /v1/admin/statistics` counts along: users by id, and so by the time of their creation, in place of an index for
 * counting all of them, whose number is stored since 0061; and live sessions by the time of their last use. Without them every
 * user and every session was read. `last_activity_at` is in an index already, so a use of a session writes to all of them.
 */
export async function up(database: Kysely<unknown>): Promise<void> {
  await sql`create index users_active_index on users (organisation_id, id) where deleted_at is null`.execute(database)
  await sql`drop index users_count_index`.execute(database)
  await sql`
    create index sessions_idle_index on sessions (organisation_id, idle_timeout, last_activity_at) include (expires_at)
    where revoked_at is null`.execute(database)
}
