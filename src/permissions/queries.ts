import { type Selectable, sql } from 'kysely'
import type { Tenant } from '../platform/database/database.ts'
import type { PermissionsTable } from '../platform/database/tables.ts'
import { presentTime } from '../platform/http/fields.ts'
import type { PermissionRecord } from './schemas.ts'

type Permission = Selectable<PermissionsTable>

export const allPermissions = (tenant: Tenant) => tenant.selectFrom('permissions').selectAll()

/** The permissions of these ids; unknown ids are missing from the answer. */
export async function findPermissions(tenant: Tenant, ids: readonly string[]): Promise<{ id: string; slug: string }[]> {
  return tenant.selectFrom('permissions').select(['id', 'slug']).where('id', '=', sql<string>`any(${ids}::text[])`).execute()
}

export function presentPermission({ createdAt, updatedAt, ...permission }: Permission): PermissionRecord {
  return { ...permission, createdAt: presentTime(createdAt), updatedAt: presentTime(updatedAt) }
}
