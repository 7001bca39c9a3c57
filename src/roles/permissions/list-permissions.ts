import type { Caller } from '../../access/caller.ts'
import { permissionBeyond } from '../../access/rules.ts'
import { defineList } from '../../platform/http/record-list.ts'
import { allPermissions, type Permission, presentPermission } from './queries.ts'
import { GrantablePermission, PermissionRecord } from './schemas.ts'

const permissions = {
  rows: allPermissions,
  idColumn: 'permissions.id',
  sorts: { slug: 'permissions.slug' },
  defaultSort: 'slug',
  search: ['permissions.slug'],
  searched: 'slug',
} as const

/** The operator's list. */
export const permissionList = defineList({ ...permissions, record: PermissionRecord, present: presentPermission })

/** An organisation's list, which shows the permissions that the caller may grant. */
export const grantablePermissionList = defineList({
  ...permissions,
  record: GrantablePermission,
  present: (permission: Permission, caller: Caller) => ({
    ...presentPermission(permission),
    grantable: permissionBeyond(caller, [permission.slug]) === undefined,
  }),
})
