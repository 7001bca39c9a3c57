import { invalidField, invalidInput, Problem } from '../platform/http/problem.ts'
import type { PasswordMistake } from './rules.ts'

export const invalidLink = () => new Problem('bad-request', 'Invalid or expired token')
export const unsuitablePassword = (mistakes: readonly PasswordMistake[], field: string) =>
  invalidInput(mistakes.map(({ code, message }) => ({ code, path: [field], message })))
export const passwordUsedBefore = (field: string) => invalidField([field], 'Password has been used before')
export const wrongCurrentPassword = () =>
  new Problem('bad-request', 'Current password is wrong', {
    errors: [{ code: 'custom', path: ['currentPassword'], message: 'Current password is wrong' }],
  })
