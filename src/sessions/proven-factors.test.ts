import { describe, expect, it } from 'vitest'
import { readFactors, storedFactors } from './proven-factors.ts'

const provenAt = new Date('2026-11-22T12:00:00Z')
const earlier = { authenticationMethods: ['pwd', 'sms', 'mfa'], provenAt: new Date('2026-11-20T12:00:00Z') }

describe('proven factors', () => {
  it('are read as they were stored', () => {
    const proven = [
      { factor: 'password' as const, provenAt },
      { factor: 'backup_code' as const, provenAt },
    ]
    expect(readFactors(JSON.parse(storedFactors(proven)), earlier)).toEqual(proven)
    expect(readFactors([], earlier)).toEqual([])
  })

  it('are derived from the methods when the previous release has stored none', () => {
    expect(readFactors(null, earlier)).toEqual([
      { factor: 'password', provenAt: earlier.provenAt },
      { factor: 'sms', provenAt: earlier.provenAt },
    ])
    expect(readFactors(null, { ...earlier, authenticationMethods: ['pwd', 'otp', 'mfa'] }).map(({ factor }) => factor)).toEqual([
      'password',
      'totp',
    ])
  })

  it('that are unknown prove nothing: a later release may have stored them', () => {
    const stored = ['retina', 'toString', 'password'].map((factor) => ({ factor, provenAt: provenAt.toISOString() }))
    expect(readFactors(stored, earlier)).toEqual([{ factor: 'password', provenAt }])
  })
})
