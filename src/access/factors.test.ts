import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  type AssuranceLevel,
  assuranceLevelOf,
  assuranceLevels,
  authenticationContextOf,
  authenticationMethodsOf,
  compareMethods,
  type Factor,
  factors,
  includesLevel,
  mfaMethods,
} from './factors.ts'

const { password, totp, sms, backup_code: backupCode, email_code: emailCode } = factors
const { passkey: securityKey, verified_synced_passkey: passkey, single_passkey: singlePasskey } = factors

describe('amr and acr', () => {
  it.each<[string, Factor[], string[], string]>([
    ['a password', [password], ['pwd'], 'aal1'],
    ['a password and an app', [password, totp], ['pwd', 'otp', 'mfa'], 'aal2'],
    ['a password and a phone', [password, sms], ['pwd', 'sms', 'mfa'], 'aal2'],
    ['a password and a backup code', [password, backupCode], ['pwd', 'otp', 'mfa'], 'aal2'],
    ['a passkey that verified its user', [passkey], ['swk', 'user', 'mfa'], 'aal2'],
    ['a passkey that does not stand for both', [singlePasskey], ['hwk', 'user'], 'aal1'],
    ['such a passkey and an app', [singlePasskey, totp], ['hwk', 'user', 'otp', 'mfa'], 'aal2'],
    ['a password and a security key', [password, securityKey], ['pwd', 'hwk', 'user', 'mfa'], 'aal2'],
    ['a code by e-mail', [emailCode], ['otp'], 'aal1'],
    ['a code by e-mail and an app', [emailCode, totp], ['otp', 'mfa'], 'aal2'],
  ])('of %s', (_, proven, methods, context) => {
    expect(authenticationMethodsOf(proven)).toEqual(methods)
    expect(authenticationContextOf(methods)).toBe(context)
  })

  it('are aal2 for factors of both steps, and list no method twice', () => {
    const steps = fc.subarray(['first', 'second'] as const, { minLength: 1 })
    const factor = fc.record({ takes: steps, amr: fc.array(fc.constantFrom('pwd', 'otp', 'sms', 'hwk', 'user'), { minLength: 1 }) })
    fc.assert(
      fc.property(fc.array(factor, { minLength: 1, maxLength: 4 }), (proven) => {
        const methods = authenticationMethodsOf(proven)
        expect(new Set(methods).size).toBe(methods.length)
        const both = (['first', 'second'] as const).every((step) => proven.some(({ takes }) => takes.includes(step)))
        expect(authenticationContextOf(methods)).toBe(both ? 'aal2' : 'aal1')
      }),
    )
  })
})

describe('the assurance level', () => {
  const presence: Factor = { takes: ['second'], amr: ['swk', 'user'] }
  const firstOnly: Factor = { takes: ['first'], amr: ['swk', 'user'] }
  const device: Factor = { takes: ['first', 'second'], amr: ['hwk', 'user'] }

  it.each<[string, Factor[], AssuranceLevel]>([
    ['nothing', [], 'aal1'],
    ['a password', [password], 'aal1'],
    ['a password and an app', [password, totp], 'aal2'],
    ['a password and a backup code', [password, backupCode], 'aal2'],
    ['a code by e-mail', [emailCode], 'aal1'],
    ['a password and a security key that was only touched', [password, securityKey], 'aal2'],
    ['a password and a synced passkey without verification', [password, presence], 'aal2'],
    ['a synced passkey that verified its user', [passkey], 'phr'],
    ['the same after a password', [password, passkey], 'phr'],
    ['a passkey of this device alone', [device], 'phrh'],
    ['a passkey that stands for one factor', [firstOnly], 'aal1'],
    ['the same with an app', [firstOnly, totp], 'phr'],
    ['a synced passkey and one of this device', [passkey, device], 'phrh'],
  ])('of %s', (_, proven, level) => {
    expect(assuranceLevelOf(proven)).toBe(level)
  })

  it('only rises with a further factor, and is aal1 exactly where acr says so', () => {
    const factor = fc.constantFrom<Factor>(password, totp, sms, backupCode, passkey, securityKey, emailCode, presence, firstOnly, device)
    fc.assert(
      fc.property(fc.array(factor, { maxLength: 4 }), factor, (proven, further) => {
        expect(includesLevel(assuranceLevelOf([...proven, further]), assuranceLevelOf(proven))).toBe(true)
        expect(assuranceLevelOf(proven) === 'aal1').toBe(authenticationContextOf(authenticationMethodsOf(proven)) === 'aal1')
      }),
    )
  })

  it('includes itself and every lower one', () => {
    for (const [index, level] of assuranceLevels.entries())
      expect(assuranceLevels.filter((wanted) => includesLevel(level, wanted))).toEqual(assuranceLevels.slice(0, index + 1))
  })
})

describe('the methods of MFA', () => {
  it('are the factors that users enrol, in the order in which they are offered', () => {
    expect(mfaMethods).toEqual(['totp', 'sms', 'passkey'])
    expect((['sms', 'totp'] as const).toSorted(compareMethods)).toEqual(['totp', 'sms'])
  })
})
