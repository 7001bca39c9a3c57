import type { Caller } from '../../access/caller.ts'
import { transactionOf } from '../../access/hold-caller.ts'
import { headsOf, tailOf } from '../../activity/envelopes.ts'
import { type EventName, events, testEvent } from '../../activity/events.ts'
import { record } from '../../activity/record.ts'
import type { Database } from '../../platform/database/database.ts'
import { newId } from '../../platform/ids.ts'
import { insertDelivery } from '../queue.ts'
import { getEndpoint, presentEndpoint } from './queries.ts'

/**
 * Sends a test event to an endpoint, even if it is inactive or has not subscribed to the event.
 *
 * @returns the id of the delivery
 * @throws Problem `not-found`
 */
export async function testEndpoint(
  database: Database,
  caller: Caller,
  webhookId: string,
  event: EventName | 'webhook.test' = 'webhook.test',
): Promise<string> {
  return transactionOf(database, caller, 'webhooks:update', async (tenant) => {
    const endpoint = await getEndpoint(tenant, webhookId)
    const named = event !== 'webhook.test'
    const data = named ? events[event].data : { ...testEvent.data, webhookId }
    const eventId = newId('evt', tenant.now)
    const head = headsOf(eventId, event, tenant.now, tenant.organisationId)
    const deliveryId = await insertDelivery(tenant, {
      endpointId: webhookId,
      eventId,
      event,
      variant: endpoint.variant,
      body: (endpoint.variant === 'A' ? head.head_a : head.head_b) + tailOf(data),
      isTest: true,
    })
    await record(tenant, caller.actor, { action: 'webhook.tested', webhook: presentEndpoint(endpoint), metadata: { event } })
    return deliveryId
  })
}
