import { type Kysely, sql } from 'kysely'

/** By which factor a session proved again that it is its user: some operations take a passkey alone for it. */
export async function up(database: Kysely<unknown>): Promise<void> {
  await sql`alter table sessions add column reauthenticated_with text`.execute(database)
}
