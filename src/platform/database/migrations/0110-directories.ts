import { type Kysely, sql } from 'kysely'
import { addPermissions, type NewPermission } from './add-permissions.ts'
import { organisationId, secureTenantTable } from './tenant-table.ts'

/**
 * Directories that manage users and groups by SCIM, their tokens, what they manage, and the log of their requests. The permissions for
 * them are in the catalogue and in every owner role; where an operator has added one of these slugs already, it becomes the service's own.
 */
export async function up(database: Kysely<unknown>): Promise<void> {
  const run = (statement: string) => sql.raw(statement).execute(database)

  // The new list holds the former one, so no row has to be looked at.
  await run('alter table audit_logs drop constraint audit_logs_actor_type_check')
  await run(`
    alter table audit_logs add constraint audit_logs_actor_type_check
      check (actor_type in ('user', 'api_key', 'client', 'directory', 'system')) not valid`)

  await sql`
    create table directories (
      ${organisationId},
      id text not null constraint directories_id_key unique,
      name text not null,
      is_active boolean not null default true,
      connection_id text,
      user_match text not null default 'email' check (user_match in ('email', 'externalId')),
      email_changes text not null default 'verified_domains' check (email_changes in ('verified_domains', 'refuse')),
      deletes text not null default 'block' check (deletes in ('block', 'delete')),
      groups text not null default 'teams' check (groups in ('teams', 'mappings_only')),
      group_mappings jsonb not null default '[]',
      last_request_at timestamptz,
      last_success_at timestamptz,
      refused_in_a_row integer not null default 0,
      failing_since timestamptz,
      last_error text,
      created_at timestamptz not null,
      updated_at timestamptz not null,
      primary key (organisation_id, id),
      foreign key (organisation_id, connection_id) references connections (organisation_id, id) on delete set null (connection_id)
    )`.execute(database)
  await run('create unique index directories_name_key on directories (organisation_id, lower(name))')
  await secureTenantTable(database, 'directories')

  await sql`
    create table directory_tokens (
      ${organisationId},
      id text not null,
      directory_id text not null,
      token_hash text not null constraint directory_tokens_token_hash_key unique,
      prefix text not null,
      expires_at timestamptz,
      last_used_at timestamptz,
      created_at timestamptz not null,
      primary key (organisation_id, id),
      foreign key (organisation_id, directory_id) references directories (organisation_id, id) on delete cascade
    )`.execute(database)
  await run('create index directory_tokens_directory_index on directory_tokens (organisation_id, directory_id)')
  await secureTenantTable(database, 'directory_tokens')

  await sql`
    create table directory_users (
      ${organisationId},
      directory_id text not null,
      user_id text not null,
      user_name text not null,
      external_id text,
      attributes jsonb not null default '{}',
      version integer not null default 1,
      blocked_at timestamptz,
      deprovisioned_at timestamptz,
      created_at timestamptz not null,
      updated_at timestamptz not null,
      primary key (organisation_id, directory_id, user_id),
      foreign key (organisation_id, directory_id) references directories (organisation_id, id) on delete cascade,
      foreign key (organisation_id, user_id) references users (organisation_id, id) on delete cascade
    )`.execute(database)
  await run('create unique index directory_users_user_name_key on directory_users (organisation_id, directory_id, lower(user_name))')
  await run(`
    create unique index directory_users_external_id_key on directory_users (organisation_id, directory_id, external_id)
      where external_id is not null`)
  // One directory at a time manages a user.
  await run(`
    create unique index directory_users_user_key on directory_users (organisation_id, user_id) where deprovisioned_at is null`)
  await run('create index directory_users_user_index on directory_users (organisation_id, user_id)')
  await secureTenantTable(database, 'directory_users')
  // A directory that has read a user before an administrator changed them must not be told that nothing is new.
  await run(`
    create function renew_version_of_directory_user() returns trigger language plpgsql as $$
    begin
      update directory_users set version = version + 1, updated_at = new.updated_at
      where organisation_id = new.organisation_id and user_id = new.id;
      return null;
    end $$`)
  await run(`
    create trigger users_renew_version_of_directory_user after update on users for each row
    when ((old.email, old.first_name, old.last_name, old.phone, old.blocked_at)
      is distinct from (new.email, new.first_name, new.last_name, new.phone, new.blocked_at))
    execute function renew_version_of_directory_user()`)

  await sql`
    create table directory_groups (
      ${organisationId},
      id text not null,
      directory_id text not null,
      display_name text not null,
      external_id text,
      team_id text,
      created_team boolean not null default false,
      version integer not null default 1,
      created_at timestamptz not null,
      updated_at timestamptz not null,
      primary key (organisation_id, id),
      foreign key (organisation_id, directory_id) references directories (organisation_id, id) on delete cascade,
      foreign key (organisation_id, team_id) references teams (organisation_id, id) on delete set null (team_id)
    )`.execute(database)
  await run(
    'create unique index directory_groups_display_name_key on directory_groups (organisation_id, directory_id, lower(display_name))',
  )
  await run(`
    create unique index directory_groups_external_id_key on directory_groups (organisation_id, directory_id, external_id)
      where external_id is not null`)
  await run('create index directory_groups_team_index on directory_groups (organisation_id, team_id) where team_id is not null')
  await secureTenantTable(database, 'directory_groups')

  await sql`
    create table directory_group_members (
      ${organisationId},
      group_id text not null,
      user_id text not null,
      created_at timestamptz not null,
      primary key (organisation_id, group_id, user_id),
      foreign key (organisation_id, group_id) references directory_groups (organisation_id, id) on delete cascade,
      foreign key (organisation_id, user_id) references users (organisation_id, id) on delete cascade
    )`.execute(database)
  await run('create index directory_group_members_user_index on directory_group_members (organisation_id, user_id)')
  await secureTenantTable(database, 'directory_group_members')

  await sql`
    create table directory_requests (
      ${organisationId},
      id text not null,
      directory_id text not null,
      method text not null,
      path text not null,
      filter text,
      status integer not null,
      scim_type text,
      detail text,
      request_body text,
      response_body text,
      ip_address text,
      user_agent text,
      request_id text,
      duration_milliseconds integer not null,
      created_at timestamptz not null,
      primary key (organisation_id, id),
      foreign key (organisation_id, directory_id) references directories (organisation_id, id) on delete cascade
    )`.execute(database)
  await run('create index directory_requests_directory_index on directory_requests (organisation_id, directory_id, id)')
  await run('create index directory_requests_created_at_index on directory_requests (created_at)')
  await secureTenantTable(database, 'directory_requests')

  await addPermissions(database, 'users', permissions)
}

const permissions: readonly NewPermission[] = [
  ['directories:read', 'Read directories', 'List directories, what they manage and their requests'],
  ['directories:create', 'Create directories', 'Let directories manage users and groups'],
  ['directories:update', 'Update directories', 'Change directories and their mappings, create and end their tokens'],
  ['directories:delete', 'Delete directories', 'Delete directories; their users stay'],
]
