import { type Kysely, sql } from 'kysely'
import { organisationId, secureTenantTable } from './tenant-table.ts'

/** The export that is written of each cancelled organisation before it is purged. */
export async function up(database: Kysely<unknown>): Promise<void> {
  await sql`
    create table organisation_exports (
      ${organisationId},
      scheduled_at timestamptz not null,
      finished_at timestamptz,
      primary key (organisation_id)
    )`.execute(database)
  await sql`create index organisation_exports_pending_index on organisation_exports (scheduled_at) where finished_at is null`.execute(
    database,
  )
  await secureTenantTable(database, 'organisation_exports')
  await sql`create index organisations_deleted_at_index on organisations (deleted_at) where status = 'cancelled'`.execute(database)
}
