import { type Kysely, sql } from 'kysely'
import { organisationId, secureTenantTable } from './tenant-table.ts'

/**
 * The signed assertions that have been taken, by which a client or an identity provider has spoken: each is taken once. A client that several
 * organisations know has one name in all of them, so the second key is without the organisation.
 */
export async function up(database: Kysely<unknown>): Promise<void> {
  await sql`
    create table used_assertions (
      ${organisationId},
      issuer text not null,
      assertion_hash text not null,
      expires_at timestamptz not null,
      primary key (organisation_id, issuer, assertion_hash),
      constraint used_assertions_once_key unique (issuer, assertion_hash)
    )`.execute(database)
  await sql`create index used_assertions_expires_at_index on used_assertions (expires_at)`.execute(database)
  await secureTenantTable(database, 'used_assertions')
}
