import { Problem } from '../platform/http/problem.ts'

export const invalidVerificationCode = () => new Problem('bad-request', 'Invalid verification code')
export const mfaAlreadyEnabled = () => new Problem('bad-request', 'MFA is already enabled')
export const enrolmentNotStarted = () => new Problem('bad-request', 'MFA enrollment has not been started')
export const methodNotAllowed = (method: string) => new Problem('bad-request', `The organisation does not allow the MFA method ${method}`)
