import { refusal } from '../platform/http/problem.ts'

export { userNotFound } from '../accounts/refusals.ts'
export { organisationCancelled, organisationNotFound } from '../organisations/refusals.ts'
export const passwordLinkWouldNotWork = refusal(
  'password-link-would-not-work',
  'conflict',
  'A password link does nothing while the user is blocked or the organisation suspended',
)
export const ownerCannotBeErased = refusal(
  'owner-cannot-be-erased',
  'bad-request',
  'The organisation owner cannot be erased; transfer the ownership first',
)
