import { Problem } from '../platform/http/problem.ts'

export { cannotGrant } from '../access/refusals.ts'
export const roleNotFound = () => new Problem('not-found', 'Role not found')
export const roleSlugTaken = () => new Problem('conflict', 'Role slug already in use')
export const ownerRoleCannotBeDeleted = () => new Problem('bad-request', 'The owner role cannot be deleted')
export const ownerRoleKeepsItsPermissions = () => new Problem('bad-request', 'The permissions of the owner role cannot be changed')
