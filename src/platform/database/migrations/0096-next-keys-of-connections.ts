import { type Kysely, sql } from 'kysely'

/** The key by which a connection will prove itself to its provider: published from now on, and signing from a moment on. */
export async function up(database: Kysely<unknown>): Promise<void> {
  await sql`
    alter table connections add column next_secret_encrypted text, add column next_secret_signs_from timestamptz,
      add constraint connections_next_secret_check check ((next_secret_encrypted is null) = (next_secret_signs_from is null))`.execute(
    database,
  )
}
