import { type Selectable, sql } from 'kysely'
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

/** Keys in the order they were created, expired ones included, without deleted ones. */
export async function listApiKeys(tenant: Tenant, limit: number, after: string | undefined): Promise<ApiKey[]> {
  return tenant
    .selectFrom('apiKeys')
    .select(columns)
    .where('deletedAt', 'is', null)
    .$if(after !== undefined, (query) => query.where('id', '>', after as string))
    .orderBy('id')
    .limit(limit)
    .execute()
}

export async function countApiKeys(tenant: Tenant): Promise<number> {
  const { count } = await tenant
    .selectFrom('apiKeys')
    .select(sql<number>`count(*)`.as('count'))
    .where('deletedAt', 'is', null)
    .executeTakeFirstOrThrow()
  return count
}

type NewRow = Pick<ApiKey, 'name' | 'prefix' | 'permissions' | 'expiresAt' | 'createdById'> & { keyHash: string }

export async function insertApiKey(tenant: Tenant, key: NewRow): Promise<ApiKey> {
  return tenant
    .insertInto('apiKeys')
    .values({ id: newId('key', tenant.now), ...key, createdAt: tenant.now })
    .returning(columns)
    .executeTakeFirstOrThrow()
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
