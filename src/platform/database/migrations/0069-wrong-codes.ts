import { type Kysely, sql } from 'kysely'

/** How many codes of a second factor a user has got wrong in a row, and until when no code is judged because of it. */
export async function up(database: Kysely<unknown>): Promise<void> {
  await sql`
    alter table users
      add column wrong_codes integer not null default 0,
      add column codes_refused_until timestamptz`.execute(database)
}
