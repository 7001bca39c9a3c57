import { type Selectable, sql } from 'kysely'
import type { Tenant } from '../platform/database/database.ts'
import type { PermissionsTable } from '../platform/database/tables.ts'
import { presentTime } from '../platform/http/fields.ts'
import type { PermissionRecord } from './schemas.ts'

type Permission = Selectable<PermissionsTable>

export async function listPermissions(tenant: Tenant, limit: number, afterSlug: string | undefined): Promise<Permission[]> {
  return tenant
    .selectFrom('permissions')
    .selectAll()
    .$if(afterSlug !== undefined, (query) => query.where('slug', '>', afterSlug as string))
    .orderBy('slug')
    .limit(limit)
    .execute()
}

export async function countPermissions(tenant: Tenant): Promise<number> {
  const { count } = await tenant.selectFrom('permissions').select(sql<number>`count(*)`.as('count')).executeTakeFirstOrThrow()
  return count
}

/** The permissions of these ids; unknown ids are missing from the answer. */
export async function findPermissions(tenant: Tenant, ids: readonly string[]): Promise<{ id: string; slug: string }[]> {
  return tenant.selectFrom('permissions').select(['id', 'slug']).where('id', '=', sql<string>`any(${ids}::text[])`).execute()
}

export function presentPermission({ createdAt, updatedAt, ...permission }: Permission): PermissionRecord {
  return { ...permission, createdAt: presentTime(createdAt), updatedAt: presentTime(updatedAt) }
}
