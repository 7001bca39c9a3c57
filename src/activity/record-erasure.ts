import { channel } from 'node:diagnostics_channel'
import { sql } from 'kysely'
import type { System } from '../platform/database/database.ts'
import { type Actor, metadataOf } from './actor.ts'
import { recordedChannel } from './record.ts'

const recorded = channel(recordedChannel)

/** Records that a user was erased, by id alone, in the erasing transaction, which has the system's role. */
export async function recordErasure(system: System, actor: Actor, organisationId: string, userId: string): Promise<void> {
  const { actorType, actorId, ipAddress, userAgent, requestId } = actor
  await sql`
    insert into audit_logs
      (organisation_id, id, action, actor_type, actor_id, target_type, target_id, ip_address, user_agent, request_id, metadata, created_at)
    values (${organisationId}, new_id('aud', ${system.now}), 'user.erased', ${actorType}, ${actorId}, 'user', ${userId}, ${ipAddress},
      ${userAgent}, ${requestId}, ${metadataOf(actor, undefined)}::jsonb, ${system.now})`.execute(system)
  recorded.publish({ action: 'user.erased' })
}
