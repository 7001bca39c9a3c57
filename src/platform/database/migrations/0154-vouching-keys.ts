import { type Kysely, sql } from 'kysely'

/**
 * Which API key vouches for a connection, or has invited, beside the user of the key: what the key may not do is not done in its name later.
 * And who vouches for a directory, as for a connection. All of them are null for what was there before, and the keys for what no key has made.
 *
 * The ids of keys refer to no row: a key that an import has left out is one that has been deleted, and never none.
 */
export async function up(database: Kysely<unknown>): Promise<void> {
  const run = (statement: string) => sql.raw(statement).execute(database)

  await run('alter table connections add column vouched_by_key_id text')
  await run('alter table invitations add column invited_by_key_id text')
  await run(`
    alter table directories add column vouched_by_id text, add column vouched_by_key_id text,
      add constraint directories_vouched_by_fkey foreign key (organisation_id, vouched_by_id) references users (organisation_id, id)`)
}
