import { type Kysely, sql } from 'kysely'
import { organisationId, secureTenantTable } from './tenant-table.ts'

// The former release knows neither the table nor the column: directories that are not active refuse everything there.
export const stopsFormerRelease = undefined

/**
 * Links by which a person without an account verifies a domain, and sets up a connection or a directory. Whether a directory has yet to be
 * activated for the first time is a column of its own: until then it is told that it is found, and nothing else.
 */
export async function up(database: Kysely<unknown>): Promise<void> {
  const run = (statement: string) => sql.raw(statement).execute(database)

  // The new list holds the former one, so no row has to be looked at.
  await run('alter table audit_logs drop constraint audit_logs_actor_type_check')
  await run(`
    alter table audit_logs add constraint audit_logs_actor_type_check
      check (actor_type in ('user', 'api_key', 'client', 'directory', 'setup_link', 'system')) not valid`)
  await run('alter table directories add column awaits_activation boolean not null default false')

  await sql`
    create table setup_links (
      ${organisationId},
      id text not null,
      name text not null,
      purposes text[] not null,
      settings jsonb not null default '{}',
      activate boolean not null default false,
      token_hash text not null constraint setup_links_token_hash_key unique,
      created_by_id text,
      created_by_key_id text,
      visit_hash text constraint setup_links_visit_hash_key unique,
      visit_expires_at timestamptz,
      first_used_at timestamptz,
      last_used_at timestamptz,
      last_ip_address text,
      connection_id text,
      domain_id text,
      directory_id text,
      tested_at timestamptz,
      finished_at timestamptz,
      ended_at timestamptz,
      ended_because text check (ended_because in ('deleted', 'expired', 'right_lost', 'organisation_inactive')),
      activated_at timestamptz,
      expires_at timestamptz not null,
      created_at timestamptz not null,
      primary key (organisation_id, id),
      foreign key (organisation_id, created_by_id) references users (organisation_id, id) on delete cascade,
      foreign key (organisation_id, created_by_key_id) references api_keys (organisation_id, id) on delete cascade,
      foreign key (organisation_id, connection_id) references connections (organisation_id, id) on delete set null (connection_id),
      foreign key (organisation_id, domain_id) references organisation_domains (organisation_id, id) on delete set null (domain_id),
      foreign key (organisation_id, directory_id) references directories (organisation_id, id) on delete set null (directory_id)
    )`.execute(database)
  await run('create index setup_links_open_index on setup_links (expires_at) where finished_at is null and ended_at is null')
  await secureTenantTable(database, 'setup_links')

  // A test sign-in is for a signed-in user, or for the visitor of a link.
  await run(`
    alter table federation_requests
      add column setup_link_id text,
      drop constraint federation_requests_check`)
  await run(`
    alter table federation_requests add constraint federation_requests_check
      check (purpose = 'sign_in' or user_id is not null or (purpose = 'test' and setup_link_id is not null)) not valid`)
}
