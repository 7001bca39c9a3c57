import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type Factor, factors } from '../access/factors.ts'
import { decideNextStep, isAllowed, isClosedByDomain, whyClosed } from './rules.ts'

const now = new Date('2026-06-15T12:00:00Z')
const dayMilliseconds = 86_400_000

const { password, totp } = factors
const provenFactors = fc.constantFrom([password], [password, totp])

const states = fc.record({
  mfaEnabled: fc.boolean(),
  requireMfa: fc.boolean(),
  passwordChangedAt: fc.option(fc.date({ min: new Date('2020-01-01'), max: now, noInvalidDate: true })),
  passwordMaxAgeDays: fc.option(fc.integer({ min: 1, max: 400 }), { nil: undefined }),
  passwordIsBreached: fc.boolean(),
  lacksPasskey: fc.boolean(),
  mustProvePasskey: fc.boolean(),
})

describe('the next step of a sign-in', () => {
  it('is the second factor for a user who has one and has not given it, whatever else holds', () => {
    fc.assert(
      fc.property(states, (state) => {
        const isAsked = decideNextStep(state, [password], now) === 'second_factor'
        return isAsked === (state.mfaEnabled || state.mustProvePasskey)
      }),
    )
  })

  it('is never a session for a user without MFA where the organisation requires it', () => {
    fc.assert(
      fc.property(states, provenFactors, (state, proven) => {
        fc.pre(state.requireMfa && !state.mfaEnabled)
        return decideNextStep(state, proven, now) !== 'session'
      }),
    )
  })

  it('is never a session with a password that is too old', () => {
    fc.assert(
      fc.property(states, provenFactors, fc.integer({ min: 1, max: 400 }), (state, proven, days) => {
        const passwordChangedAt = new Date(now.getTime() - days * dayMilliseconds)
        const step = decideNextStep({ ...state, passwordChangedAt, passwordMaxAgeDays: days }, proven, now)
        return step === 'new_password' || step === 'second_factor'
      }),
    )
  })

  it('is never a session with a password that is known from a data breach', () => {
    fc.assert(
      fc.property(states, provenFactors, (state, proven) => {
        const step = decideNextStep({ ...state, passwordIsBreached: true }, proven, now)
        return step === 'new_password' || step === 'second_factor'
      }),
    )
  })

  it('is never a session for a user without a passkey where the organisation requires one', () => {
    fc.assert(
      fc.property(states, provenFactors, (state, proven) => decideNextStep({ ...state, lacksPasskey: true }, proven, now) !== 'session'),
    )
  })

  it('is a session when nothing else is asked for', () => {
    const passkeys = { lacksPasskey: false, mustProvePasskey: false }
    const passwords = { passwordChangedAt: now, passwordMaxAgeDays: undefined, passwordIsBreached: false }
    const plain = { mfaEnabled: false, requireMfa: false, ...passwords, ...passkeys }
    expect(decideNextStep(plain, [password], now)).toBe('session')
    expect(decideNextStep({ ...plain, mfaEnabled: true }, [password, totp], now)).toBe('session')
    expect(decideNextStep({ ...plain, passwordMaxAgeDays: 1 }, [password], now)).toBe('session')
  })

  it('is never an enrolment from the password alone for a user with a passkey that signs in', () => {
    const { single_passkey: single, verified_passkey: verified } = factors
    const state = { mfaEnabled: false, requireMfa: true, passwordChangedAt: now, passwordMaxAgeDays: undefined }
    const withPasskey = { ...state, passwordIsBreached: false, lacksPasskey: false, mustProvePasskey: true }
    expect(decideNextStep(withPasskey, [password], now)).toBe('second_factor')
    expect(decideNextStep(withPasskey, [password, verified], now)).toBe('session')
    expect(decideNextStep(withPasskey, [password, single], now)).toBe('enrolment')
    expect(decideNextStep(withPasskey, [single], now)).toBe('enrolment')
  })

  it('follows from the description of a factor, also of one that does not exist yet', () => {
    const { verified_passkey: passkey } = factors
    const emailCode: Factor = { takes: ['first'], amr: ['otp'] }
    const passkeys = { lacksPasskey: false, mustProvePasskey: false }
    const old = { passwordChangedAt: new Date(0), passwordMaxAgeDays: 1, passwordIsBreached: true, ...passkeys }
    const enrolled = { mfaEnabled: true, requireMfa: true, ...old }
    const notEnrolled = { mfaEnabled: false, requireMfa: true, ...old }

    expect(decideNextStep(enrolled, [passkey], now)).toBe('session')
    expect(decideNextStep(notEnrolled, [passkey], now)).toBe('session')
    expect(decideNextStep(enrolled, [emailCode], now)).toBe('second_factor')
    expect(decideNextStep(enrolled, [emailCode, totp], now)).toBe('session')
    expect(decideNextStep(notEnrolled, [emailCode], now)).toBe('enrolment')
  })
})

describe('a way to sign in', () => {
  const users = fc.record({
    id: fc.constantFrom('owner', 'user'),
    ownerId: fc.constant('owner'),
    signInPolicy: fc.record({
      password: fc.constantFrom('allowed', 'disabled'),
      passkeys: fc.constantFrom('off', 'allowed', 'required'),
      emailCode: fc.constantFrom('off', 'allowed'),
    }),
  })
  const ways = fc.constantFrom('password' as const, 'passkey' as const, 'email_code' as const)

  it('is closed without a credential, and where its factor is not allowed', () => {
    fc.assert(
      fc.property(ways, users, fc.boolean(), (way, user, hasCredential) => {
        const isOpen = isAllowed(way, user) && (hasCredential || way === 'email_code')
        return (whyClosed(way, user, hasCredential) === undefined) === isOpen
      }),
    )
  })

  it('is closed by a domain to whom it binds', () => {
    fc.assert(
      fc.property(fc.boolean(), fc.boolean(), (isRequired, binds) => {
        return isClosedByDomain(isRequired ? { binds: () => binds } : undefined, undefined) === (isRequired && binds)
      }),
    )
  })
})
