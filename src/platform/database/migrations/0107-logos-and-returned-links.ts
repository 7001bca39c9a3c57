import { type Kysely, sql } from 'kysely'
import { organisationId, secureTenantTable } from './tenant-table.ts'

/**
 * The logo that an organisation has uploaded, named by what it holds, so that its address may be stored for ever. In base64: an
 * organisation's file and the check of isolation hold rows as JSON.
 *
 * And whether the inviter was shown the link of an invitation: to have it then does not prove the address.
 */
export async function up(database: Kysely<unknown>): Promise<void> {
  await sql`
    create table organisation_logos (
      ${organisationId},
      hash text not null,
      media_type text not null,
      content_base64 text not null check (length(content_base64) <= 349528),
      created_at timestamptz not null,
      primary key (organisation_id, hash)
    )`.execute(database)
  await sql`create index organisation_logos_hash_index on organisation_logos (hash)`.execute(database)
  await secureTenantTable(database, 'organisation_logos')
  await sql`alter table invitations add column link_returned boolean not null default false`.execute(database)
}
