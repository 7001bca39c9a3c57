import { Problem } from '../platform/http/problem.ts'

export { organisationSuspended } from '../access/refusals.ts'
export const invalidCredentials = () => new Problem('unauthorized', 'Invalid email or password')
export const userBlocked = () => new Problem('forbidden', 'User is blocked')
export const invalidMfaToken = () => new Problem('unauthorized', 'Invalid or expired MFA token')
export const passwordExpired = (resetToken: string, expiresAt: Date) =>
  new Problem('forbidden', 'Password has expired', { members: { resetToken, expiresAt: expiresAt.toISOString() } })
