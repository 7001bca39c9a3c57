import { type Kysely, sql } from 'kysely'

/**
 * Lets a refresh token be rotated in place. An update that changes a column of any index, a partial one included, writes an
 * entry into every index of the table; the time of the rotation was in one, and every refresh changes it.
 */
export async function up(database: Kysely<unknown>): Promise<void> {
  await sql`drop index refresh_tokens_answer_index`.execute(database)
  // Few rows hold an answer, and for a minute at most: the condition finds them, the column need not.
  await sql`create index refresh_tokens_answer_index on refresh_tokens (kept_until) where answer_encrypted is not null`.execute(database)
}
