import { type Kysely, sql } from 'kysely'

/**
 * What lists are sorted and searched by. Columns rather than expressions: row-level security lets an index be used only
 * for conditions that cannot leak what they compare, which comparisons of columns are and `lower(…)` and LIKE are not.
 * Collation "C", so that a prefix is a range and the order is the same on every server.
 */
export async function up(database: Kysely<unknown>): Promise<void> {
  const run = (statement: string) => sql.raw(statement).execute(database)

  await run(`
    alter table users
      alter column email type text collate "C",
      add column name_key text collate "C" not null generated always as (lower(btrim(first_name || ' ' || last_name))) stored,
      add column last_name_key text collate "C" not null generated always as (lower(last_name)) stored,
      add column last_login_key timestamptz not null
        generated always as (coalesce(last_login_at, '1970-01-01T00:00:00Z'::timestamptz)) stored`)
  await run('create index users_name_index on users (organisation_id, name_key, id) where deleted_at is null')
  await run('create index users_last_name_index on users (organisation_id, last_name_key) where deleted_at is null')
  await run('create index users_email_index on users (organisation_id, email, id) where deleted_at is null')
  await run('create index users_last_login_index on users (organisation_id, last_login_key, id) where deleted_at is null')

  for (const table of ['roles', 'teams']) {
    await run(`
      alter table ${table}
        alter column slug type text collate "C",
        add column name_key text collate "C" not null generated always as (lower(name)) stored`)
    await run(`create index ${table}_name_index on ${table} (organisation_id, name_key, id)`)
  }

  await run('alter table invitations alter column email type text collate "C"')
  await run('create index invitations_email_index on invitations (organisation_id, email, id)')
  await run('create index invitations_expiry_index on invitations (organisation_id, expires_at, id)')

  await run(`
    alter table organisations
      alter column slug type text collate "C",
      alter column email type text collate "C",
      add column name_key text collate "C" not null generated always as (lower(name)) stored`)
  await run('create index organisations_name_index on organisations (name_key, id)')
}
