import { type Kysely, sql } from 'kysely'

/** A user who allows an application holds the version of its document until the commit: to lock a row takes the right to write one of its columns. */
export async function up(database: Kysely<unknown>): Promise<void> {
  await sql`grant select (client_id, version), update (used_at) on client_documents to gatehouse_tenant`.execute(database)
}
