import { fieldMistake, ofField, refusal } from '../../platform/http/problem.ts'

export const permissionNotFound = refusal('permission-not-found', 'not-found', 'Permission not found')
export const permissionBuiltIn = refusal('permission-built-in', 'bad-request', 'A permission of the service itself cannot be deleted')
export const permissionSlugTaken = refusal('permission-slug-taken', 'conflict', 'Permission slug already in use', ofField('slug'))
export const invalidPermissionSlug = fieldMistake('invalid-permission-slug', 'Must be of the form resource:action')
