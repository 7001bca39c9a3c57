import { describe, expect, it } from 'vitest'
import { maskBody, maskFilter, maskPath } from './mask.ts'

describe('what the log shows of a request', () => {
  it('has the form of a body and none of its values', () => {
    const shown = maskBody({
      schemas: ['urn:ietf:params:scim:api:messages:2.0:PatchOp'],
      Operations: [
        { op: 'Replace', path: 'emails[type eq "work"].value', value: 'ada@acme.test' },
        { op: 'Add', value: { 'phoneNumbers[type eq "x\\"y"].value': '+44', active: 'False', employeeNumber: 17, title: null } },
        { op: 'add', path: 'members', value: [{ value: 'usr_01kahm3z9n4v7f2t8q6w5r1y0x', display: 'Ada', type: 'User' }] },
      ],
    })
    expect(shown).toEqual({
      schemas: ['urn:ietf:params:scim:api:messages:2.0:PatchOp'],
      Operations: [
        { op: 'Replace', path: 'emails[type eq "***"].value', value: '***' },
        { op: 'Add', value: { 'phoneNumbers[type eq "***"].value': '***', active: 'False', employeeNumber: '***', title: null } },
        { op: 'add', path: 'members', value: [{ value: 'usr_01kahm3z9n4v7f2t8q6w5r1y0x', display: '***', type: 'User' }] },
      ],
    })
  })

  it('has a filter and a path without what they name', () => {
    expect(maskFilter('userName eq "ada\\"@acme.test" and active eq true')).toBe('userName eq "***" and active eq true')
    expect(maskFilter('userName eq "ada@acme')).toBe('userName eq "***"')
    expect(maskPath('/Users/usr_01kahm3z9n4v7f2t8q6w5r1y0x')).toBe('/Users/usr_01kahm3z9n4v7f2t8q6w5r1y0x')
    expect(maskPath('/Users/ada@acme.test')).toBe('/Users/***')
    expect(maskPath('/Users/.search')).toBe('/Users/.search')
  })

  it('shows the first ten of a list', () => {
    expect(maskBody(Array.from({ length: 12 }, () => 'x'))).toEqual([...Array.from({ length: 10 }, () => '***'), '… 2 more'])
  })
})
