import { type Kysely, sql } from 'kysely'

/** When a user's name, address and factors were removed for good: the row stays, since others refer to its id. */
export async function up(database: Kysely<unknown>): Promise<void> {
  await sql`alter table users add column erased_at timestamptz check (erased_at is null or deleted_at is not null)`.execute(database)
  await sql`drop index users_deleted_index`.execute(database)
  await sql`
    create index users_deleted_index on users (organisation_id, id) where deleted_at is not null and erased_at is null`.execute(database)
}
