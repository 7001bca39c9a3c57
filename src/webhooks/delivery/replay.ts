import type { Caller } from '../../access/caller.ts'
import { transactionOf } from '../../access/hold-caller.ts'
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
  return transactionOf(database, caller, 'webhooks:update', async (tenant) => {
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
 * Repeats the failed or successful deliveries in a range of time, oldest first and at most 10,000 at a time. No range ends later than
 * when its first request came, for those that follow by the cursor as well: what this one has queued is no part of it.
 *
 * @throws Problem `not-found`, `conflict` while the endpoint is inactive, `bad-request` for a range that ends before it begins
 */
export async function replayRange(
  database: Database,
  caller: Caller,
  endpointId: string,
  { from, to: statedEnd, status, cursor }: ReplayRange,
): Promise<{ replayed: number; nextCursor: string | null }> {
  const { after, formerEnd } = parsePosition(cursor)
  const now = database.clock.now()
  const to = formerEnd ?? (statedEnd && statedEnd < now ? statedEnd : now)
  return transactionOf(database, caller, 'webhooks:update', async (tenant) => {
    const endpoint = await getActiveEndpoint(tenant, endpointId)
    if (from >= (statedEnd ?? to)) throw emptyRange()
    const { count, last } = await repeatDeliveries(tenant, endpointId, { from, to, status }, rangeMax, after)
    if (count > 0) {
      await record(tenant, caller.actor, {
        action: 'webhook.replayed',
        webhook: presentEndpoint(endpoint),
        metadata: { from: from.toISOString(), to: to.toISOString(), status, deliveries: count },
      })
    }
    return { replayed: count, nextCursor: count === rangeMax && last ? `${last}.${to.getTime()}` : null }
  })
}

/** Reads the last delivery that was repeated, and the end of the range. A cursor of the former release has no end. */
function parsePosition(cursor = ''): { after: string; formerEnd: Date | undefined } {
  const [after = '', end] = cursor.split('.')
  return { after, formerEnd: end === undefined ? undefined : new Date(Number(end)) }
}

/** An inactive endpoint receives nothing and must be activated first. */
async function getActiveEndpoint(tenant: Tenant, id: string): Promise<Endpoint> {
  const endpoint = await getEndpoint(tenant, id)
  if (!endpoint.isActive) throw webhookInactive()
  return endpoint
}
