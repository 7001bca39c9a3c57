import { systemActor } from '../../activity/actor.ts'
import { record } from '../../activity/record.ts'
import type { Database, System } from '../../platform/database/database.ts'
import type { Outbox } from '../../platform/mail/outbox.ts'
import { deactivationMail } from './mails.ts'
import { type EndpointKey, lockEndpoint, presentEndpoint, updateEndpoint } from './queries.ts'

export const failuresMax = 10

/** Deactivates an endpoint after ten consecutive failed deliveries and mails the organisation. It does so only once. */
export async function deactivateEndpoint(database: Database, outbox: Outbox, { organisationId, endpointId }: EndpointKey): Promise<void> {
  await database.transaction(organisationId, async (tenant) => {
    const before = await lockEndpoint(tenant, endpointId)
    if (!before?.isActive || before.failureCount < failuresMax) return
    const endpoint = await updateEndpoint(tenant, endpointId, { isActive: false })
    await record(tenant, systemActor, {
      action: 'webhook.deactivated',
      webhook: presentEndpoint(endpoint),
      changes: { isActive: { from: true, to: false } },
      metadata: { failureCount: endpoint.failureCount },
    })
    const organisation = await tenant.selectFrom('organisations').select(['name', 'email', 'branding']).executeTakeFirstOrThrow()
    await outbox.queue(tenant, deactivationMail(organisation, endpoint))
  })
}

/** Finds endpoints to deactivate: the process that recorded their last failure ended before it could. */
export async function findFailingEndpoints(system: System): Promise<EndpointKey[]> {
  return system
    .selectFrom('webhookEndpoints')
    .select(['organisationId', 'id as endpointId'])
    .where('isActive', '=', true)
    .where('failureCount', '>=', failuresMax)
    .execute()
}
