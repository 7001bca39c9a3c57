import { type Kysely, sql } from 'kysely'

/** When an endpoint last failed. */
export async function up(database: Kysely<unknown>): Promise<void> {
  await sql`alter table webhook_endpoints add column last_failure_at timestamptz`.execute(database)
}
