import { type Kysely, sql } from 'kysely'
import { organisationId, secureTenantTable } from './tenant-table.ts'

/**
 * What the system that a user was imported from calls them, and knew of them besides. And a thousand users at a time in a role: the
 * triggers of 0076 that count them joined all users of the organisation with those who were added.
 */
export async function up(database: Kysely<unknown>): Promise<void> {
  await sql`
    create table imported_users (
      ${organisationId},
      user_id text not null,
      external_id text,
      metadata jsonb not null default '{}',
      imported_at timestamptz not null,
      primary key (organisation_id, user_id),
      foreign key (organisation_id, user_id) references users (organisation_id, id) on delete cascade,
      constraint imported_users_external_id_key unique (organisation_id, external_id)
    )`.execute(database)
  await secureTenantTable(database, 'imported_users')

  for (const [table, key] of [
    ['user_roles', 'role_id'],
    ['team_members', 'team_id'],
  ]) {
    // A subquery that does not filter by deleted_at: the primary key alone serves it. Without statistics, as in the embedded database, an
    // index of all users of the organisation who are not deleted was taken for as good.
    await sql
      .raw(`
      create or replace function count_${table}() returns trigger language plpgsql as $$
      begin
        insert into record_count_changes (organisation_id, records, change)
        select changed.organisation_id, '${table}/' || changed.${key}, case tg_op when 'INSERT' then count(*) else -count(*) end
        from changed
        where (
          select users.deleted_at is null from users
          where users.organisation_id = changed.organisation_id and users.id = changed.user_id)
          and (tg_op = 'INSERT' or exists (select from organisations where id = changed.organisation_id))
        group by changed.organisation_id, changed.${key};
        return null;
      end $$`)
      .execute(database)
  }
}
