import { Problem } from '../platform/http/problem.ts'

export { cannotGrant } from '../access/refusals.ts'
export { roleNotFound } from '../roles/refusals.ts'
export const userNotFound = () => new Problem('not-found', 'User not found')
export const emailTaken = () => new Problem('conflict', 'Email already registered')
export const ownerCannotBeDeleted = () => new Problem('bad-request', 'The organisation owner cannot be deleted')
export const ownerCannotBeBlocked = () => new Problem('bad-request', 'The organisation owner cannot be blocked')
export const ownerCannotLoseOwnerRole = () => new Problem('bad-request', 'The organisation owner cannot lose the owner role')
export const mfaOnlyByTheUser = () => new Problem('bad-request', 'MFA can only be enabled by the user')
export const ownerMfaOnlyByTheOwner = () => new Problem('forbidden', 'Only the organisation owner can disable their MFA')
