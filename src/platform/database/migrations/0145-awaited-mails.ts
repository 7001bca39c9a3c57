import { type Kysely, sql } from 'kysely'

/** Whether a person waits for the mail, such as for a code: it is sent before the others of its organisation. */
export async function up(database: Kysely<unknown>): Promise<void> {
  await sql`alter table mails add column is_awaited boolean not null default false`.execute(database)
}
