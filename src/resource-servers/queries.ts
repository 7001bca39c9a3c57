import { type Selectable, sql } from 'kysely'
import type { ClaimMapping } from '../platform/database/column-types.ts'
import { refuseViolation } from '../platform/database/constraints.ts'
import type { Tenant } from '../platform/database/database.ts'
import type { ResourceServersTable } from '../platform/database/tables.ts'
import { newId } from '../platform/ids.ts'
import { identifierTaken, resourceServerIsDefault, resourceServerNotFound } from './refusals.ts'

export type ResourceServer = Selectable<ResourceServersTable>

/** All resource servers, the oldest first. An organisation has few. */
export async function listResourceServers(tenant: Tenant): Promise<ResourceServer[]> {
  return tenant.selectFrom('resourceServers').selectAll().orderBy('id').execute()
}

/** @throws Problem `not-found` */
export async function getResourceServer(tenant: Tenant, id: string): Promise<ResourceServer> {
  const found = await tenant.selectFrom('resourceServers').selectAll().where('id', '=', id).executeTakeFirst()
  if (!found) throw resourceServerNotFound()
  return found
}

/** The resource server, whose row stays locked until the end of the transaction. */
export async function lockResourceServer(tenant: Tenant, id: string): Promise<ResourceServer | undefined> {
  return tenant.selectFrom('resourceServers').selectAll().where('id', '=', id).forUpdate().executeTakeFirst()
}

/** Counts the resource servers. Locks the organisation's row until the end of the transaction, so that none is added meanwhile. */
export async function lockAndCountResourceServers(tenant: Tenant): Promise<number> {
  await tenant.selectFrom('organisations').select('id').forNoKeyUpdate().execute()
  const { count } = await tenant.selectFrom('resourceServers').select(sql<number>`count(*)`.as('count')).executeTakeFirstOrThrow()
  return Number(count)
}

/** Which of these clients exist, and of what type they are. They are locked against deletion. */
export async function findNamedClients(tenant: Tenant, ids: readonly string[]): Promise<{ id: string; clientType: string }[]> {
  if (ids.length === 0) return []
  return tenant
    .selectFrom('clients')
    .select(['id', 'clientType'])
    .where('id', 'in', [...new Set(ids)])
    .where('deletedAt', 'is', null)
    .orderBy('id')
    .forShare()
    .execute()
}

/** Which of these resource servers exist. They are locked against deletion. */
export async function findNamedResourceServers(tenant: Tenant, ids: readonly string[]): Promise<string[]> {
  if (ids.length === 0) return []
  const found = await tenant
    .selectFrom('resourceServers')
    .select('id')
    .where('id', 'in', [...new Set(ids)])
    .orderBy('id')
    .forKeyShare()
    .execute()
  return found.map(({ id }) => id)
}

/** The settings of a resource server that can be changed. */
export type ResourceServerSettings = Pick<
  ResourceServer,
  | 'name'
  | 'scopes'
  | 'accessTokenLifetime'
  | 'accessTokenSigningAlg'
  | 'allowsAutomaticClients'
  | 'requireDpop'
  | 'includeAuthenticationContext'
  | 'introspectionClientIds'
  | 'exchangeClientIds'
  | 'claimMappings'
  | 'isActive'
>

/** @throws Problem `conflict` when any organisation has the identifier */
export async function insertResourceServer(
  tenant: Tenant,
  { scopes, claimMappings, ...settings }: ResourceServerSettings & Pick<ResourceServer, 'identifier'>,
): Promise<ResourceServer> {
  return tenant
    .insertInto('resourceServers')
    .values({
      ...settings,
      id: newId('rsv', tenant.now),
      scopes: JSON.stringify(scopes),
      claimMappings: jsonOf(claimMappings),
      createdAt: tenant.now,
      updatedAt: tenant.now,
    })
    .returningAll()
    .executeTakeFirstOrThrow()
    .catch(refuseViolation({ resource_servers_identifier_key: identifierTaken, resource_servers_of_organisation_key: identifierTaken }))
}

export async function updateResourceServer(
  tenant: Tenant,
  id: string,
  { scopes, claimMappings, ...settings }: Partial<ResourceServerSettings & Pick<ResourceServer, 'tokensValidAfter'>>,
): Promise<ResourceServer> {
  return tenant
    .updateTable('resourceServers')
    .set({
      ...settings,
      ...(scopes && { scopes: JSON.stringify(scopes) }),
      ...(claimMappings !== undefined && { claimMappings: jsonOf(claimMappings) }),
      updatedAt: tenant.now,
    })
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow()
}

/** Null for an empty list: the statements of tokens then read nothing for it. */
const jsonOf = (mappings: ClaimMapping[] | null) => (mappings?.length ? JSON.stringify(mappings) : null)

/** @throws Problem `conflict` while it is the default of a client */
export async function deleteResourceServerRow(tenant: Tenant, id: string): Promise<void> {
  await tenant
    .deleteFrom('resourceServers')
    .where('id', '=', id)
    .execute()
    .catch(refuseViolation({ clients_default_resource_fkey: resourceServerIsDefault }))
}
