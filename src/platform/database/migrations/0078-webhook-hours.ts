import { type Kysely, sql } from 'kysely'
import { organisationId, secureTenantTable } from './tenant-table.ts'

/**
 * What came of the deliveries to each endpoint, by the hour: how many ended which way, and how long attempts took, as a histogram.
 * Pages of webhooks and their statistics read it in place of the deliveries, of which there may be millions.
 */
export async function up(database: Kysely<unknown>): Promise<void> {
  await sql`
    create table webhook_hours (
      ${organisationId},
      endpoint_id text not null,
      hour timestamptz not null,
      delivered integer not null,
      failed integer not null,
      durations integer[] not null,
      primary key (organisation_id, endpoint_id, hour),
      foreign key (organisation_id, endpoint_id) references webhook_endpoints (organisation_id, id) on delete cascade
    ) with (fillfactor = 50)`.execute(database)
  await sql`create index webhook_hours_hour_index on webhook_hours (hour)`.execute(database)
  await secureTenantTable(database, 'webhook_hours')
  // Why an endpoint last failed: without it, a list of endpoints would look for the attempt.
  await sql`alter table webhook_endpoints add column last_error text`.execute(database)
  // Failed deliveries are few and looked for. Those that succeed never enter the index.
  await sql`create index webhook_deliveries_failed_index on webhook_deliveries (organisation_id, id) where status = 'failed'`.execute(
    database,
  )
}
