import { type Kysely, sql } from 'kysely'
import { asSystem } from './as-system.ts'

/**
 * The owner role is not the default role: each user whom a connection or a directory brings in would get it. Where it is, it stops being
 * so, with an entry in the audit log. The former release fails at the one request that makes it so, and at nothing else.
 */
export async function up(database: Kysely<unknown>): Promise<void> {
  // First: from here on, no request adds such a row. Not valid, since each row that is not of this form is changed below.
  await sql`alter table roles add constraint roles_owner_default_check check (not (is_owner and is_default)) not valid`.execute(database)
  await asSystem(database, async () => {
    await sql`
      with changed as (
        update roles set is_default = false, updated_at = now() where is_owner and is_default returning organisation_id, id, name
      )
      insert into audit_logs (organisation_id, id, action, actor_type, target_type, target_id, target_name, changes, created_at)
      select organisation_id, new_id('aud', now()), 'role.updated', 'system', 'role', id, name,
        '{"isDefault": {"from": true, "to": false}}', now()
      from changed`.execute(database)
  })
}
