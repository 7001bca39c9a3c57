import { type Kysely, sql } from 'kysely'

/** What an organisation itself knows of its users: an object of its own, as organisations have. No row is rewritten. */
export async function up(database: Kysely<unknown>): Promise<void> {
  await sql`alter table users add column metadata jsonb not null default '{}'`.execute(database)
}
