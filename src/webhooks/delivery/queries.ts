import { type Selectable, sql } from 'kysely'
import type { Tenant } from '../../platform/database/database.ts'
import type { WebhookDeliveriesTable } from '../../platform/database/tables.ts'
import { presentTime } from '../../platform/http/fields.ts'
import { idsFrom } from '../../platform/ids.ts'
import type { DeliveryFilters, DeliveryRecord } from '../endpoints/schemas.ts'
import { type AttemptTables, attemptsOf, lastErrorOf, type StoredAttempt } from './attempts.ts'
import type { EncryptedSecrets } from './secrets.ts'

type Delivery = Selectable<WebhookDeliveriesTable>
type ListedDelivery = Omit<Delivery, 'body' | 'claimedUntil' | 'organisationId' | 'variant' | 'isTest'> & {
  lastError: string | null
}

const tables: AttemptTables = { deliveries: 'webhook_deliveries', attempts: 'webhook_attempts' }

export function presentDelivery(delivery: ListedDelivery): DeliveryRecord {
  const { id, eventId, event, status, attemptCount, lastStatusCode, lastError } = delivery
  return {
    id,
    webhookId: delivery.endpointId,
    eventId,
    event,
    status,
    attemptCount,
    nextAttemptAt: presentTime(delivery.nextAttemptAt),
    lastStatusCode,
    lastError,
    createdAt: presentTime(delivery.createdAt),
    deliveredAt: presentTime(delivery.deliveredAt),
  }
}

/** Returns at most `limit` deliveries that match the filters, newest first, older than the delivery `before`. */
export async function listDeliveries(
  tenant: Tenant,
  filters: DeliveryFilters & { webhookId?: string | undefined },
  limit: number,
  before: string | undefined,
): Promise<ListedDelivery[]> {
  const { webhookId, status, event, from, to } = filters
  let query = tenant
    .selectFrom('webhookDeliveries')
    .select([
      'id',
      'endpointId',
      'eventId',
      'event',
      'status',
      'attemptCount',
      'nextAttemptAt',
      'lastStatusCode',
      'createdAt',
      'deliveredAt',
    ])
    .select(lastErrorOf(tables))
  if (webhookId !== undefined) query = query.where('endpointId', '=', webhookId)
  // In the text of the statement: a plan for any status could not use the index of those that failed.
  if (status === 'failing') query = query.where('status', '=', sql.lit('pending')).where('attemptCount', '>', sql.lit(0))
  else if (status) query = query.where('status', '=', sql.lit(status))
  if (event !== undefined) query = query.where('event', '=', event)
  if (from) query = query.where('id', '>=', idsFrom('dlv', from))
  if (to) query = query.where('id', '<', idsFrom('dlv', to))
  if (before) query = query.where('id', '<', before)
  return query.orderBy('id', 'desc').limit(limit).execute()
}

export async function findDelivery(tenant: Tenant, endpointId: string, id: string): Promise<Delivery | undefined> {
  return tenant.selectFrom('webhookDeliveries').selectAll().where('endpointId', '=', endpointId).where('id', '=', id).executeTakeFirst()
}

/**
 * A delivery with its attempts and the secrets that sign it, read in one statement: an attempt that is recorded meanwhile is in all of
 * the result or in none of it.
 */
export async function findDeliveryDetails(
  tenant: Tenant,
  endpointId: string,
  id: string,
): Promise<
  | (ListedDelivery & Pick<Delivery, 'variant' | 'body'> & EncryptedSecrets & { standardSignature: boolean; attempts: StoredAttempt[] })
  | undefined
> {
  return tenant
    .selectFrom('webhookDeliveries')
    .innerJoin('webhookEndpoints', (join) =>
      join
        .onRef('webhookEndpoints.organisationId', '=', 'webhookDeliveries.organisationId')
        .onRef('webhookEndpoints.id', '=', 'webhookDeliveries.endpointId'),
    )
    .selectAll('webhookDeliveries')
    .select([
      'webhookEndpoints.standardSignature',
      'webhookEndpoints.secretEncrypted',
      'webhookEndpoints.previousSecretEncrypted',
      'webhookEndpoints.previousSecretExpiresAt',
    ])
    .select([lastErrorOf(tables), attemptsOf(tables)])
    .where('webhookDeliveries.endpointId', '=', endpointId)
    .where('webhookDeliveries.id', '=', id)
    .executeTakeFirst()
}
