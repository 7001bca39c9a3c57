import { type Selectable, sql } from 'kysely'
import type { SharedReads, Tenant } from '../../platform/database/database.ts'
import { isNamed } from '../../platform/database/named.ts'
import type { PermissionsTable } from '../../platform/database/tables.ts'
import { presentTime } from '../../platform/http/fields.ts'
import type { PermissionRecord } from './schemas.ts'

export type Permission = Selectable<PermissionsTable>

export const allPermissions = (reads: SharedReads) => reads.selectFrom('permissions').selectAll()

/** The permissions with these ids or slugs. Unknown ones are left out. */
export async function findPermissions(tenant: Tenant, names: readonly string[]): Promise<{ id: string; slug: string }[]> {
  return tenant.selectFrom('permissions').select(['id', 'slug']).where(isNamed('permissions', names)).execute()
}

/** The slugs that name a permission. */
export async function findPermissionsBySlug(tenant: Tenant, slugs: readonly string[]): Promise<Set<string>> {
  const known = await tenant.selectFrom('permissions').select('slug').where('slug', '=', sql<string>`any(${slugs}::text[])`).execute()
  return new Set(known.map(({ slug }) => slug))
}

export function presentPermission({ createdAt, updatedAt, ...permission }: Permission): PermissionRecord {
  return { ...permission, createdAt: presentTime(createdAt), updatedAt: presentTime(updatedAt) }
}
