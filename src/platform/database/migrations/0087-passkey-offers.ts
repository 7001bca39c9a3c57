import { type Kysely, sql } from 'kysely'

/** When a user was last offered to register a passkey, so that they are not asked at every sign-in. */
export async function up(database: Kysely<unknown>): Promise<void> {
  await sql`alter table users add column passkey_offered_at timestamptz`.execute(database)
}
