import { type Kysely, sql } from 'kysely'
import { organisationId, secureTenantTable } from './tenant-table.ts'

/** The domains of organisations, each of which proves its own by a record in the DNS. */
export async function up(database: Kysely<unknown>): Promise<void> {
  await sql`
    create table organisation_domains (
      ${organisationId},
      id text not null,
      domain text not null check (domain = lower(domain)),
      status text not null default 'pending' check (status in ('pending', 'verified', 'lapsed')),
      challenge text not null,
      connection_id text,
      sso text not null default 'off' check (sso in ('off', 'offered', 'required')),
      bypass_user_ids jsonb not null default '[]',
      verified_at timestamptz,
      checked_at timestamptz,
      failing_since timestamptz,
      created_at timestamptz not null,
      updated_at timestamptz not null,
      primary key (organisation_id, id),
      constraint organisation_domains_name_key unique (organisation_id, domain),
      constraint organisation_domains_connection_fkey foreign key (organisation_id, connection_id)
        references connections (organisation_id, id) on delete set null (connection_id),
      check (status = 'pending' or verified_at is not null)
    )`.execute(database)
  // A lapsed domain is still its organisation's own until another one proves it.
  await sql`create unique index organisation_domains_domain_key on organisation_domains (domain) where status <> 'pending'`.execute(
    database,
  )
  await sql`create index organisation_domains_connection_index on organisation_domains (organisation_id, connection_id)`.execute(database)
  await sql`create index organisation_domains_checked_at_index on organisation_domains (checked_at) where status = 'verified'`.execute(
    database,
  )
  await sql`create index organisation_domains_required_index on organisation_domains (id) where status = 'verified' and sso = 'required'`.execute(
    database,
  )
  await secureTenantTable(database, 'organisation_domains')
}
