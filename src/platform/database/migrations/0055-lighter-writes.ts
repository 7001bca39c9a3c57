import { type Kysely, sql } from 'kysely'

/** Takes from the tables that most requests of OAuth write to what says again what something else says already. */
export async function up(database: Kysely<unknown>): Promise<void> {
  // Whatever refers to a client refers to its organisation; each reference is a query and a lock with every insert.
  for (const table of ['authorization_requests', 'authorization_codes', 'token_families']) {
    await sql`alter table ${sql.table(table)} drop constraint ${sql.ref(`${table}_organisation_id_fkey`)}`.execute(database)
  }
  // The id of an entry begins with its time.
  await sql`drop index audit_logs_created_at_index`.execute(database)
}
