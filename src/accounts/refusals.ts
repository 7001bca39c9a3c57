import { ofField, refusal } from '../platform/http/problem.ts'

export { roleNotFound } from '../roles/refusals.ts'
export const userNotFound = refusal('user-not-found', 'not-found', 'User not found')
export const emailTaken = refusal('email-taken', 'conflict', 'Email already registered', ofField('email'))
export const ownerCannotBeDeleted = refusal('owner-cannot-be-deleted', 'bad-request', 'The organisation owner cannot be deleted')
export const ownerCannotBeBlocked = refusal('owner-cannot-be-blocked', 'bad-request', 'The organisation owner cannot be blocked')
export const ownerCannotLoseOwnerRole = refusal(
  'owner-cannot-lose-owner-role',
  'bad-request',
  'The organisation owner cannot lose the owner role',
)
export const mfaOnlyByTheUser = refusal('mfa-only-by-the-user', 'bad-request', 'MFA can only be enabled by the user')
export const ownerMfaOnlyByTheOwner = refusal(
  'owner-mfa-only-by-the-owner',
  'forbidden',
  'Only the organisation owner can disable their MFA',
)
