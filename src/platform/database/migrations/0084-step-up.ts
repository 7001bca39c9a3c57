import { type Kysely, sql } from 'kysely'

/**
 * Step-up: what a client asks of every sign-in, and the level that a request was granted, where it named one. It goes from the code
 * to the family, and so into every access token of it.
 */
export async function up(database: Kysely<unknown>): Promise<void> {
  await sql`alter table clients add column default_acr_values text[]`.execute(database)
  await sql`alter table authorization_codes add column authentication_context text`.execute(database)
  await sql`alter table token_families add column authentication_context text`.execute(database)
}
