import { refusal } from '../platform/http/problem.ts'

export { organisationSuspended } from '../access/refusals.ts'
export const invalidCredentials = refusal('invalid-credentials', 'unauthorized', 'Invalid email or password')
export const userBlocked = refusal('user-blocked', 'forbidden', 'User is blocked')
export const wrongPassword = refusal('wrong-password', 'bad-request', 'Password is wrong', () => ({
  errors: [{ code: 'custom', path: ['password'], message: 'Password is wrong', reason: 'wrong-password' }],
}))
export const wrongPasskey = refusal('wrong-passkey', 'bad-request', 'Passkey not recognised')
export const secondFactorRequired = refusal('second-factor-required', 'bad-request', 'A code of the second factor is required')
export const invalidMfaToken = refusal('invalid-mfa-token', 'unauthorized', 'Invalid or expired MFA token')
export const passwordExpired = refusal('password-expired', 'forbidden', 'Password has expired', (resetToken: string, expiresAt: Date) => ({
  members: { resetToken, expiresAt: expiresAt.toISOString() },
}))
