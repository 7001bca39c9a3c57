import { type Kysely, sql } from 'kysely'

/** Clients that are held to a profile of OAuth (FAPI 2.0 Security Profile). */
export async function up(database: Kysely<unknown>): Promise<void> {
  await sql`alter table clients add column profile text constraint clients_profile_check check (profile in ('fapi2'))`.execute(database)
}
