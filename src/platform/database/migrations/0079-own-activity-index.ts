import { type Kysely, sql } from 'kysely'

/** What a user sees of their own activity, without reading all that an administrator has ever done. */
export async function up(database: Kysely<unknown>): Promise<void> {
  await sql`
    create index audit_logs_own_index on audit_logs (organisation_id, actor_id, id)
    where action in ('login.success', 'auth.logout', 'session.revoked', 'oauth2.consent.granted', 'oauth2.consent.revoked',
      'api_key.created')`.execute(database)
}
