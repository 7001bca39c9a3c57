import { type Kysely, sql } from 'kysely'
import { organisationId, secureTenantTable } from './tenant-table.ts'

/** Organisations, their users, and how users sign in. */
export async function up(database: Kysely<unknown>): Promise<void> {
  for (const role of ['gatehouse_tenant', 'gatehouse_system']) await belongTo(database, role)

  await sql`
    create table organisations (
      id text primary key,
      slug text not null constraint organisations_slug_key unique,
      name text not null constraint organisations_name_key unique,
      email text not null constraint organisations_email_key unique,
      phone text,
      website text,
      owner_id text constraint organisations_owner_key unique,
      allowed_callback_urls text[] not null default '{}',
      allowed_logout_urls text[] not null default '{}',
      allowed_origins text[] not null default '{}',
      status text not null default 'trial' check (status in ('trial', 'active', 'suspended', 'cancelled')),
      suspended_reason text,
      session_lifetime integer not null default 3600,
      session_idle_timeout integer not null default 1800,
      require_mfa boolean not null default false,
      allowed_mfa_methods text[] not null default '{totp}',
      password_policy jsonb,
      token_lifetime_policy jsonb,
      branding jsonb,
      metadata jsonb not null default '{}',
      created_at timestamptz not null,
      updated_at timestamptz not null,
      deleted_at timestamptz,
      check ((status = 'cancelled') = (deleted_at is not null))
    )`.execute(database)
  await sql`create index organisations_allowed_origins_index on organisations using gin (allowed_origins)`.execute(database)
  await secureTenantTable(database, 'organisations', 'id')

  await sql`
    create table users (
      ${organisationId},
      id text not null,
      email text not null constraint users_email_key unique check (email = lower(email)),
      first_name text not null,
      last_name text not null,
      name text not null generated always as (btrim(first_name || ' ' || last_name)) stored,
      phone text,
      email_verified_at timestamptz,
      password_hash text,
      password_changed_at timestamptz,
      mfa_enabled boolean not null default false,
      blocked_at timestamptz,
      blocked_reason text,
      last_login_at timestamptz,
      created_at timestamptz not null,
      updated_at timestamptz not null,
      deleted_at timestamptz,
      primary key (organisation_id, id)
    )`.execute(database)
  await secureTenantTable(database, 'users')

  await sql`
    alter table organisations add constraint organisations_owner_fkey
      foreign key (id, owner_id) references users (organisation_id, id) deferrable initially deferred`.execute(database)

  await sql`
    create table sessions (
      ${organisationId},
      id text not null,
      user_id text not null,
      token_hash text not null constraint sessions_token_hash_key unique,
      ip_address text not null,
      user_agent text not null,
      authenticated_at timestamptz not null,
      authentication_methods text[] not null,
      awaits_mfa_enrolment boolean not null default false,
      idle_timeout integer not null,
      last_activity_at timestamptz not null,
      expires_at timestamptz not null,
      created_at timestamptz not null,
      revoked_at timestamptz,
      primary key (organisation_id, id),
      foreign key (organisation_id, user_id) references users (organisation_id, id) on delete cascade
    )`.execute(database)
  await sql`create index sessions_user_index on sessions (organisation_id, user_id, last_activity_at)`.execute(database)
  await sql`create index sessions_expires_at_index on sessions (expires_at)`.execute(database)
  await secureTenantTable(database, 'sessions')

  await sql`
    create table action_links (
      ${organisationId},
      id text not null,
      user_id text not null,
      purpose text not null check (purpose in ('password_reset', 'password_change', 'email_verification')),
      token_hash text not null constraint action_links_token_hash_key unique,
      expires_at timestamptz not null,
      created_at timestamptz not null,
      used_at timestamptz,
      primary key (organisation_id, id),
      foreign key (organisation_id, user_id) references users (organisation_id, id) on delete cascade
    )`.execute(database)
  await sql`create index action_links_user_index on action_links (organisation_id, user_id, purpose)`.execute(database)
  await sql`create index action_links_expires_at_index on action_links (expires_at)`.execute(database)
  await secureTenantTable(database, 'action_links')
}

/**
 * Makes a role and takes it on. Roles belong to the whole server: another database on it may be creating them at this
 * moment, and a role that may not create or grant roles can be given both beforehand.
 */
async function belongTo(database: Kysely<unknown>, role: string): Promise<void> {
  await sql`
    do $$ begin
      if not exists (select from pg_roles where rolname = ${sql.lit(role)}) then
        create role ${sql.id(role)} nologin;
      end if;
    exception when duplicate_object or unique_violation then null;
    end $$`.execute(database)
  await sql`
    do $$ begin
      grant ${sql.id(role)} to current_user;
    exception when insufficient_privilege then
      if not pg_has_role(${sql.lit(role)}, 'member') then raise; end if;
    end $$`.execute(database)
}
