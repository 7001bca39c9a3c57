import { type Kysely, sql } from 'kysely'

/** When the documents of a connection's provider were last read by the task, and which check the last failure was of. */
export async function up(database: Kysely<unknown>): Promise<void> {
  await sql`alter table connections add column documents_checked_at timestamptz, add column failed_check text`.execute(database)
  await sql`
    create index connections_documents_checked_at_index on connections (coalesce(documents_checked_at, created_at))
    where is_active and provider not in ('github', 'saml')`.execute(database)
}
