import { type Selectable, sql } from 'kysely'
import { federatedSubjectIsTaken, jsonOfCredentials } from '../clients/federated-credentials.ts'
import type { FederatedCredential } from '../platform/database/column-types.ts'
import { compiledOnce } from '../platform/database/compiled.ts'
import { refuseViolation } from '../platform/database/constraints.ts'
import type { SharedReads, Tenant } from '../platform/database/database.ts'
import type { ApiKeysTable } from '../platform/database/tables.ts'
import { presentTime } from '../platform/http/fields.ts'
import { defineVersion } from '../platform/http/versions.ts'
import { newId } from '../platform/ids.ts'
import { apiKeyNotFound } from './refusals.ts'
import { ApiKeyChanges, type ApiKeyRecord, type CreatedKey } from './schemas.ts'

const columns = [
  'apiKeys.id',
  'apiKeys.name',
  'apiKeys.prefix',
  'apiKeys.permissions',
  'apiKeys.expiresAt',
  'apiKeys.lastUsedAt',
  'apiKeys.createdById',
  'apiKeys.federatedCredentials',
  'apiKeys.createdAt',
] as const

export type ApiKey = Omit<Selectable<ApiKeysTable>, 'organisationId' | 'nameKey' | 'keyHash' | 'deletedAt'>
type NamedKey = ApiKey & { createdByName: string }

export const apiKeyVersion = defineVersion<Pick<CreatedKey, 'id' | 'federatedCredentials'>>(Object.keys(ApiKeyChanges.shape))

/** Presents a key for the audit log, where it outlives the name of its creator. */
export function presentApiKey({ expiresAt, lastUsedAt, createdAt, federatedCredentials, ...key }: ApiKey): CreatedKey {
  return {
    ...key,
    federatedCredentials: federatedCredentials ?? [],
    expiresAt: presentTime(expiresAt),
    lastUsedAt: presentTime(lastUsedAt),
    createdAt: presentTime(createdAt),
  }
}

export function presentNamedKey({ createdByName, ...key }: NamedKey): ApiKeyRecord {
  return { ...presentApiKey(key), createdBy: { id: key.createdById, name: createdByName } }
}

/** Keys that are not deleted, including expired ones, with the names of their creators. */
export const presentKeys = (reads: SharedReads) =>
  reads
    .selectFrom('apiKeys')
    .innerJoin('users', (join) =>
      join.onRef('users.organisationId', '=', 'apiKeys.organisationId').onRef('users.id', '=', 'apiKeys.createdById'),
    )
    .select(columns)
    .select('users.name as createdByName')
    .where('apiKeys.deletedAt', 'is', null)

const findKey = compiledOnce((reads, id: string) => presentKeys(reads).where('apiKeys.id', '=', id))

/** @throws Problem `not-found` */
export async function getApiKey(tenant: Tenant, id: string): Promise<NamedKey> {
  const key = await findKey(tenant, id)
  if (!key) throw apiKeyNotFound()
  return key
}

type NewRow = Pick<ApiKey, 'name' | 'prefix' | 'permissions' | 'expiresAt' | 'createdById' | 'federatedCredentials'> & { keyHash: string }

export async function insertApiKey(tenant: Tenant, key: NewRow): Promise<ApiKey> {
  return tenant
    .insertInto('apiKeys')
    .values({
      id: newId('key', tenant.now),
      ...key,
      federatedCredentials: jsonOfCredentials(key.federatedCredentials),
      createdAt: tenant.now,
    })
    .returning(columns)
    .executeTakeFirstOrThrow()
    .catch(refuseViolation(federatedSubjectIsTaken))
}

/** The key, whose row stays locked until the end of the transaction. */
export async function lockApiKey(tenant: Tenant, id: string): Promise<ApiKey | undefined> {
  return tenant
    .selectFrom('apiKeys')
    .select(columns)
    .where('id', '=', id)
    .where('deletedAt', 'is', null)
    .forNoKeyUpdate()
    .executeTakeFirst()
}

export async function updateCredentials(tenant: Tenant, id: string, credentials: readonly FederatedCredential[]): Promise<ApiKey> {
  return tenant
    .updateTable('apiKeys')
    .set({ federatedCredentials: jsonOfCredentials(credentials) })
    .where('id', '=', id)
    .returning(columns)
    .executeTakeFirstOrThrow()
    .catch(refuseViolation(federatedSubjectIsTaken))
}

/** Deletes the keys that were created in a user's name: all, or those since a time. @returns the keys that this call deleted */
export async function deleteKeysOf(tenant: Tenant, userId: string, since: Date | undefined): Promise<ApiKey[]> {
  return tenant
    .updateTable('apiKeys')
    .set({ deletedAt: tenant.now })
    .where('createdById', '=', userId)
    .where('deletedAt', 'is', null)
    .$if(since !== undefined, (keys) => keys.where('createdAt', '>', since as Date))
    .returning(columns)
    .execute()
}

/** The valid keys in a user's name, newest first. */
export async function listUsableKeys(tenant: Tenant, userId: string): Promise<ApiKey[]> {
  return tenant
    .selectFrom('apiKeys')
    .select(columns)
    .where('createdById', '=', userId)
    .where('deletedAt', 'is', null)
    .where((key) => key.or([key('expiresAt', 'is', null), key('expiresAt', '>', tenant.now)]))
    .orderBy('id', 'desc')
    .execute()
}

/** Those of the keys whose credentials of platforms have changed since a time, with the credentials that each had then. */
export async function findFormerCredentials(
  tenant: Tenant,
  ids: readonly string[],
  since: Date,
): Promise<{ id: string; former: FederatedCredential[] }[]> {
  const { rows } = await sql<{ id: string; former: FederatedCredential[] }>`
    select distinct on (target_id) target_id as id, changes #> '{federatedCredentials,from}' as former
    from audit_logs
    where organisation_id = ${tenant.organisationId} and target_id = any(${ids}::text[]) and action = 'api_key.updated'
      and created_at > ${since} and changes -> 'federatedCredentials' is not null
    order by target_id, id`.execute(tenant)
  return rows
}

/** @returns the key that this call deleted; undefined when it deleted none */
export async function claimDeletion(tenant: Tenant, id: string): Promise<ApiKey | undefined> {
  return tenant
    .updateTable('apiKeys')
    .set({ deletedAt: tenant.now })
    .where('id', '=', id)
    .where('deletedAt', 'is', null)
    .returning(columns)
    .executeTakeFirst()
}
