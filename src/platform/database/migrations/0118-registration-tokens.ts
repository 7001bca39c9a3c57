import { type Kysely, sql } from 'kysely'
import { organisationId, secureTenantTable } from './tenant-table.ts'

// The former release knows neither the table nor the columns: it creates clients of administrators as before.
export const stopsFormerRelease = undefined

/**
 * Tokens by which programs register clients themselves (RFC 7591), and what such a client has registered. A token that has ended stays:
 * what it allowed still bounds its clients.
 */
export async function up(database: Kysely<unknown>): Promise<void> {
  const run = (statement: string) => sql.raw(statement).execute(database)

  await sql`
    create table registration_tokens (
      ${organisationId},
      id text not null,
      name text,
      token_hash text not null constraint registration_tokens_token_hash_key unique,
      allowed_grant_types text[] not null,
      allowed_scopes text[] not null,
      expires_at timestamptz,
      max_uses integer check (max_uses > 0),
      uses integer not null default 0,
      last_used_at timestamptz,
      created_by_id text,
      created_at timestamptz not null,
      ended_at timestamptz,
      primary key (organisation_id, id),
      constraint registration_tokens_uses_check check (uses <= max_uses),
      foreign key (organisation_id, created_by_id) references users (organisation_id, id) on delete set null (created_by_id)
    )`.execute(database)
  await run('create index registration_tokens_open_index on registration_tokens (organisation_id) where ended_at is null')
  await secureTenantTable(database, 'registration_tokens')

  await run(`
    alter table clients
      add column registration_token_id text,
      add column registration_access_token_hash text,
      add column registered_from text,
      add column registered_metadata jsonb`)
  // No client has one yet, so no row has to be looked at.
  await run(`
    alter table clients add constraint clients_registration_token_fkey
      foreign key (organisation_id, registration_token_id) references registration_tokens (organisation_id, id) not valid`)
}
