import { type Kysely, sql } from 'kysely'

/** Since when the document of an application that introduces itself cannot be read, so that operators and administrators learn of it. */
export async function up(database: Kysely<unknown>): Promise<void> {
  await sql`alter table client_documents add column failing_since timestamptz`.execute(database)
}
