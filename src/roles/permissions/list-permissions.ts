import { defineList } from '../../platform/http/record-list.ts'
import { allPermissions, presentPermission } from './queries.ts'
import { PermissionRecord } from './schemas.ts'

export const permissionList = defineList({
  record: PermissionRecord,
  present: presentPermission,
  rows: allPermissions,
  idColumn: 'permissions.id',
  sorts: { slug: 'permissions.slug' },
  defaultSort: 'slug',
  search: ['permissions.slug'],
  searched: 'slug',
})
