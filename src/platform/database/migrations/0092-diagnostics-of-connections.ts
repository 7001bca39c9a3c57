import { type Kysely, sql } from 'kysely'

/** Why a sign-in by a connection was refused: every check that was made, in their order. */
export async function up(database: Kysely<unknown>): Promise<void> {
  await sql`alter table diagnostics add column connection_id text, add column checks jsonb`.execute(database)
}
