import { type Kysely, sql } from 'kysely'
import { asSystem } from './as-system.ts'
import { organisationId, secureTenantTable } from './tenant-table.ts'

/**
 * Keeps the number of records that lists show as their `total`, so that it costs the same at any size. Each statement that
 * adds or removes records appends by how many, in its own transaction, and a task folds that into one row: the sum of both
 * is exact at any moment, and no two transactions wait for the same row. Triggers do so, so that the previous release and
 * whatever else writes to these tables is counted as well.
 */
export async function up(database: Kysely<unknown>): Promise<void> {
  const run = (statement: string) => sql.raw(statement).execute(database)

  await sql`
    create table record_counts (
      ${organisationId},
      records text not null,
      count bigint not null,
      primary key (organisation_id, records)
    )`.execute(database)
  await secureTenantTable(database, 'record_counts')
  await run('revoke insert, update, delete on record_counts from gatehouse_tenant')
  await sql`
    create table record_count_changes (
      ${organisationId},
      records text not null,
      id bigint not null generated always as identity,
      change integer not null,
      primary key (organisation_id, records, id)
    )`.execute(database)
  await secureTenantTable(database, 'record_count_changes')
  await run('revoke update, delete on record_count_changes from gatehouse_tenant')

  for (const table of ['users', 'clients', 'api_keys']) await keepCount(table, 'deleted_at is null')
  for (const table of ['roles', 'teams', 'invitations']) await keepCount(table, 'true')

  /** @param counts which records are counted; the column `deleted_at` is the only one that may change it */
  async function keepCount(table: string, counts: string): Promise<void> {
    // An organisation that is deleted takes its counts along: nothing can refer to it any more.
    await run(`
      create function count_${table}() returns trigger language plpgsql as $$
      begin
        insert into record_count_changes (organisation_id, records, change)
        select organisation_id, '${table}', case tg_op when 'INSERT' then count(*) else -count(*) end
        from changed
        where ${counts} and (tg_op = 'INSERT' or exists (select from organisations where id = organisation_id))
        group by organisation_id;
        return null;
      end $$`)
    await run(
      `create trigger ${table}_count_added after insert on ${table}
       referencing new table as changed for each statement execute function count_${table}()`,
    )
    await run(
      `create trigger ${table}_count_removed after delete on ${table}
       referencing old table as changed for each statement execute function count_${table}()`,
    )
    if (counts !== 'true') {
      await run(`
        create function count_deletion_in_${table}() returns trigger language plpgsql as $$
        begin
          insert into record_count_changes (organisation_id, records, change)
          values (new.organisation_id, '${table}', case when new.deleted_at is null then 1 else -1 end);
          return null;
        end $$`)
      await run(
        `create trigger ${table}_count_deletion after update of deleted_at on ${table}
         for each row when ((old.deleted_at is null) <> (new.deleted_at is null)) execute function count_deletion_in_${table}()`,
      )
    }
    // The triggers have locked the table against writing: nothing comes in between.
    const countThem = () =>
      run(`
        insert into record_counts (organisation_id, records, count)
        select organisation_id, '${table}', count(*) from ${table} where ${counts} group by organisation_id`)
    await asSystem(database, countThem, [table, 'record_counts'])
  }

  // Organisations belong to no organisation. Their changes are folded into one another.
  await run(`
    create table organisation_count_changes (
      id bigint primary key generated always as identity,
      change integer not null
    )`)
  await run('grant insert on organisation_count_changes to gatehouse_tenant')
  await run(`
    create function count_organisations() returns trigger language plpgsql as $$
    begin
      insert into organisation_count_changes (change)
      select case tg_op when 'INSERT' then count(*) else -count(*) end from changed having count(*) > 0;
      return null;
    end $$`)
  for (const [name, event, rows] of [
    ['added', 'insert', 'new'],
    ['removed', 'delete', 'old'],
  ]) {
    await run(
      `create trigger organisations_count_${name} after ${event} on organisations
       referencing ${rows} table as changed for each statement execute function count_organisations()`,
    )
  }
  await asSystem(database, () => run('insert into organisation_count_changes (change) select count(*) from organisations'), [
    'organisations',
    'organisation_count_changes',
  ])

  // What counted before.
  for (const table of ['clients', 'api_keys', 'roles', 'teams', 'invitations']) await run(`drop index ${table}_count_index`)
}
