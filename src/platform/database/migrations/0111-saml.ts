import { type Kysely, sql } from 'kysely'
import { organisationId, secureTenantTable } from './tenant-table.ts'

/**
 * The assertions of SAML that have signed a user in: each is taken once. A response that a form has brought is stored with its request until
 * the browser comes with its cookie.
 */
export async function up(database: Kysely<unknown>): Promise<void> {
  await sql`
    create table saml_used (
      ${organisationId},
      connection_id text not null,
      assertion_hash text not null,
      expires_at timestamptz not null,
      primary key (organisation_id, connection_id, assertion_hash),
      foreign key (organisation_id, connection_id) references connections (organisation_id, id) on delete cascade
    )`.execute(database)
  await sql`create index saml_used_expires_at_index on saml_used (expires_at)`.execute(database)
  await secureTenantTable(database, 'saml_used')
  await sql`alter table federation_requests add column response_encrypted text`.execute(database)
}
