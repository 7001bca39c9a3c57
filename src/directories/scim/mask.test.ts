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
    expect(maskPath('/Users/ada@acme.test/Groups')).toBe('/Users/***/Groups')
    expect(maskPath('/ada@acme.test/usr_1')).toBe('/***/usr_1')
    expect(maskPath('/users')).toBe('/users')
    expect(maskPath('/Users/usr_01kahm3z9n4v7f2t8q6w5r1y0x')).toBe('/Users/usr_01kahm3z9n4v7f2t8q6w5r1y0x')
    expect(maskPath('/Users/ada@acme.test')).toBe('/Users/***')
    expect(maskPath('/Users/.search')).toBe('/Users/.search')
  })

  it.each([
    ['userName eq ada@acme.test', 'userName eq ***'],
    ["userName eq 'ada@acme.test' or title pr", "userName eq '***' or title pr"],
    ["userName eq 'ada", "userName eq '***'"],
    ['employeeNumber gt 4711 and not (active eq False)', 'employeeNumber gt *** and not (active eq False)'],
    ['displayName eq Ada Lovelace', 'displayName eq *** ***'],
    ['displayName eq "Ada"Lovelace"', 'displayName eq "***"***"***"'],
    ['displayName eq (Ada Lovelace)', 'displayName eq (*** ***)'],
    ['displayName = Ada', 'displayName = ***'],
    ['displayName is Ada', 'displayName *** ***'],
    ['ada@acme.test', '***'],
    ['EMAILS[Type EQ work AND value ew @acme.test].value eq null', 'EMAILS[Type EQ *** AND value ew ***].value eq null'],
    [
      'urn:ietf:params:scim:schemas:core:2.0:User:name.givenName sw "A"',
      'urn:ietf:params:scim:schemas:core:2.0:User:name.givenName sw "***"',
    ],
  ])('has no value of the filter %s, however it is written', (sent, shown) => {
    expect(maskFilter(sent)).toBe(shown)
  })

  it('shows what says how a request is made at the top of a message and of its operations alone', () => {
    const names = {
      status: 'Ada',
      count: 'Ada',
      op: 'Ada',
      path: 'Ada',
      detail: 'Ada',
      attributes: 'Ada',
      resourceType: 'Ada',
      scimType: 'Ada',
    }
    const hidden = Object.fromEntries(Object.keys(names).map((name) => [name, '***']))
    expect(maskBody(names)).toEqual(hidden)
    expect(maskBody({ schemas: ['Ada'], name: names, constructor: 'Ada' })).toEqual({ schemas: ['***'], name: hidden, constructor: '***' })
    const patch = (Operations: unknown) => ({ schemas: ['urn:ietf:params:scim:api:messages:2.0:PatchOp'], Operations })
    expect(maskBody(patch([{ op: 'move', path: 'title eq Ada', value: names }, { op: 'a b', path: ['x@y'] }, 'Ada']))).toEqual(
      patch([{ op: 'move', path: 'title eq ***', value: hidden }, { op: '***', path: ['***'] }, '***']),
    )
    const search = { count: 10, startIndex: 'first', filter: 'userName eq Ada', attributes: ['userName', 'ada@acme.test'], title: 'Ada' }
    expect(maskBody(search, { isSearch: true })).toEqual({
      ...{ count: 10, startIndex: '***', filter: 'userName eq ***', attributes: ['userName', '***'], title: '***' },
    })
  })

  it('shows the first ten of a list', () => {
    expect(maskBody(Array.from({ length: 12 }, () => 'x'))).toEqual([...Array.from({ length: 10 }, () => '***'), '… 2 more'])
  })
})
