import { fieldRefusal, refusal } from '../platform/http/problem.ts'

export const registrationTokenNotFound = refusal('registration-token-not-found', 'not-found', 'Registration token not found')
export const registrationTokenExpiryHasPassed = fieldRefusal('registration-token-expiry-has-passed', ['expiresAt'], 'Must be in the future')
export const tooManyRegistrationTokens = refusal(
  'too-many-registration-tokens',
  'bad-request',
  'An organisation has at most 100 registration tokens that have not ended',
)
