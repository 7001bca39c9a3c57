import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { passwordPolicyOf, tokenLifetimesOf } from './rules.ts'

const seconds = fc.integer({ min: 60, max: 2_592_000 })
const optional = <T>(value: fc.Arbitrary<T>) => fc.option(value, { nil: undefined })

describe('a password policy', () => {
  it('requires eight characters and nothing else when there is none', () => {
    expect(passwordPolicyOf(null)).toEqual({
      minLength: 8,
      requireUppercase: false,
      requireLowercase: false,
      requireNumbers: false,
      requireSymbols: false,
      preventReuse: 0,
      maxAgeDays: undefined,
      refuseBreached: true,
    })
    expect(passwordPolicyOf({})).toEqual(passwordPolicyOf(null))
  })

  it('means the same in both spellings', () => {
    fc.assert(
      fc.property(fc.boolean(), fc.boolean(), fc.integer({ min: 8, max: 128 }), (digits, symbols, minLength) => {
        const guide = passwordPolicyOf({ minLength, requireNumber: digits, requireSpecial: symbols })
        expect(guide).toEqual(passwordPolicyOf({ minLength, requireNumbers: digits, requireSymbols: symbols }))
        expect(guide).toMatchObject({ minLength, requireNumbers: digits, requireSymbols: symbols })
      }),
    )
  })

  it('uses the stricter of two spellings that disagree', () => {
    expect(passwordPolicyOf({ requireNumbers: false, requireNumber: true }).requireNumbers).toBe(true)
    expect(passwordPolicyOf({ requireSymbols: true, requireSpecial: false }).requireSymbols).toBe(true)
  })

  it('reads how many former passwords are refused, and after how many days one expires', () => {
    expect(passwordPolicyOf({ preventReuse: 5, maxAge: 90 })).toMatchObject({ preventReuse: 5, maxAgeDays: 90 })
    expect(passwordPolicyOf({ preventReuse: 0, maxAge: 0 })).toMatchObject({ preventReuse: 0, maxAgeDays: undefined })
  })

  it('refuses breached passwords unless it says that it does not', () => {
    expect(passwordPolicyOf({ refuseBreached: false }).refuseBreached).toBe(false)
    expect([true, null, undefined].map((refuseBreached) => passwordPolicyOf({ refuseBreached }).refuseBreached)).toEqual([true, true, true])
  })

  it('never allows fewer than eight characters, whatever is stored', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.jsonValue()), fc.jsonValue(), (other, minLength) => {
        const policy = passwordPolicyOf({ ...other, minLength })
        expect(policy.minLength).toBeGreaterThanOrEqual(8)
        expect(policy.preventReuse).toBeGreaterThanOrEqual(0)
      }),
    )
  })
})

describe('a token lifetime policy', () => {
  it('sets no lifetime when there is none', () => {
    const open = {
      accessTokenSeconds: undefined,
      refreshTokenSeconds: undefined,
      refreshTokenAbsoluteSeconds: undefined,
      idTokenSeconds: undefined,
    }
    expect(tokenLifetimesOf(null)).toEqual(open)
    expect(tokenLifetimesOf({ accessToken: null })).toEqual(open)
  })

  it('means the same in both spellings', () => {
    fc.assert(
      fc.property(optional(seconds), optional(seconds), optional(seconds), optional(seconds), (access, refresh, absolute, id) => {
        const lifetimes = {
          accessTokenSeconds: access,
          refreshTokenSeconds: refresh,
          refreshTokenAbsoluteSeconds: absolute,
          idTokenSeconds: id,
        }
        const short = { accessToken: access, refreshToken: refresh, refreshTokenAbsolute: absolute, idToken: id }
        const long = {
          accessTokenLifetime: access,
          refreshTokenLifetime: refresh,
          refreshTokenAbsoluteLifetime: absolute,
          idTokenLifetime: id,
        }
        expect(tokenLifetimesOf(short)).toEqual(lifetimes)
        expect(tokenLifetimesOf(long)).toEqual(lifetimes)
      }),
    )
  })

  it('uses the shorter of two spellings that disagree', () => {
    fc.assert(
      fc.property(seconds, seconds, (one, other) => {
        expect(tokenLifetimesOf({ accessToken: one, accessTokenLifetime: other }).accessTokenSeconds).toBe(Math.min(one, other))
      }),
    )
  })
})
