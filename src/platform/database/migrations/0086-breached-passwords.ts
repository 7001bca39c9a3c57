import { type Kysely, sql } from 'kysely'

/** When a user's password was found among those that are known from data breaches: they are told once, and may have to change it. */
export async function up(database: Kysely<unknown>): Promise<void> {
  await sql`alter table users add column password_breached_at timestamptz`.execute(database)
}
