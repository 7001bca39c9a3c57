import { theService } from '../activity/actor.ts'
import { record } from '../activity/record.ts'
import type { Database } from '../platform/database/database.ts'
import type { Outbox } from '../platform/mail/outbox.ts'
import type { EndpointKey } from './claim.ts'
import { deactivationMail } from './mails.ts'
import { lockEndpoint, presentEndpoint, updateEndpoint } from './queries.ts'
import { failuresMax } from './settle.ts'

/** Turns off an endpoint that has failed ten deliveries in a row, and tells the organisation. Does it once. */
export async function deactivateEndpoint(database: Database, outbox: Outbox, { organisationId, endpointId }: EndpointKey): Promise<void> {
  await database.transaction(organisationId, async (tenant) => {
    const before = await lockEndpoint(tenant, endpointId)
    if (!before?.isActive || before.failureCount < failuresMax) return
    const endpoint = await updateEndpoint(tenant, endpointId, { isActive: false })
    await record(tenant, theService, {
      action: 'webhook.deactivated',
      webhook: presentEndpoint(endpoint),
      changes: { isActive: { from: true, to: false } },
      metadata: { failureCount: endpoint.failureCount },
    })
    const organisation = await tenant.selectFrom('organisations').select(['name', 'email', 'branding']).executeTakeFirstOrThrow()
    await outbox.queue(tenant, deactivationMail(organisation, endpoint))
  })
}
