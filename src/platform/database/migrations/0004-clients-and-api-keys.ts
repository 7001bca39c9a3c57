import { type Kysely, sql } from 'kysely'
import { organisationId, secureTenantTable } from './tenant-table.ts'

/** What calls the service for an organisation without being a person. */
export async function up(database: Kysely<unknown>): Promise<void> {
  await sql`
    create table clients (
      ${organisationId},
      id text not null constraint clients_id_key unique,
      name text not null,
      name_key text collate "C" not null generated always as (lower(name)) stored,
      description text,
      client_type text not null check (client_type in ('confidential', 'public')),
      token_endpoint_auth_method text not null
        check (token_endpoint_auth_method in ('client_secret_basic', 'client_secret_post', 'none')),
      secret_hash text,
      previous_secret_hash text,
      previous_secret_expires_at timestamptz,
      redirect_uris text[] not null default '{}',
      post_logout_redirect_uris text[] not null default '{}',
      grant_types text[] not null,
      scopes text[] not null default '{}',
      require_pkce boolean not null default true,
      allow_plain_pkce boolean not null default true,
      require_consent boolean not null default false,
      is_active boolean not null default true,
      refresh_token_grace_seconds integer not null default 0 check (refresh_token_grace_seconds between 0 and 60),
      access_token_lifetime integer,
      refresh_token_lifetime integer,
      id_token_lifetime integer,
      authorization_code_ttl integer not null default 600,
      id_token_signed_response_alg text not null default 'EdDSA' check (id_token_signed_response_alg in ('EdDSA', 'RS256')),
      logo_url text,
      tokens_valid_after timestamptz,
      created_at timestamptz not null,
      updated_at timestamptz not null,
      deleted_at timestamptz,
      primary key (organisation_id, id),
      check ((client_type = 'public') = (token_endpoint_auth_method = 'none')),
      check ((client_type = 'public') = (secret_hash is null)),
      check (client_type = 'confidential' or require_pkce)
    )`.execute(database)
  await sql`create index clients_name_index on clients (organisation_id, name_key, id) where deleted_at is null`.execute(database)
  await secureTenantTable(database, 'clients')

  await sql`
    create table api_keys (
      ${organisationId},
      id text not null,
      name text not null,
      name_key text collate "C" not null generated always as (lower(name)) stored,
      prefix text not null,
      key_hash text not null constraint api_keys_key_hash_key unique,
      permissions text[] not null,
      expires_at timestamptz,
      last_used_at timestamptz,
      created_by_id text not null,
      created_at timestamptz not null,
      deleted_at timestamptz,
      primary key (organisation_id, id),
      foreign key (organisation_id, created_by_id) references users (organisation_id, id)
    )`.execute(database)
  await sql`create index api_keys_name_index on api_keys (organisation_id, name_key, id) where deleted_at is null`.execute(database)
  await secureTenantTable(database, 'api_keys')
}
