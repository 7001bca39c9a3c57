import { type Kysely, sql } from 'kysely'
import { organisationId, secureTenantTable } from './tenant-table.ts'

/** What a user's authorization of a client leaves behind. Codes and refresh tokens are kept as hashes. */
export async function up(database: Kysely<unknown>): Promise<void> {
  const ofUser = sql`foreign key (organisation_id, user_id) references users (organisation_id, id) on delete cascade`
  const ofClient = sql`foreign key (organisation_id, client_id) references clients (organisation_id, id) on delete cascade`

  await sql`
    create table authorization_requests (
      ${organisationId},
      reference_hash text not null constraint authorization_requests_reference_key unique,
      client_id text not null,
      parameters jsonb not null,
      decision text check (decision in ('allow', 'cancel')),
      decided_by_id text,
      created_at timestamptz not null,
      expires_at timestamptz not null,
      primary key (organisation_id, reference_hash),
      check ((decision is null) = (decided_by_id is null)),
      ${ofClient}
    )`.execute(database)
  await sql`create index authorization_requests_expires_at_index on authorization_requests (expires_at)`.execute(database)

  await sql`
    create table authorization_codes (
      ${organisationId},
      code_hash text not null,
      client_id text not null,
      user_id text not null,
      session_id text not null,
      family_id text not null,
      redirect_uri text not null,
      redirect_uri_sent boolean not null,
      scope text[] not null,
      nonce text,
      code_challenge text,
      code_challenge_method text check (code_challenge_method in ('S256', 'plain')),
      authenticated_at timestamptz not null,
      authentication_methods text[] not null,
      created_at timestamptz not null,
      expires_at timestamptz not null,
      used_at timestamptz,
      primary key (organisation_id, code_hash),
      check ((code_challenge is null) = (code_challenge_method is null)),
      ${ofUser},
      ${ofClient}
    )`.execute(database)
  await sql`create index authorization_codes_user_index on authorization_codes (organisation_id, user_id)`.execute(database)
  await sql`create index authorization_codes_expires_at_index on authorization_codes (expires_at)`.execute(database)

  await sql`
    create table token_families (
      ${organisationId},
      id text not null,
      client_id text not null,
      user_id text not null,
      session_id text not null,
      scope text[] not null,
      authenticated_at timestamptz not null,
      authentication_methods text[] not null,
      created_at timestamptz not null,
      kept_until timestamptz not null,
      revoked_at timestamptz,
      primary key (organisation_id, id),
      ${ofUser},
      ${ofClient}
    )`.execute(database)
  await sql`create index token_families_user_index on token_families (organisation_id, user_id, client_id)`.execute(database)
  await sql`create index token_families_kept_until_index on token_families (kept_until)`.execute(database)

  await sql`
    create table refresh_tokens (
      ${organisationId},
      token_hash text not null,
      family_id text not null,
      created_at timestamptz not null,
      expires_at timestamptz not null,
      kept_until timestamptz not null,
      rotated_at timestamptz,
      answer_encrypted text,
      primary key (organisation_id, token_hash),
      foreign key (organisation_id, family_id) references token_families (organisation_id, id) on delete cascade
    ) with (fillfactor = 90)`.execute(database)
  await sql`create index refresh_tokens_family_index on refresh_tokens (organisation_id, family_id)`.execute(database)
  await sql`create index refresh_tokens_kept_until_index on refresh_tokens (kept_until)`.execute(database)
  await sql`create index refresh_tokens_answer_index on refresh_tokens (rotated_at) where answer_encrypted is not null`.execute(database)

  await sql`
    create table revoked_access_tokens (
      ${organisationId},
      jti text not null,
      expires_at timestamptz not null,
      primary key (organisation_id, jti)
    )`.execute(database)
  await sql`create index revoked_access_tokens_expires_at_index on revoked_access_tokens (expires_at)`.execute(database)

  await sql`
    create table consents (
      ${organisationId},
      user_id text not null,
      client_id text not null,
      scopes text[] not null,
      granted_at timestamptz not null,
      primary key (organisation_id, user_id, client_id),
      ${ofUser},
      ${ofClient}
    )`.execute(database)

  for (const table of [
    'authorization_requests',
    'authorization_codes',
    'token_families',
    'refresh_tokens',
    'revoked_access_tokens',
    'consents',
  ]) {
    await secureTenantTable(database, table)
  }
}
