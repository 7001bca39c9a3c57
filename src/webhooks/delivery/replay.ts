import type { Caller } from '../../access/caller.ts'
import { record } from '../../activity/record.ts'
import type { Database, Tenant } from '../../platform/database/database.ts'
import { emptyRange } from '../../platform/http/refusals.ts'
import { type Endpoint, getEndpoint, presentEndpoint } from '../endpoints/queries.ts'
import type { ReplayRange } from '../endpoints/schemas.ts'
import { insertDelivery, repeatDeliveries } from '../queue.ts'
import { deliveryNotFound, webhookInactive } from '../refusals.ts'
import { findDelivery } from './queries.ts'

const rangeMax = 10_000

/**
 * Delivers an event again: a new delivery with the same event id and the same bytes.
 *
 * @returns the new delivery's id
 * @throws Problem `not-found`, `conflict` while the endpoint is inactive
 */
export async function replayDelivery(database: Database, caller: Caller, endpointId: string, deliveryId: string): Promise<string> {
  return database.transaction(caller.organisationId, async (tenant) => {
    const endpoint = await getActiveEndpoint(tenant, endpointId)
    const former = await findDelivery(tenant, endpointId, deliveryId)
    if (!former) throw deliveryNotFound()
    const { eventId, event, variant, body } = former
    const id = await insertDelivery(tenant, { endpointId, eventId, event, variant, body, isTest: false })
    await record(tenant, caller.actor, {
      action: 'webhook.replayed',
      webhook: presentEndpoint(endpoint),
      metadata: { replayedDeliveryId: deliveryId, deliveryId: id },
    })
    return id
  })
}

/**
 * Repeats the failed or successful deliveries in a range of time, oldest first and at most 10,000 at a time.
 *
 * @throws Problem `not-found`, `conflict` while the endpoint is inactive, `bad-request` for a range that ends before it begins
 */
export async function replayRange(
  database: Database,
  caller: Caller,
  endpointId: string,
  { from, to = database.clock.now(), status, cursor }: ReplayRange,
): Promise<{ replayed: number; nextCursor: string | null }> {
  return database.transaction(caller.organisationId, async (tenant) => {
    const endpoint = await getActiveEndpoint(tenant, endpointId)
    if (from >= to) throw emptyRange()
    const { count, last } = await repeatDeliveries(tenant, endpointId, { from, to, status }, rangeMax, cursor ?? '')
    if (count > 0) {
      await record(tenant, caller.actor, {
        action: 'webhook.replayed',
        webhook: presentEndpoint(endpoint),
        metadata: { from: from.toISOString(), to: to.toISOString(), status, deliveries: count },
      })
    }
    return { replayed: count, nextCursor: (count === rangeMax && last) || null }
  })
}

/** An inactive endpoint receives nothing and must be activated first. */
async function getActiveEndpoint(tenant: Tenant, id: string): Promise<Endpoint> {
  const endpoint = await getEndpoint(tenant, id)
  if (!endpoint.isActive) throw webhookInactive()
  return endpoint
}
