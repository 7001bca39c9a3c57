import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { decideNextStep } from './rules.ts'

const now = new Date('2026-06-15T12:00:00Z')
const dayMilliseconds = 86_400_000

const states = fc.record({
  mfaEnabled: fc.boolean(),
  requireMfa: fc.boolean(),
  passwordChangedAt: fc.option(fc.date({ min: new Date('2020-01-01'), max: now, noInvalidDate: true })),
  passwordMaxAgeDays: fc.option(fc.integer({ min: 1, max: 400 }), { nil: undefined }),
})

describe('the next step of a sign-in', () => {
  it('is the second factor for whoever has one and has not given it, whatever else holds', () => {
    fc.assert(fc.property(states, (state) => (decideNextStep(state, false, now) === 'second_factor') === state.mfaEnabled))
  })

  it('is never a session for a user without MFA where the organisation requires it', () => {
    fc.assert(
      fc.property(states, fc.boolean(), (state, given) => {
        fc.pre(state.requireMfa && !state.mfaEnabled)
        return decideNextStep(state, given, now) !== 'session'
      }),
    )
  })

  it('is never a session with a password that is too old', () => {
    fc.assert(
      fc.property(states, fc.boolean(), fc.integer({ min: 1, max: 400 }), (state, given, days) => {
        const passwordChangedAt = new Date(now.getTime() - days * dayMilliseconds)
        const step = decideNextStep({ ...state, passwordChangedAt, passwordMaxAgeDays: days }, given, now)
        return step === 'new_password' || step === 'second_factor'
      }),
    )
  })

  it('is a session when nothing else is asked for', () => {
    const plain = { mfaEnabled: false, requireMfa: false, passwordChangedAt: now, passwordMaxAgeDays: undefined }
    expect(decideNextStep(plain, false, now)).toBe('session')
    expect(decideNextStep({ ...plain, mfaEnabled: true }, true, now)).toBe('session')
    expect(decideNextStep({ ...plain, passwordMaxAgeDays: 1 }, false, now)).toBe('session')
  })
})
