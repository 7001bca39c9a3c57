import { refusal } from '../../platform/http/problem.ts'

export { connectionNotFound } from '../refusals.ts'
export { tooManyMessages } from '../saml/refusals.ts'
export const connectionUnusable = refusal('connection-unusable', 'forbidden', 'This way of signing in is not available')
export const federatedSignInExpired = refusal(
  'federated-sign-in-expired',
  'bad-request',
  'This sign-in has expired, or was begun in another browser',
)
export const logoutRequestRefused = refusal('logout-request-refused', 'bad-request', 'The request to sign out was refused')
export const identityProviderRefused = refusal('identity-provider-refused', 'bad-request', 'The identity provider did not sign you in')
export const noVerifiedAddress = refusal('no-verified-address', 'forbidden', 'The identity provider gave no verified address')
export const addressUnusable = refusal('address-unusable', 'forbidden', 'This address cannot be used here')
export const linkWhileSignedIn = refusal(
  'link-while-signed-in',
  'forbidden',
  'An account has this address. Sign in to it as usual, then link this one there.',
)
export const noAccountHere = refusal('no-account-here', 'forbidden', 'No account here. Ask an administrator for an invitation.')
export const invitationByMail = refusal(
  'invitation-by-mail',
  'forbidden',
  'You are invited. Accept the invitation by the link in its mail, then sign in this way.',
)
export const linkedToAnotherUser = refusal('linked-to-another-user', 'conflict', 'This account is linked to another user')
export const connectionTestExpired = refusal(
  'connection-test-expired',
  'bad-request',
  'This test has expired, or was begun by another user or in another browser',
)
