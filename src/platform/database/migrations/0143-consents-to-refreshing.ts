import { type Kysely, sql } from 'kysely'

/**
 * Whether users have been told that an application which no administrator has registered can refresh its tokens. Null where the former
 * release has asked them: then it is what the application says of itself.
 */
export async function up(database: Kysely<unknown>): Promise<void> {
  for (const table of ['consents', 'authorization_codes', 'device_codes'])
    await sql`alter table ${sql.table(table)} add column allows_refresh boolean`.execute(database)
}
