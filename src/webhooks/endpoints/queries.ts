import { type Selectable, sql } from 'kysely'
import { changeOf } from '../../activity/change-of.ts'
import { secondsBefore } from '../../platform/clock.ts'
import { compiledOnce } from '../../platform/database/compiled.ts'
import type { SharedReads, Tenant } from '../../platform/database/database.ts'
import type { WebhookEndpointsTable } from '../../platform/database/tables.ts'
import { presentTime } from '../../platform/http/fields.ts'
import { defineVersion } from '../../platform/http/versions.ts'
import { webhookNotFound } from '../refusals.ts'
import { startOfHour } from './rules.ts'
import { type ChangedWebhook, WebhookChanges, type WebhookRecord } from './schemas.ts'

/** An endpoint without its secrets. */
export type Endpoint = Omit<
  Selectable<WebhookEndpointsTable>,
  'lastError' | 'secretEncrypted' | 'previousSecretEncrypted' | 'previousSecretExpiresAt'
>

export interface EndpointKey {
  organisationId: string
  endpointId: string
}

const shown = [
  'organisationId',
  'id',
  'url',
  'events',
  'clientId',
  'variant',
  'standardSignature',
  'isActive',
  'failureCount',
  'lastTriggeredAt',
  'lastFailureAt',
  'createdAt',
  'updatedAt',
] as const

export const endpointVersion = defineVersion<ChangedWebhook>(Object.keys(WebhookChanges.shape))

/** An endpoint with its recent results. */
export interface WatchedEndpoint extends Endpoint {
  lastError: string | null
  last24Hours: { delivered: number; failed: number }
}

/** An endpoint in responses to reads. */
export function presentWatchedEndpoint({ lastError, last24Hours, ...endpoint }: WatchedEndpoint): WebhookRecord {
  const { isActive, lastTriggeredAt, lastFailureAt } = endpoint
  const failing = isActive && lastFailureAt !== null && lastTriggeredAt !== null && lastFailureAt >= lastTriggeredAt
  return { ...presentEndpoint(endpoint), failing, lastError, last24Hours }
}

export function presentEndpoint(endpoint: Endpoint): ChangedWebhook {
  return {
    ...endpoint,
    lastTriggeredAt: presentTime(endpoint.lastTriggeredAt),
    lastFailureAt: presentTime(endpoint.lastFailureAt),
    createdAt: presentTime(endpoint.createdAt),
    updatedAt: presentTime(endpoint.updatedAt),
  }
}

export const endpointChange = changeOf({
  notFound: webhookNotFound,
  version: endpointVersion,
  present: presentEndpoint,
  updated: (webhook) => ({ action: 'webhook.updated', webhook }),
  deleted: (webhook) => ({ action: 'webhook.deleted', webhook }),
})

const watchedEndpoints = (reads: SharedReads, since: Date) =>
  reads
    .selectFrom('webhookEndpoints')
    .select([...shown, 'lastError'])
    .select(
      sql<WatchedEndpoint['last24Hours']>`(
        select json_build_object('delivered', coalesce(sum(delivered), 0), 'failed', coalesce(sum(failed), 0)) from webhook_hours hours
        where hours.organisation_id = webhook_endpoints.organisation_id and hours.endpoint_id = webhook_endpoints.id
          and hour >= ${since})`.as('last24Hours'),
    )

/** The current hour and the 23 before it. */
const startOf24Hours = ({ now }: Tenant) => startOfHour(secondsBefore(now, 23 * 3_600))

export async function listEndpoints(tenant: Tenant, limit: number, after: string | undefined): Promise<WatchedEndpoint[]> {
  return watchedEndpoints(tenant, startOf24Hours(tenant))
    .$if(after !== undefined, (query) => query.where('id', '>', after as string))
    .orderBy('id')
    .limit(limit)
    .execute()
}

export async function countEndpoints(tenant: Tenant): Promise<number> {
  const { count } = await tenant.selectFrom('webhookEndpoints').select(sql<number>`count(*)`.as('count')).executeTakeFirstOrThrow()
  return count
}

/** Counts the endpoints. It locks the organisation's row until the end of the transaction, so that no endpoint is added meanwhile. */
export async function lockAndCountEndpoints(tenant: Tenant): Promise<number> {
  await tenant.selectFrom('organisations').select('id').forNoKeyUpdate().execute()
  return countEndpoints(tenant)
}

const findWatchedEndpoint = compiledOnce((reads, id: string, since: Date) => watchedEndpoints(reads, since).where('id', '=', id))

/** @throws Problem `not-found` */
export async function getWatchedEndpoint(tenant: Tenant, id: string): Promise<WatchedEndpoint> {
  const endpoint = await findWatchedEndpoint(tenant, id, startOf24Hours(tenant))
  if (!endpoint) throw webhookNotFound()
  return endpoint
}

const findEndpoint = compiledOnce((reads, id: string) => reads.selectFrom('webhookEndpoints').select(shown).where('id', '=', id))

/** @throws Problem `not-found` */
export async function getEndpoint(tenant: Tenant, id: string): Promise<Endpoint> {
  const endpoint = await findEndpoint(tenant, id)
  if (!endpoint) throw webhookNotFound()
  return endpoint
}

/** The endpoint, with its row locked until the end of the transaction. */
export async function lockEndpoint(tenant: Tenant, id: string): Promise<Endpoint | undefined> {
  return tenant.selectFrom('webhookEndpoints').select(shown).where('id', '=', id).forNoKeyUpdate().executeTakeFirst()
}

/** The encrypted secret of an existing endpoint. */
export async function storedSecretOf(tenant: Tenant, id: string): Promise<string> {
  const { secretEncrypted } = await tenant
    .selectFrom('webhookEndpoints')
    .select('secretEncrypted')
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
  return secretEncrypted
}

export async function isClient(tenant: Tenant, id: string): Promise<boolean> {
  const client = await tenant
    .selectFrom('clients')
    .select('id')
    .where('id', '=', id)
    .where('deletedAt', 'is', null)
    .forKeyShare()
    .executeTakeFirst()
  return client !== undefined
}

export async function insertEndpoint(
  tenant: Tenant,
  endpoint: Pick<Endpoint, 'id' | 'url' | 'events' | 'clientId' | 'variant' | 'standardSignature'> & { secretEncrypted: string },
): Promise<Endpoint> {
  return tenant
    .insertInto('webhookEndpoints')
    .values({ ...endpoint, createdAt: tenant.now, updatedAt: tenant.now })
    .returning(shown)
    .executeTakeFirstOrThrow()
}

export async function updateEndpoint(
  tenant: Tenant,
  id: string,
  changes: Partial<Pick<Endpoint, 'url' | 'events' | 'variant' | 'standardSignature' | 'isActive' | 'failureCount'>>,
): Promise<Endpoint> {
  return tenant
    .updateTable('webhookEndpoints')
    .set({ ...changes, updatedAt: tenant.now })
    .where('id', '=', id)
    .returning(shown)
    .executeTakeFirstOrThrow()
}

/** Makes the current secret the previous one, which also signs until `previousUntil`; null deletes it at once. */
export async function replaceSecret(
  tenant: Tenant,
  id: string,
  secretEncrypted: string,
  previousUntil: Date | null,
): Promise<Endpoint | undefined> {
  return tenant
    .updateTable('webhookEndpoints')
    .set((endpoint) => ({
      secretEncrypted,
      previousSecretEncrypted: previousUntil && endpoint.ref('secretEncrypted'),
      previousSecretExpiresAt: previousUntil,
      updatedAt: tenant.now,
    }))
    .where('id', '=', id)
    .returning(shown)
    .executeTakeFirst()
}

/** @returns the deleted endpoint */
export async function deleteEndpoint(tenant: Tenant, id: string): Promise<Endpoint | undefined> {
  return tenant.deleteFrom('webhookEndpoints').where('id', '=', id).returning(shown).executeTakeFirst()
}
