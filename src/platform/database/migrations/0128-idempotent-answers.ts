import { type Kysely, sql } from 'kysely'

/** The answers to requests with an `Idempotency-Key`, for as long as the same request may be repeated. */
export async function up(database: Kysely<unknown>): Promise<void> {
  await sql`
    create table idempotent_answers (
      id text primary key,
      answer_encrypted text not null,
      expires_at timestamptz not null
    )`.execute(database)
  await sql`create index idempotent_answers_expires_at_index on idempotent_answers (expires_at)`.execute(database)
}
