import { type Kysely, sql } from 'kysely'

/** What a refusal says in words of ours, by the codes of those words: they are shown in the language of the administrator. */
export async function up(database: Kysely<unknown>): Promise<void> {
  await sql`alter table diagnostics add column phrases jsonb`.execute(database)
}
