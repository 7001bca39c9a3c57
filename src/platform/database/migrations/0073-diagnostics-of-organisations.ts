import { type Kysely, sql } from 'kysely'

/** Lists an organisation's refused requests, newest first. What the list is narrowed by is compared within the index. */
export async function up(database: Kysely<unknown>): Promise<void> {
  await sql`
    create index diagnostics_organisation_index
      on diagnostics (organisation_id, created_at, reference, client_id, check_name, error)`.execute(database)
}
