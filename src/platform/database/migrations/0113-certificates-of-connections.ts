import { type Kysely, sql } from 'kysely'
import type { ConcurrentIndex } from '../concurrent-indexes.ts'

// It takes the place of connections_documents_checked_at_index, which has none of SAML.
export const concurrentIndexes: readonly ConcurrentIndex[] = [
  {
    name: 'connections_with_documents_index',
    on: `connections (coalesce(documents_checked_at, created_at))
      where is_active and provider <> 'github' and (provider <> 'saml' or configuration ? 'metadataUrl')`,
  },
]

// Without the index, the former release reads all connections once an hour: there are few.
export const stopsFormerRelease = undefined

/** The warning of an expiring certificate that was given last, and how many certificates of the metadata are not trusted because there are too many. */
export async function up(database: Kysely<unknown>): Promise<void> {
  await sql`
    alter table connections
      add column certificate_warning text,
      add column certificates_left_out integer not null default 0`.execute(database)
  await sql`drop index connections_documents_checked_at_index`.execute(database)
}
