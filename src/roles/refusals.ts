import { fieldRefusal, ofField, refusal } from '../platform/http/problem.ts'

export const roleNotFound = refusal('role-not-found', 'not-found', 'Role not found')
export const roleSlugTaken = refusal('role-slug-taken', 'conflict', 'Role slug already in use', ofField('slug'))
export const ownerRoleCannotBeDeleted = refusal('owner-role-cannot-be-deleted', 'bad-request', 'The owner role cannot be deleted')
export const ownerRoleKeepsItsPermissions = refusal(
  'owner-role-keeps-its-permissions',
  'bad-request',
  'The permissions of the owner role cannot be changed',
)
export const ownerRoleNotDefault = fieldRefusal(
  'owner-role-not-default',
  ['isDefault'],
  'The owner role cannot be the default role: each new user would get it',
)
export const eitherPermissionsOrDeletion = fieldRefusal(
  'either-permissions-or-deletion',
  ['permissionIds'],
  'Send either permissionIds or delete',
)
