import { type Selectable, sql } from 'kysely'
import type { Tenant } from '../platform/database/database.ts'
import { channels, notify } from '../platform/database/locks-and-channels.ts'
import type { WebhookDeliveriesTable } from '../platform/database/tables.ts'
import { newId } from '../platform/ids.ts'

type Delivery = Selectable<WebhookDeliveriesTable>

export async function insertDelivery(
  tenant: Tenant,
  delivery: Pick<Delivery, 'endpointId' | 'eventId' | 'event' | 'variant' | 'body' | 'isTest'>,
): Promise<string> {
  const id = newId('dlv', tenant.now)
  await tenant
    .insertInto('webhookDeliveries')
    .values({ ...delivery, id, nextAttemptAt: tenant.now, createdAt: tenant.now })
    .execute()
  return id
}

/**
 * Adds new deliveries of the same events and bytes for successful or failed ones in a range of time.
 *
 * @returns the number, at most `limit`, and the last delivery that was repeated; the oldest come first
 */
export async function repeatDeliveries(
  tenant: Tenant,
  endpointId: string,
  range: { from: Date; to: Date; status: Delivery['status'] },
  limit: number,
  after: string,
): Promise<{ count: number; last: string | null }> {
  const { rows } = await sql<{ count: number; last: string | null }>`
    with former as (
      select id, event_id, event, variant, body from webhook_deliveries
      where endpoint_id = ${endpointId} and id > ${after} and status = ${range.status}
        and created_at >= ${range.from} and created_at < ${range.to}
      order by id limit ${limit}),
    repeated as (
      insert into webhook_deliveries (id, endpoint_id, event_id, event, variant, body, next_attempt_at, created_at)
      select new_id('dlv', ${tenant.now}), ${endpointId}, event_id, event, variant, body, ${tenant.now}, ${tenant.now} from former)
    select count(*) as count, max(id) as last from former`.execute(tenant)
  return rows[0] ?? { count: 0, last: null }
}

/** Makes deliveries due again that were held while the organisation was cancelled. Those of an inactive endpoint stay held. */
export async function resumeDeliveriesOfOrganisation(tenant: Tenant): Promise<void> {
  await tenant
    .updateTable('webhookDeliveries')
    .set({ nextAttemptAt: tenant.now })
    .where('status', '=', 'pending')
    .where('nextAttemptAt', 'is', null)
    .where(({ or, eb, selectFrom }) =>
      or([eb('isTest', '=', true), eb('endpointId', 'in', selectFrom('webhookEndpoints').select('id').where('isActive', '=', true))]),
    )
    .execute()
  await notify(tenant, channels.deliveries)
}

/** Makes deliveries due again that were held while their endpoint was inactive. */
export async function resumeDeliveries(tenant: Tenant, endpointId: string): Promise<void> {
  await tenant
    .updateTable('webhookDeliveries')
    .set({ nextAttemptAt: tenant.now })
    .where('endpointId', '=', endpointId)
    .where('status', '=', 'pending')
    .where('nextAttemptAt', 'is', null)
    .execute()
  await notify(tenant, channels.deliveries)
}
