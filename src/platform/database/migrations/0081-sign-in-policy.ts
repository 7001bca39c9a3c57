import { type Kysely, sql } from 'kysely'

/**
 * How users of an organisation sign in, and when a session last proved that it is still its user. A member that is not stored
 * has its default, so the release before this one loses nothing.
 */
export async function up(database: Kysely<unknown>): Promise<void> {
  await sql`alter table organisations add column sign_in_policy jsonb not null default '{}'`.execute(database)
  await sql`alter table sessions add column reauthenticated_at timestamptz`.execute(database)
}
