import { type Kysely, sql } from 'kysely'

/** How long after the sign-in of the user refreshing ends for good; null follows the policy of the organisation. */
export async function up(database: Kysely<unknown>): Promise<void> {
  await sql`alter table clients add column refresh_token_absolute_lifetime integer`.execute(database)
}
