import { type Kysely, sql } from 'kysely'

/** Where a sign-in begins that the application has not asked for (OpenID Connect Core §4). */
export async function up(database: Kysely<unknown>): Promise<void> {
  await sql`alter table clients add column initiate_login_uri text`.execute(database)
}
