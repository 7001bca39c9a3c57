import { type Kysely, sql } from 'kysely'

/**
 * Who vouches for a connection: the user who created it, or last changed what it is trusted for. What they no longer hold, it does not hand
 * out without a question. Null for one of the operator's, and for those from before, until they are changed.
 */
export async function up(database: Kysely<unknown>): Promise<void> {
  await sql`
    alter table connections add column vouched_by_id text,
      add constraint connections_vouched_by_fkey foreign key (organisation_id, vouched_by_id) references users (organisation_id, id)`.execute(
    database,
  )
}
