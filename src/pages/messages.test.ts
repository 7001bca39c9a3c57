import { describe, expect, it } from 'vitest'
import { emailTaken } from '../accounts/refusals.ts'
import { invalidVerificationCode } from '../mfa/refusals.ts'
import { passwordPolicyOf } from '../organisations/rules.ts'
import { passwordUsedBefore, unsuitablePassword } from '../passwords/refusals.ts'
import { mistakesOf } from '../passwords/rules.ts'
import { invalidInput, Problem } from '../platform/http/problem.ts'
import { en } from './catalogue/en.ts'
import { catalogues } from './language.ts'
import { messagesOf, refusalText } from './messages.ts'

const policy = passwordPolicyOf({
  minLength: 12,
  requireUppercase: true,
  requireLowercase: true,
  requireNumbers: true,
  requireSymbols: true,
})
const mistakes = [
  ...mistakesOf('-', policy, { isCommon: true, personalWords: [] }),
  ...mistakesOf('vera', policy, { isCommon: false, personalWords: ['vera'] }),
]

describe('a refusal on a page', () => {
  it('is translated by its code, whatever its text says', () => {
    const reworded = new Problem(invalidVerificationCode.code, 'bad-request', 'Another text', { field: 'code' })
    expect(messagesOf(en, reworded, { code: '123456' })).toEqual([{ field: 'code', text: en.refusals['invalid-verification-code'] }])
  })

  it('is told at the field that it names where the form has it', () => {
    const text = en.refusals['email-taken']
    expect(messagesOf(en, emailTaken(), { email: 'ada@example.test' })).toEqual([{ field: 'email', text }])
    expect(messagesOf(en, emailTaken(), { firstName: 'Ada' })).toEqual([{ text }])
  })

  it('that the pages have no words for says so', () => {
    expect(refusalText(en, new Problem('constructor', 'conflict', 'Other'))).toBeUndefined()
    expect(messagesOf(en, new Problem('unknown', 'conflict', 'Other'), {})).toEqual([{ text: en.invalid }])
  })

  it.each(mistakes.map((mistake) => [mistake.reason, mistake] as const))('has words for a password that is refused: %s', (_, mistake) => {
    for (const texts of Object.values(catalogues)) {
      const [message] = messagesOf(texts, unsuitablePassword([mistake], 'password'), { password: 'x' })
      expect(message).toMatchObject({ field: 'password', text: expect.stringMatching(/\w/) })
      expect(message?.text).not.toBe(texts.invalid)
    }
  })

  it('names the least that a field takes', () => {
    const problem = invalidInput([{ code: 'too_small', path: ['password'], message: 'Any text', minimum: 8 }])
    expect(messagesOf(en, problem, { password: 'short' })).toEqual([{ field: 'password', text: en.tooShort(8) }])
  })

  it('shows what an e-mail address looks like', () => {
    const problem = invalidInput([{ code: 'invalid_string', path: ['email'], message: 'Any text' }])
    expect(messagesOf(en, problem, { email: '12' })).toEqual([{ field: 'email', text: en.invalidEmail }])
  })

  it('points at the field of a password that was used before', () => {
    expect(messagesOf(en, passwordUsedBefore('newPassword'), { newPassword: 'x' })).toEqual([
      { field: 'newPassword', text: en.refusals['password-used-before'] },
    ])
  })
})
