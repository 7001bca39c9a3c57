import { sql } from 'kysely'
import type { System } from '../platform/database/database.ts'
import type { Actor } from './actor.ts'
import type { ApiObject } from './catalogue.ts'
import { changesOfWhole } from './changes.ts'

/** Records what happened to the whole system in the audit log of each organisation, by one statement. */
export async function recordForEveryOrganisation(
  system: System,
  actor: Actor,
  { action, permission }: { action: 'permission.created'; permission: ApiObject },
): Promise<void> {
  await sql`
    insert into audit_logs (organisation_id, id, action, actor_type, actor_id, target_type, target_id, ip_address, user_agent, changes, metadata,
      created_at)
    select id, new_id('aud', ${system.now}), ${action}, ${actor.actorType}, ${actor.actorId}, 'permission', ${permission.id},
      ${actor.ipAddress}, ${actor.userAgent}, ${JSON.stringify(changesOfWhole(permission, 'begins'))}::jsonb,
      ${JSON.stringify({ permission })}::jsonb, ${system.now}
    from organisations where status <> 'cancelled'`.execute(system)
}
