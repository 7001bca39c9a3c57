import { type Kysely, sql } from 'kysely'
import type { ConcurrentIndex } from '../concurrent-indexes.ts'

/** The accounts of other organisations in a domain are counted with each list of domains. */
export const concurrentIndexes: readonly ConcurrentIndex[] = [
  { name: 'users_email_domain_index', on: "users (split_part(email, '@', 2), organisation_id, id)" },
]

/** And a connection says since when users come by it with more groups than count. */
export async function up(database: Kysely<unknown>): Promise<void> {
  await sql`alter table connections add column groups_cut_since timestamptz`.execute(database)
}
