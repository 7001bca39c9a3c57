import { type Kysely, sql } from 'kysely'

/**
 * The factors that a session or a started sign-in has proven, and when: `[{"factor": "password", "provenAt": "…"}]`. Null
 * where the previous release, which may still be running, has written the row.
 */
export async function up(database: Kysely<unknown>): Promise<void> {
  for (const table of ['sessions', 'mfa_challenges']) {
    await sql`alter table ${sql.table(table)} add column proven_factors jsonb`.execute(database)
  }
}
