import { invalidField, Problem } from '../platform/http/problem.ts'

export const invalidVerificationCode = () => new Problem('bad-request', 'Invalid verification code')
export const mfaAlreadyEnabled = () => new Problem('bad-request', 'MFA is already enabled')
export const enrolmentNotStarted = () => new Problem('bad-request', 'MFA enrollment has not been started')
export const methodNotAllowed = (method: string) => new Problem('bad-request', `The organisation does not allow the MFA method ${method}`)
export const smsNotConfigured = () => new Problem('bad-request', 'The MFA method sms is not available')
export const noPhone = () => new Problem('bad-request', 'There is no phone to send a code to')
export const phoneRequired = () => invalidField(['phone'], 'Must be a phone number with country code, such as +4915112345678')
export const codeNotSent = (cause?: unknown) =>
  new Problem('service-unavailable', 'The code could not be sent, try again later', { cause, headers: { 'retry-after': '30' } })
