import { type Kysely, sql } from 'kysely'

/** Until when an account takes no password, since too many were wrong: written when the limit is reached. */
export async function up(database: Kysely<unknown>): Promise<void> {
  await sql`alter table users add column locked_until timestamptz`.execute(database)
}
