import { type Kysely, sql } from 'kysely'

/**
 * Which scopes were authorized at which resource server. Null without resource servers, and in rows of the former release: for those it is
 * what the resource servers define now.
 */
export async function up(database: Kysely<unknown>): Promise<void> {
  for (const table of ['authorization_codes', 'device_codes', 'token_families'])
    await sql`alter table ${sql.table(table)} add column resource_scopes jsonb`.execute(database)
}
