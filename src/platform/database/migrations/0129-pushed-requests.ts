import { type Kysely, sql } from 'kysely'

/** Authorization requests that clients push (RFC 9126), and clients that have to. */
export async function up(database: Kysely<unknown>): Promise<void> {
  await sql`alter table clients add column require_pushed_authorization_requests boolean not null default false`.execute(database)
  await sql`alter table authorization_requests add column pushed_by text`.execute(database)
}
