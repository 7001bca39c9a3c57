import { type Kysely, sql } from 'kysely'
import { asSystem } from './as-system.ts'

/**
 * An enrolment belongs to the session that began it. Those that were begun before are forgotten: nothing says by which
 * session. An earlier release that begins one meanwhile leaves it without a session, and this one does not find it.
 */
export async function up(database: Kysely<unknown>): Promise<void> {
  await sql`alter table mfa_credentials add column session_id text`.execute(database)
  await asSystem(database, () => sql`delete from mfa_credentials where verified_at is null`.execute(database), ['mfa_credentials'])
  await sql`drop index mfa_credentials_pending_key`.execute(database)
  await sql`
    create unique index mfa_credentials_pending_key on mfa_credentials (organisation_id, user_id, session_id)
    where verified_at is null`.execute(database)
}
