import { type Kysely, sql } from 'kysely'
import { organisationId, secureTenantTable } from './tenant-table.ts'

/** What a document of configuration calls the objects that have no unique name of their own. */
export async function up(database: Kysely<unknown>): Promise<void> {
  await sql`
    create table configuration_keys (
      ${organisationId},
      kind text not null check (kind in ('clients', 'webhooks')),
      key text not null,
      object_id text not null,
      primary key (organisation_id, kind, key),
      constraint configuration_keys_object_key unique (organisation_id, kind, object_id)
    )`.execute(database)
  await secureTenantTable(database, 'configuration_keys')
}
