import { type Kysely, sql } from 'kysely'
import { asSystem } from './as-system.ts'

/**
 * When a client and its current secret were last used, and when the secret was made; null is as old as the client. What had been
 * rotated before is read from the audit log.
 */
export async function up(database: Kysely<unknown>): Promise<void> {
  await sql`
    alter table clients
      add column last_used_at timestamptz,
      add column secret_created_at timestamptz,
      add column secret_last_used_at timestamptz`.execute(database)
  await asSystem(database, () =>
    sql`
      update clients set secret_created_at = rotated.at
      from clients former, lateral (
        select max(created_at) as at from audit_logs
        where audit_logs.organisation_id = former.organisation_id and target_id = former.id and action = 'client.secret_rotated'
      ) rotated
      where clients.organisation_id = former.organisation_id and clients.id = former.id and rotated.at is not null`.execute(database),
  )
}
