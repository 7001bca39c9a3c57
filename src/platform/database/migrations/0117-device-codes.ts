import { type Kysely, sql } from 'kysely'
import { organisationId, secureTenantTable } from './tenant-table.ts'

/** Requests of devices without a browser (RFC 8628), each with the decision of the user and the session in which it was made. */
export async function up(database: Kysely<unknown>): Promise<void> {
  await sql`
    create table device_codes (
      ${organisationId},
      device_code_hash text not null,
      user_code_hash text not null constraint device_codes_user_code_key unique,
      client_id text not null,
      scope text[] not null,
      resources text[],
      ip_address text not null,
      user_agent text not null,
      interval_seconds integer not null,
      polled_at timestamptz,
      decision text check (decision in ('allow', 'cancel')),
      decided_at timestamptz,
      user_id text,
      session_id text,
      family_id text,
      authenticated_at timestamptz,
      authentication_methods text[],
      authentication_context text,
      connection_id text,
      upstream_session text,
      federated_until timestamptz,
      sign_in_id text,
      created_at timestamptz not null,
      expires_at timestamptz not null,
      used_at timestamptz,
      primary key (organisation_id, device_code_hash),
      constraint device_codes_allowed_check check (decision is distinct from 'allow' or (user_id is not null and session_id is not null
        and family_id is not null and authenticated_at is not null and authentication_methods is not null)),
      foreign key (organisation_id, user_id) references users (organisation_id, id) on delete cascade,
      foreign key (organisation_id, client_id) references clients (organisation_id, id) on delete cascade
    )`.execute(database)
  await sql`create index device_codes_user_index on device_codes (organisation_id, user_id) where user_id is not null`.execute(database)
  await sql`create index device_codes_client_index on device_codes (organisation_id, client_id)`.execute(database)
  await sql`create index device_codes_expires_at_index on device_codes (expires_at)`.execute(database)
  await secureTenantTable(database, 'device_codes')
}
