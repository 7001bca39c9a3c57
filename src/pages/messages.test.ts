import { describe, expect, it } from 'vitest'
import { invalidVerificationCode, mfaAlreadyEnabled } from '../mfa/refusals.ts'
import { trialLimitReached } from '../organisations/refusals.ts'
import { passwordPolicyOf } from '../organisations/rules.ts'
import { invalidLink, passwordUsedBefore } from '../passwords/refusals.ts'
import { mistakesOf } from '../passwords/rules.ts'
import { invalidCredentials, organisationSuspended, userBlocked } from '../sign-in/refusals.ts'
import { catalogues } from './language.ts'
import { translate } from './messages.ts'

const strictest = passwordPolicyOf({
  minLength: 12,
  requireUppercase: true,
  requireLowercase: true,
  requireNumbers: true,
  requireSymbols: true,
})
const mistakes = [
  ...mistakesOf('', strictest, { isCommon: true, personalWords: [] }),
  ...mistakesOf('vera', strictest, { isCommon: true, personalWords: ['vera'] }),
].map(({ message }) => message)
const refusals = [
  trialLimitReached,
  invalidVerificationCode,
  mfaAlreadyEnabled,
  invalidLink,
  invalidCredentials,
  organisationSuspended,
  userBlocked,
].map((refusal) => refusal().detail)
const reused = passwordUsedBefore('password').errors?.map(({ message }) => message) ?? []

describe('a refusal that a page can meet', () => {
  it.each([...new Set([...mistakes, ...refusals, ...reused])])('has words of its own in every language: %s', (detail) => {
    for (const texts of Object.values(catalogues)) expect(translate(texts, detail)).toMatch(/\w/)
  })
})
