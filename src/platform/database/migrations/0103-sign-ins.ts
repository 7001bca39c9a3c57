import { type Kysely, sql } from 'kysely'

/** In the order in which a sign-in writes to them. */
const tables = [
  'authorization_requests',
  'federation_requests',
  'email_codes',
  'mfa_challenges',
  'sessions',
  'authorization_codes',
  'token_families',
  'diagnostics',
  'audit_logs',
]

/** The sign-in that a row is part of. Null where there is none, and in what was written before. */
export async function up(database: Kysely<unknown>): Promise<void> {
  for (const table of tables) await sql`alter table ${sql.table(table)} add column sign_in_id text`.execute(database)
}
