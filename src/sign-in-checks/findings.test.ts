import { describe, expect, it } from 'vitest'
import { endOf, type FindingCode, findingCodes, findings, isMet } from './findings.ts'

describe('what is found about a step', () => {
  it('has a remedy, and leads elsewhere than to a session, exactly where it is not met', () => {
    for (const code of findingCodes) expect([code, endOf([code]) === 'session']).toEqual([code, isMet(code)])
    const met = Object.entries(findings).filter(([code]) => isMet(code as FindingCode))
    expect(met.filter(([, finding]) => 'leadsTo' in finding)).toEqual([])
  })

  it('leads to the end of the first that is not met', () => {
    expect(endOf([])).toBe('session')
    expect(endOf(['account-found', 'password-expired', 'user-blocked'])).toBe('new_password')
    expect(endOf(['user-blocked', 'password-expired'])).toBe('refusal')
  })
})
