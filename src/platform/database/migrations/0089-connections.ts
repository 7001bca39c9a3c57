import { type Kysely, sql } from 'kysely'
import { organisationId, secureTenantTable } from './tenant-table.ts'

/**
 * Connections to identity providers, the identities of users there, and sign-ins that are under way at one. Sessions say by which
 * connection they came.
 */
export async function up(database: Kysely<unknown>): Promise<void> {
  const run = (statement: string) => sql.raw(statement).execute(database)

  await sql`
    create table connections (
      ${organisationId},
      id text not null constraint connections_id_key unique,
      slug text not null,
      name text not null,
      type text not null check (type in ('oidc', 'oauth2', 'saml')),
      provider text not null check (provider in ('google', 'microsoft', 'github', 'apple', 'oidc', 'saml')),
      is_active boolean not null default true,
      configuration jsonb not null,
      secret_encrypted text,
      previous_secret_encrypted text,
      previous_secret_expires_at timestamptz,
      linking text check (linking in ('none', 'confirm', 'automatic')),
      provisioning text not null default 'none' check (provisioning in ('none', 'jit')),
      mapping jsonb not null default '{}',
      role_mappings jsonb not null default '[]',
      team_mappings jsonb not null default '[]',
      sync_on text not null default 'creation' check (sync_on in ('creation', 'every_sign_in')),
      trusts_mfa boolean not null default false,
      mfa_contexts jsonb not null default '[]',
      upstream_logout boolean not null default false,
      idp_initiated text not null default 'refuse' check (idp_initiated in ('refuse', 'restart')),
      session_max_age_seconds integer check (session_max_age_seconds > 0),
      last_used_at timestamptz,
      failing_since timestamptz,
      failures integer not null default 0,
      last_error text,
      created_at timestamptz not null,
      updated_at timestamptz not null,
      primary key (organisation_id, id),
      constraint connections_slug_key unique (organisation_id, slug),
      check (type = case provider when 'github' then 'oauth2' when 'saml' then 'saml' else 'oidc' end),
      check ((previous_secret_encrypted is null) = (previous_secret_expires_at is null))
    )`.execute(database)
  await secureTenantTable(database, 'connections')

  await sql`
    create table identities (
      ${organisationId},
      id text not null,
      connection_id text not null,
      subject text not null,
      user_id text not null,
      email text check (email = lower(email)),
      claims jsonb not null default '{}',
      created_at timestamptz not null,
      last_used_at timestamptz,
      primary key (organisation_id, id),
      constraint identities_subject_key unique (organisation_id, connection_id, subject),
      foreign key (organisation_id, connection_id) references connections (organisation_id, id) on delete cascade,
      foreign key (organisation_id, user_id) references users (organisation_id, id) on delete cascade
    )`.execute(database)
  await run('create index identities_user_index on identities (organisation_id, user_id)')
  await secureTenantTable(database, 'identities')

  await sql`
    create table federation_requests (
      ${organisationId},
      state_hash text not null,
      connection_id text not null,
      purpose text not null check (purpose in ('sign_in', 'link', 'test')),
      nonce_hash text,
      verifier_encrypted text not null,
      browser_hash text not null,
      return_to text not null,
      user_id text,
      expires_at timestamptz not null,
      used_at timestamptz,
      primary key (organisation_id, state_hash),
      foreign key (organisation_id, connection_id) references connections (organisation_id, id) on delete cascade,
      foreign key (organisation_id, user_id) references users (organisation_id, id) on delete cascade,
      check (purpose = 'sign_in' or user_id is not null)
    )`.execute(database)
  await run('create index federation_requests_expires_at_index on federation_requests (expires_at)')
  await run('create index federation_requests_connection_index on federation_requests (organisation_id, connection_id)')
  await secureTenantTable(database, 'federation_requests')

  await run(`
    alter table sessions
      add column connection_id text,
      add column upstream_subject text,
      add column upstream_session text,
      add column id_token_encrypted text,
      add constraint sessions_connection_fkey foreign key (organisation_id, connection_id)
        references connections (organisation_id, id) on delete set null (connection_id)`)
  await run(`
    create index sessions_connection_index on sessions (organisation_id, connection_id, upstream_subject)
      where connection_id is not null`)
}
