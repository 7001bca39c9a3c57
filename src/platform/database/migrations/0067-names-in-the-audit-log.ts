import { type Kysely, sql } from 'kysely'

/** What actors and targets of the audit log were called. Entries from before have their ids alone. */
export async function up(database: Kysely<unknown>): Promise<void> {
  await sql`
    alter table audit_logs
      add column actor_name text, add column actor_email text, add column target_name text, add column target_email text`.execute(database)
  // Users are found by their ids, which have indexes; of what else has an address, invitations alone are looked for by it.
  await sql`
    create index audit_logs_invited_index on audit_logs (organisation_id, target_email, id) where target_type = 'invitation'`.execute(
    database,
  )
}
