import { type Kysely, sql } from 'kysely'

/** Counters of the rate limits, when they are not in Redis. They survive a restart but, being unlogged, not a crash. */
export async function up(database: Kysely<unknown>): Promise<void> {
  await sql`
    create unlogged table rate_limits (
      key text primary key,
      count integer not null,
      ends_at timestamptz not null
    )`.execute(database)
  await sql`create index rate_limits_ends_at_index on rate_limits (ends_at)`.execute(database)
}
