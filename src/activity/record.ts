import type { Tenant } from '../platform/database/database.ts'
import { newId } from '../platform/ids.ts'
import type { Actor } from './actor.ts'
import { type ApiObject, catalogue, type Occurrence } from './catalogue.ts'

/**
 * Records what happened, in the transaction that made it happen: the audit entry and the deliveries of its events to
 * whoever has subscribed. Called once by each operation.
 */
export async function record(tenant: Tenant, actor: Actor, occurrence: Occurrence): Promise<void> {
  const { object } = catalogue[occurrence.action]
  const target = occurrence[object as keyof typeof occurrence] as ApiObject
  const { changes, metadata } = occurrence
  await tenant
    .insertInto('auditLogs')
    .values({
      id: newId('aud', tenant.now),
      action: occurrence.action,
      actorType: actor.actorType,
      actorId: actor.actorId,
      targetType: object,
      targetId: target.id,
      ipAddress: actor.ipAddress,
      userAgent: actor.userAgent,
      changes: changes ? JSON.stringify(changes) : null,
      metadata: metadata ? JSON.stringify(metadata) : null,
      createdAt: tenant.now,
    })
    .execute()
}
