import { type Kysely, sql } from 'kysely'

/** Which state of its connection the test of a set-up link has passed. Tests that the former release notes have only their time. */
export async function up(database: Kysely<unknown>): Promise<void> {
  await sql`alter table setup_links add column tested_updated_at timestamptz`.execute(database)
}
