import { type Kysely, sql } from 'kysely'

/** Whether requests to an endpoint also bear the headers of Standard Webhooks. */
export async function up(database: Kysely<unknown>): Promise<void> {
  await sql`alter table webhook_endpoints add column standard_signature boolean not null default false`.execute(database)
}
