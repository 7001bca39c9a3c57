import { refusal, retryAfter } from '../platform/http/problem.ts'
import type { PasswordMistake } from './rules.ts'

export const invalidLink = refusal('invalid-link', 'bad-request', 'Invalid or expired token')
export const unsuitablePassword = refusal(
  'unsuitable-password',
  'bad-request',
  'Invalid input',
  (mistakes: readonly PasswordMistake[], field: string) => ({ errors: mistakes.map((mistake) => ({ ...mistake, path: [field] })) }),
)
export const passwordUsedBefore = refusal('password-used-before', 'bad-request', 'Invalid input', (field: string) => ({
  errors: [{ code: 'custom', path: [field], message: 'Password has been used before', reason: 'password-used-before' }],
}))
export const passwordBreached = refusal('password-breached', 'bad-request', 'Invalid input', (field: string) => ({
  errors: [{ code: 'custom', path: [field], message: 'This password is known from a data breach', reason: 'password-breached' }],
}))
export const breachedPasswordsUnreachable = refusal(
  'breached-passwords-unreachable',
  'service-unavailable',
  'The password cannot be checked at the moment, try again later',
  () => retryAfter(5),
)
export const noPassword = refusal('no-password', 'bad-request', 'There is no password yet: request a link that sets one')
export const wrongCurrentPassword = refusal('wrong-current-password', 'bad-request', 'Current password is wrong', () => ({
  errors: [{ code: 'custom', path: ['currentPassword'], message: 'Current password is wrong', reason: 'wrong-current-password' }],
}))
