/** Short-lived keys that workloads got for a token of their platform. Each is of one API key, without which it is nothing. */
import { isDeepStrictEqual } from 'node:util'
import { sql } from 'kysely'
import type { FederatedCredential, OrganisationStatus } from '../platform/database/column-types.ts'
import type { Database, Tenant } from '../platform/database/database.ts'
import { deleteBatch } from '../platform/database/delete-batch.ts'
import { statement } from '../platform/database/statement.ts'
import type { Task } from '../platform/jobs/tasks.ts'

/** An API key that tokens are exchanged for. It may have ended. */
export interface ExchangeableKey {
  id: string
  organisationId: string
  name: string
  federatedCredentials: FederatedCredential[]
  expiresAt: Date | null
  hasUsableCreator: boolean
  organisationStatus: OrganisationStatus
}

const exchangeableKey = statement<{ id: string }, ExchangeableKey>(
  `
  select k.id, k.organisation_id as "organisationId", k.name, k.federated_credentials as "federatedCredentials",
    k.expires_at as "expiresAt", u.deleted_at is null and u.blocked_at is null as "hasUsableCreator", o.status as "organisationStatus"
  from api_keys k
  join users u on u.organisation_id = k.organisation_id and u.id = k.created_by_id
  join organisations o on o.id = k.organisation_id
  where (k.organisation_id, k.id) = (select organisation_id, api_key_id from federated_subjects where api_key_id = :id limit 1)
    and k.deleted_at is null and k.federated_credentials is not null`,
  { crossesOrganisations: 'the id of the key alone says of which organisation it is' },
)

/** The key with this id, if it has credentials of platforms. */
export async function findExchangeableKey(database: Database, id: string): Promise<ExchangeableKey | undefined> {
  return database.pointRead(exchangeableKey, { id })
}

/**
 * Whether a key still has the credential that a token has proven, and its rights. Its row is held, with those of its user and organisation:
 * whatever ends the key waits, or was first, and no short-lived one is made. Who takes the credential away ends that one.
 */
export async function holdCredential(tenant: Tenant, id: string, credential: FederatedCredential): Promise<boolean> {
  const { rows } = await sql<{ credentials: FederatedCredential[] | null }>`
    select k.federated_credentials as credentials
    from api_keys k
    join users u on u.organisation_id = k.organisation_id and u.id = k.created_by_id
    join organisations o on o.id = k.organisation_id
    where k.id = ${id} and k.deleted_at is null and (k.expires_at is null or k.expires_at > ${tenant.now})
      and u.blocked_at is null and u.deleted_at is null and o.status not in ('suspended', 'cancelled')
    for share of u, k, o`.execute(tenant)
  return rows[0]?.credentials?.some((one) => isDeepStrictEqual(one, credential)) ?? false
}

export async function insertExchangedKey(tenant: Tenant, key: { apiKeyId: string; keyHash: string; expiresAt: Date }): Promise<void> {
  await tenant
    .insertInto('exchangedKeys')
    .values({ ...key, createdAt: tenant.now })
    .execute()
}

/** Ends the short-lived keys of an API key. */
export async function endExchangedKeys(tenant: Tenant, apiKeyId: string): Promise<void> {
  await tenant.deleteFrom('exchangedKeys').where('apiKeyId', '=', apiKeyId).execute()
}

export const removeExpiredExchangedKeys: Task = {
  name: 'remove-expired-exchanged-keys',
  everySeconds: 300,
  run(database) {
    const system = database.system()
    return deleteBatch(system, 'exchanged_keys', sql`expires_at < ${system.now}`)
  },
}
