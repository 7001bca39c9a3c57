import type { Selectable } from 'kysely'
import type { Tenant } from '../platform/database/database.ts'
import type { ApiKeysTable } from '../platform/database/tables.ts'
import { presentTime } from '../platform/http/fields.ts'
import { newId } from '../platform/ids.ts'
import type { ApiKeyRecord } from './schemas.ts'

const columns = ['id', 'name', 'prefix', 'permissions', 'expiresAt', 'lastUsedAt', 'createdById', 'createdAt'] as const

/** A key's row without the hash of the key. */
export type ApiKey = Pick<Selectable<ApiKeysTable>, (typeof columns)[number]>

export function presentApiKey({ expiresAt, lastUsedAt, createdAt, ...key }: ApiKey): ApiKeyRecord {
  return { ...key, expiresAt: presentTime(expiresAt), lastUsedAt: presentTime(lastUsedAt), createdAt: presentTime(createdAt) }
}

/** Keys that are not deleted, expired ones included. */
export const presentKeys = (tenant: Tenant) => tenant.selectFrom('apiKeys').select(columns).where('deletedAt', 'is', null)

type NewRow = Pick<ApiKey, 'name' | 'prefix' | 'permissions' | 'expiresAt' | 'createdById'> & { keyHash: string }

export async function insertApiKey(tenant: Tenant, key: NewRow): Promise<ApiKey> {
  return tenant
    .insertInto('apiKeys')
    .values({ id: newId('key', tenant.now), ...key, createdAt: tenant.now })
    .returning(columns)
    .executeTakeFirstOrThrow()
}

/** Deletes the keys that were created in a user's name since this time. @returns those that this call has deleted */
export async function deleteKeysMadeSince(tenant: Tenant, userId: string, since: Date): Promise<ApiKey[]> {
  return tenant
    .updateTable('apiKeys')
    .set({ deletedAt: tenant.now })
    .where('createdById', '=', userId)
    .where('createdAt', '>', since)
    .where('deletedAt', 'is', null)
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

/** @returns the key that this call has deleted; undefined when there was none */
export async function claimDeletion(tenant: Tenant, id: string): Promise<ApiKey | undefined> {
  return tenant
    .updateTable('apiKeys')
    .set({ deletedAt: tenant.now })
    .where('id', '=', id)
    .where('deletedAt', 'is', null)
    .returning(columns)
    .executeTakeFirst()
}
