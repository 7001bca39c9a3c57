import { CompiledQuery, sql } from 'kysely'
import type { System, Tenant } from './database.ts'

/** The tables of an organisation whose records are counted with every change: decision 93. */
export type CountedTable = 'users' | 'roles' | 'teams' | 'invitations' | 'clients' | 'api_keys'

/**
 * SQL for the number of records of this kind in an organisation, without deleted ones. The cost does not depend on the number.
 *
 * @param organisationId SQL: a column or a parameter
 * @param records SQL
 */
export const storedCountOf = (organisationId: string, records: string) => `(
  coalesce((select count from record_counts where organisation_id = ${organisationId} and records = ${records}), 0)
    + coalesce((select sum(change) from record_count_changes where organisation_id = ${organisationId} and records = ${records}), 0))`

const recordsOfOrganisation = `select ${storedCountOf('$1', '$2')} as count`

/** The number of records of this kind in the organisation, without deleted ones. The cost does not depend on the number. */
export async function storedCount(tenant: Tenant, table: CountedTable): Promise<number> {
  return countOf(tenant, CompiledQuery.raw(recordsOfOrganisation, [tenant.organisationId, table]))
}

/** The number of organisations of every status. */
export async function storedCountOfOrganisations(system: System): Promise<number> {
  return countOf(system, CompiledQuery.raw('select coalesce(sum(change), 0) as count from organisation_count_changes'))
}

/** The number of active users with a role or in a team: for each row of `owner`, whose id is named `id`. */
export function storedCountOfGroup(table: 'user_roles' | 'team_members', owner: 'roles' | 'teams') {
  const [organisationId, records] = [sql.ref(`${owner}.organisationId`), sql`${sql.lit(`${table}/`)} || ${sql.ref(`${owner}.id`)}`]
  return sql<number>`
    coalesce((select count from record_counts c where c.organisation_id = ${organisationId} and c.records = ${records}), 0)
      + coalesce((select sum(change) from record_count_changes c where c.organisation_id = ${organisationId} and c.records = ${records}), 0)`
}

async function countOf(handle: Tenant | System, query: CompiledQuery): Promise<number> {
  const { rows } = await handle.getExecutor().executeQuery<{ count: number }>(query as CompiledQuery<{ count: number }>)
  return (rows[0] as { count: number }).count
}

const foldedAtOnce = 1_000

// Each fold is one statement, so that every sum includes each change exactly once. Concurrent folds take different changes.
const foldRecords = `
  with folded as (
    delete from record_count_changes
    where ctid = any(array(select ctid from record_count_changes limit ${foldedAtOnce} for update skip locked))
    returning organisation_id, records, change
  ), stored as (
    insert into record_counts (organisation_id, records, count)
    select organisation_id, records, sum(change) from folded group by organisation_id, records order by organisation_id, records
    on conflict (organisation_id, records) do update set count = record_counts.count + excluded.count
  )
  select count(*) as count from folded`

const foldOrganisations = `
  with folded as (
    delete from organisation_count_changes
    where ctid = any(array(select ctid from organisation_count_changes limit ${foldedAtOnce} for update skip locked))
      and (select count(*) from organisation_count_changes) > 1
    returning change
  ), stored as (
    insert into organisation_count_changes (change) select sum(change) from folded having count(*) > 0
  )
  select count(*) as count from folded`

/**
 * Folds the changes of counts into the counts, so that a total reads few rows. The totals stay the same.
 *
 * @returns whether more changes may be left
 */
export async function foldCounts(system: System): Promise<boolean> {
  const records = await countOf(system, CompiledQuery.raw(foldRecords))
  const organisations = await countOf(system, CompiledQuery.raw(foldOrganisations))
  return Math.max(records, organisations) >= foldedAtOnce
}
