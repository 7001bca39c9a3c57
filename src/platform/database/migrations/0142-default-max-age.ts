import { type Kysely, sql } from 'kysely'

/** How old a sign-in may be for a client whose requests do not say so themselves (OpenID Connect Dynamic Client Registration §2). */
export async function up(database: Kysely<unknown>): Promise<void> {
  await sql`alter table clients add column default_max_age integer`.execute(database)
}
