import { type Selectable, sql } from 'kysely'
import { compiledOnce } from '../platform/database/compiled.ts'
import { refuseViolation } from '../platform/database/constraints.ts'
import type { Tenant } from '../platform/database/database.ts'
import type { ResourceAuthorizationServersTable } from '../platform/database/tables.ts'
import { newId } from '../platform/ids.ts'
import { issuerTaken, resourceAuthorizationServerNotFound } from './refusals.ts'

export type ResourceAuthorizationServer = Selectable<ResourceAuthorizationServersTable>

/** All of them, the oldest first. An organisation has few. */
export async function listResourceAuthorizationServers(tenant: Tenant): Promise<ResourceAuthorizationServer[]> {
  return tenant.selectFrom('resourceAuthorizationServers').selectAll().orderBy('id').execute()
}

const findResourceAuthorizationServer = compiledOnce((reads, id: string) =>
  reads.selectFrom('resourceAuthorizationServers').selectAll().where('id', '=', id),
)

/** @throws Problem `not-found` */
export async function getResourceAuthorizationServer(tenant: Tenant, id: string): Promise<ResourceAuthorizationServer> {
  const found = await findResourceAuthorizationServer(tenant, id)
  if (!found) throw resourceAuthorizationServerNotFound()
  return found
}

/** The one with one of these issuers, which is not changed until the end of the transaction. */
export async function holdResourceAuthorizationServer(
  tenant: Tenant,
  issuers: readonly string[],
): Promise<ResourceAuthorizationServer | undefined> {
  return tenant
    .selectFrom('resourceAuthorizationServers')
    .selectAll()
    .where('issuer', 'in', [...issuers])
    .orderBy('id')
    .forShare()
    .executeTakeFirst()
}

/** The one with this id, whose row stays locked until the end of the transaction. */
export async function lockResourceAuthorizationServer(tenant: Tenant, id: string): Promise<ResourceAuthorizationServer | undefined> {
  return tenant.selectFrom('resourceAuthorizationServers').selectAll().where('id', '=', id).forUpdate().executeTakeFirst()
}

/** Counts them. Locks the organisation's row until the end of the transaction, so that none is added meanwhile. */
export async function lockAndCountResourceAuthorizationServers(tenant: Tenant): Promise<number> {
  await tenant.selectFrom('organisations').select('id').forNoKeyUpdate().execute()
  const { count } = await tenant
    .selectFrom('resourceAuthorizationServers')
    .select(sql<number>`count(*)`.as('count'))
    .executeTakeFirstOrThrow()
  return Number(count)
}

type Settings = Pick<
  ResourceAuthorizationServer,
  'name' | 'audienceClientId' | 'resources' | 'grants' | 'requiredAcr' | 'lifetimeSeconds' | 'includesEmail' | 'isActive'
>

/** @throws Problem `conflict` when the organisation has the issuer */
export async function insertResourceAuthorizationServer(
  tenant: Tenant,
  { resources, grants, ...settings }: Settings & Pick<ResourceAuthorizationServer, 'issuer'>,
): Promise<ResourceAuthorizationServer> {
  return tenant
    .insertInto('resourceAuthorizationServers')
    .values({
      ...settings,
      id: newId('ras', tenant.now),
      resources: JSON.stringify(resources),
      grants: JSON.stringify(grants),
      createdAt: tenant.now,
      updatedAt: tenant.now,
    })
    .returningAll()
    .executeTakeFirstOrThrow()
    .catch(refuseViolation({ resource_authorization_servers_issuer_key: issuerTaken }))
}

export async function updateResourceAuthorizationServer(
  tenant: Tenant,
  id: string,
  { resources, grants, ...settings }: Partial<Settings>,
): Promise<ResourceAuthorizationServer> {
  return tenant
    .updateTable('resourceAuthorizationServers')
    .set({
      ...settings,
      ...(resources && { resources: JSON.stringify(resources) }),
      ...(grants && { grants: JSON.stringify(grants) }),
      updatedAt: tenant.now,
    })
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow()
}

export async function deleteResourceAuthorizationServerRow(tenant: Tenant, id: string): Promise<void> {
  await tenant.deleteFrom('resourceAuthorizationServers').where('id', '=', id).execute()
}
