import { type Kysely, sql } from 'kysely'
import type { ConcurrentIndex } from '../concurrent-indexes.ts'
import { organisationId, secureTenantTable } from './tenant-table.ts'

export const concurrentIndexes: readonly ConcurrentIndex[] = [
  {
    name: 'clients_automatic_client_key',
    on: 'clients (automatic_client_id, organisation_id) where automatic_client_id is not null and deleted_at is null',
    isUnique: true,
  },
]

/** Client ID metadata documents that were fetched, and the hosts whose documents an organisation refuses. */
export async function up(database: Kysely<unknown>): Promise<void> {
  await sql`
    create table client_documents (
      client_id text primary key,
      host text not null,
      document jsonb not null,
      version text not null,
      etag text,
      logo text,
      logo_type text,
      logo_hash text,
      fetched_at timestamptz not null,
      expires_at timestamptz not null,
      used_at timestamptz not null
    )`.execute(database)
  await sql`create index client_documents_used_at_index on client_documents (used_at)`.execute(database)
  await sql`create index client_documents_logo_index on client_documents (logo_hash) where logo_hash is not null`.execute(database)

  await sql`
    create table blocked_client_hosts (
      ${organisationId},
      id text not null,
      host text not null,
      reason text,
      created_by_id text,
      created_at timestamptz not null,
      primary key (organisation_id, id),
      constraint blocked_client_hosts_host_key unique (organisation_id, host)
    )`.execute(database)
  await secureTenantTable(database, 'blocked_client_hosts')
}
