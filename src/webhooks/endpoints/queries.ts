import { type Selectable, sql } from 'kysely'
import { compiledOnce } from '../../platform/database/compiled.ts'
import type { Tenant } from '../../platform/database/database.ts'
import type { WebhookEndpointsTable } from '../../platform/database/tables.ts'
import { presentTime } from '../../platform/http/fields.ts'
import { defineVersion } from '../../platform/http/versions.ts'
import { webhookNotFound } from '../refusals.ts'
import { WebhookChanges, type WebhookRecord } from './schemas.ts'

/** An endpoint without its secrets. */
export type Endpoint = Omit<Selectable<WebhookEndpointsTable>, 'secretEncrypted' | 'previousSecretEncrypted' | 'previousSecretExpiresAt'>

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
  'isActive',
  'failureCount',
  'lastTriggeredAt',
  'lastFailureAt',
  'createdAt',
  'updatedAt',
] as const

export const endpointVersion = defineVersion<WebhookRecord>(Object.keys(WebhookChanges.shape))

export function presentEndpoint(endpoint: Endpoint): WebhookRecord {
  return {
    ...endpoint,
    lastTriggeredAt: presentTime(endpoint.lastTriggeredAt),
    lastFailureAt: presentTime(endpoint.lastFailureAt),
    createdAt: presentTime(endpoint.createdAt),
    updatedAt: presentTime(endpoint.updatedAt),
  }
}

export async function listEndpoints(tenant: Tenant, limit: number, after: string | undefined): Promise<Endpoint[]> {
  return tenant
    .selectFrom('webhookEndpoints')
    .select(shown)
    .$if(after !== undefined, (query) => query.where('id', '>', after as string))
    .orderBy('id')
    .limit(limit)
    .execute()
}

export async function countEndpoints(tenant: Tenant): Promise<number> {
  const { count } = await tenant.selectFrom('webhookEndpoints').select(sql<number>`count(*)`.as('count')).executeTakeFirstOrThrow()
  return count
}

/** How many there are. Locks the organisation's row until the end of the transaction, so that no endpoint is added meanwhile. */
export async function lockAndCountEndpoints(tenant: Tenant): Promise<number> {
  await tenant.selectFrom('organisations').select('id').forNoKeyUpdate().execute()
  return countEndpoints(tenant)
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
  endpoint: Pick<Endpoint, 'id' | 'url' | 'events' | 'clientId' | 'variant'> & { secretEncrypted: string },
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
  changes: Partial<Pick<Endpoint, 'url' | 'events' | 'variant' | 'isActive' | 'failureCount'>>,
): Promise<Endpoint> {
  return tenant
    .updateTable('webhookEndpoints')
    .set({ ...changes, updatedAt: tenant.now })
    .where('id', '=', id)
    .returning(shown)
    .executeTakeFirstOrThrow()
}

/** Makes the current secret the previous one, which also signs until `previousUntil`; null forgets it at once. */
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
