import { fieldRefusal, ofField, refusal, retryAfter } from '../platform/http/problem.ts'

export const invalidVerificationCode = refusal('invalid-verification-code', 'bad-request', 'Invalid verification code', ofField('code'))
export const mfaAlreadyEnabled = refusal('mfa-already-enabled', 'bad-request', 'MFA is already enabled')
export const enrolmentNotStarted = refusal('mfa-enrollment-not-started', 'bad-request', 'MFA enrollment has not been started')
export const methodNotAllowed = refusal(
  'mfa-method-not-allowed',
  'bad-request',
  (method: string) => `The organisation does not allow the MFA method ${method}`,
)
export const smsNotConfigured = refusal('sms-not-configured', 'bad-request', 'The MFA method sms is not available')
export const noPhone = refusal('no-phone', 'bad-request', 'There is no phone to send a code to')
export const phoneRequired = fieldRefusal('phone-required', ['phone'], 'Must be a phone number with country code, such as +4915112345678')
export const codeNotSent = refusal(
  'code-not-sent',
  'service-unavailable',
  'The code could not be sent, try again later',
  (cause?: unknown) => ({
    cause,
    ...retryAfter(30),
  }),
)
