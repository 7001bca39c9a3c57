import { refusal } from '../platform/http/problem.ts'

export { organisationSuspended } from '../access/refusals.ts'
export { clientNotFound } from '../clients/refusals.ts'
export { roleNotFound } from '../roles/refusals.ts'
export const invitationNotFound = refusal('invitation-not-found', 'not-found', 'Invitation not found')
export const userExists = refusal('user-exists', 'bad-request', 'User with this email already exists')
export const invitationPending = refusal('invitation-pending', 'bad-request', 'A pending invitation for this email already exists')
export const onlyPendingResent = refusal('only-pending-resent', 'bad-request', 'Only pending invitations can be resent')
export const onlyPendingCancelled = refusal('only-pending-cancelled', 'bad-request', 'Only pending invitations can be cancelled')
export const invalidInvitation = refusal('invalid-invitation', 'bad-request', 'Invalid or expired invitation')
