import { defineList } from '../platform/http/record-list.ts'
import { presentRole, rolesWithPermissions } from './queries.ts'
import { RoleRecord } from './schemas.ts'

export const roleList = defineList({
  record: RoleRecord,
  present: presentRole,
  rows: rolesWithPermissions,
  idColumn: 'roles.id',
  sorts: { createdAt: 'roles.id', name: 'roles.nameKey', slug: 'roles.slug' },
  defaultSort: 'createdAt',
  search: ['roles.nameKey', 'roles.slug'],
  searched: 'name or slug',
})
