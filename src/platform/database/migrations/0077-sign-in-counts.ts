import { type Kysely, sql } from 'kysely'
import { organisationId, secureTenantTable } from './tenant-table.ts'

/**
 * Counts the sign-ins of an organisation by quarters of an hour, so that days and hours of every time zone are made of whole
 * ones. `previous_at` is the quarter in which the same users had signed in before, which tells how many users there were in any
 * range; 1970 where that is longer ago than a day lasts. As with the counts of records, each sign-in appends in its own
 * transaction, and a task folds that.
 */
export async function up(database: Kysely<unknown>): Promise<void> {
  const columns = sql`
    quarter_at timestamptz not null,
    previous_at timestamptz not null,
    succeeded integer not null,
    failed integer not null`
  await sql`
    create table sign_in_counts (
      ${organisationId},
      ${columns},
      primary key (organisation_id, quarter_at, previous_at)
    )`.execute(database)
  await secureTenantTable(database, 'sign_in_counts')
  await sql`revoke insert, update, delete on sign_in_counts from gatehouse_tenant`.execute(database)
  await sql`create index sign_in_counts_quarter_index on sign_in_counts (quarter_at)`.execute(database)

  await sql`
    create table sign_in_count_changes (
      ${organisationId},
      id bigint not null generated always as identity,
      ${columns},
      primary key (organisation_id, id)
    )`.execute(database)
  await secureTenantTable(database, 'sign_in_count_changes')
  await sql`revoke update, delete on sign_in_count_changes from gatehouse_tenant`.execute(database)
}
