import { type Kysely, sql } from 'kysely'

/** Whether a connection takes identity assertions of its provider, and the identity of a family of tokens that such an assertion began. */
export async function up(database: Kysely<unknown>): Promise<void> {
  await sql`alter table connections add column identity_assertions jsonb`.execute(database)
  await sql`alter table token_families add column identity_id text`.execute(database)
}
