import { type Kysely, sql } from 'kysely'
import { organisationId, secureTenantTable } from './tenant-table.ts'

/** The logout tokens of identity providers that have been used: each is taken once. */
export async function up(database: Kysely<unknown>): Promise<void> {
  await sql`
    create table logout_tokens (
      ${organisationId},
      connection_id text not null,
      jti_hash text not null,
      expires_at timestamptz not null,
      primary key (organisation_id, connection_id, jti_hash),
      foreign key (organisation_id, connection_id) references connections (organisation_id, id) on delete cascade
    )`.execute(database)
  await sql`create index logout_tokens_expires_at_index on logout_tokens (expires_at)`.execute(database)
  await secureTenantTable(database, 'logout_tokens')
}
