import { Problem } from '../platform/http/problem.ts'

export { organisationSuspended } from '../access/refusals.ts'
export { cannotGrant, roleNotFound } from '../roles/refusals.ts'
export const invitationNotFound = () => new Problem('not-found', 'Invitation not found')
export const userExists = () => new Problem('bad-request', 'User with this email already exists')
export const invitationPending = () => new Problem('bad-request', 'A pending invitation for this email already exists')
export const onlyPendingResent = () => new Problem('bad-request', 'Only pending invitations can be resent')
export const onlyPendingCancelled = () => new Problem('bad-request', 'Only pending invitations can be cancelled')
export const invalidInvitation = () => new Problem('bad-request', 'Invalid or expired invitation')
