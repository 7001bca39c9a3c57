import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type PasswordPolicy, passwordPolicyOf } from '../organisations/rules.ts'
import { mistakesOf } from './rules.ts'

const anyone = { isCommon: false, personalWords: [] }
const policies: fc.Arbitrary<PasswordPolicy> = fc.record({
  minLength: fc.integer({ min: 8, max: 40 }),
  requireUppercase: fc.boolean(),
  requireLowercase: fc.boolean(),
  requireNumbers: fc.boolean(),
  requireSymbols: fc.boolean(),
  preventReuse: fc.constant(0),
  maxAgeDays: fc.constant(undefined),
  refuseBreached: fc.constant(true),
})
const passwords = fc.string({ unit: 'grapheme', maxLength: 60 })
/** They meet each of the policies. */
const strongPasswords = fc
  .tuple(passwords, fc.constantFrom('Aa1-', 'Ωω٣€'), fc.string({ unit: 'grapheme', minLength: 40, maxLength: 60 }))
  .map((parts) => parts.join(''))

describe('a chosen password', () => {
  it('may be anything long enough without a policy', () => {
    fc.assert(
      fc.property(passwords, (password) => {
        expect(mistakesOf(password, passwordPolicyOf(null), anyone)).toEqual(
          [...password].length >= 8
            ? []
            : [{ code: 'too_small', message: 'Password must contain at least 8 characters', reason: 'password-too-short', minimum: 8 }],
        )
      }),
    )
  })

  it('that meets a policy still does with more after it', () => {
    fc.assert(
      fc.property(policies, strongPasswords, passwords, (policy, password, more) => {
        expect(mistakesOf(password, policy, anyone)).toEqual([])
        expect(mistakesOf(`${password} ${more}`, policy, anyone)).toEqual([])
      }),
    )
  })

  it('that meets no requirement gets each requirement once', () => {
    fc.assert(
      fc.property(policies, (policy) => {
        const { minLength, requireUppercase, requireLowercase, requireNumbers, requireSymbols } = policy
        const asked = [minLength > 0, requireUppercase, requireLowercase, requireNumbers, requireSymbols]
        return mistakesOf(' ', policy, anyone).length === asked.filter(Boolean).length
      }),
    )
  })

  it.each([
    ['of letters only, when numbers are required', 'Correct horse!', { requireNumbers: true }],
    ['of letters only, when numbers are required in the other spelling', 'Correct horse!', { requireNumber: true }],
    ['without a symbol, when one is required', 'Correct horse 1', { requireSymbols: true }],
    ['without a symbol, when one is required in the other spelling', 'Correct horse 1', { requireSpecial: true }],
    ['in lower case, when an upper-case letter is required', 'correct horse', { requireUppercase: true }],
    ['in upper case, when a lower-case letter is required', 'ÉCLAIR ÉCLAIR', { requireLowercase: true }],
  ])('%s is refused', (_, password, policy) => {
    expect(mistakesOf(password, passwordPolicyOf(policy), anyone)).toMatchObject([{ code: 'custom' }])
  })

  it('may use letters, numbers and symbols of any script', () => {
    const policy = passwordPolicyOf({ requireUppercase: true, requireLowercase: true, requireNumbers: true, requireSymbols: true })
    expect(mistakesOf('Ωραίο٣€ελιά', policy, anyone)).toEqual([])
  })

  it.each(['carol.shaw@acme.test', 'Carol.Shaw', 'carolshaw1', 'Shaw-Carol-2026', 'acme1234', 'CarolCarol'])(
    '%s is refused to Carol Shaw of Acme',
    (password) => {
      const context = { isCommon: false, personalWords: ['carol.shaw@acme.test', 'Carol', 'Shaw'] }
      expect(mistakesOf(password, passwordPolicyOf(null), context)).toMatchObject([{ code: 'custom' }])
    },
  )

  it.each([
    ['Comic-2026', 'carol.shaw@globex.com'],
    ['Tested#2026', 'carol.shaw@globex.test'],
  ])('%s is accepted from %s, although it begins like the top-level domain', (password, email) => {
    const context = { isCommon: false, personalWords: [email, 'Carol', 'Shaw'] }
    expect(mistakesOf(password, passwordPolicyOf(null), context)).toEqual([])
  })

  it("may contain the user's own name among other text", () => {
    const context = { isCommon: false, personalWords: ['carol.shaw@acme.test', 'Carol', 'Shaw'] }
    expect(mistakesOf('carol likes long walks', passwordPolicyOf(null), context)).toEqual([])
    expect(mistakesOf('correct horse battery', passwordPolicyOf(null), context)).toEqual([])
  })
})
