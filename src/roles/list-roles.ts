import type { Tenant } from '../platform/database/database.ts'
import { storedCount } from '../platform/database/stored-counts.ts'
import { defineList } from '../platform/http/record-list.ts'
import { presentRoleRecord, rolesWithUserCount } from './queries.ts'
import { RoleRecord } from './schemas.ts'

export const roleList = defineList({
  record: RoleRecord,
  present: presentRoleRecord,
  rows: rolesWithUserCount,
  storedCount: (tenant: Tenant) => storedCount(tenant, 'roles'),
  idColumn: 'roles.id',
  sorts: { createdAt: 'roles.id', name: 'roles.nameKey', slug: 'roles.slug' },
  defaultSort: 'createdAt',
  search: ['roles.nameKey', 'roles.slug'],
  searched: 'name or slug',
})
