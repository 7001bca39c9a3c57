import { describe, expect, it } from 'vitest'
import type { JsonObject } from './json.ts'
import { userValues } from './user-values.ts'

const of = (resource: JsonObject) => userValues({ userName: 'anna@acme.test', ...resource })

describe('what is ours of a SCIM user', () => {
  it.each<[string, JsonObject, string]>([
    [
      'the main one',
      {
        emails: [
          { value: 'work@acme.test', type: 'work' },
          { value: 'Main@acme.test', primary: true },
        ],
      },
      'main@acme.test',
    ],
    ['else the one at work', { emails: [{ value: 'home@acme.test' }, { value: 'work@acme.test', type: 'Work' }] }, 'work@acme.test'],
    ['else the first', { emails: [{ value: 'one@acme.test' }, { value: 'two@acme.test' }] }, 'one@acme.test'],
    ['else the name', {}, 'anna@acme.test'],
  ])('is an address: %s', (_which, resource, email) => {
    expect(of(resource).email).toBe(email)
  })

  it.each<[string, JsonObject, [string, string]]>([
    ['as given', { name: { givenName: 'Anna', familyName: 'Berg' }, displayName: 'X Y' }, ['Anna', 'Berg']],
    ['from the shown name', { displayName: 'Anna Maria Berg' }, ['Anna Maria', 'Berg']],
    ['one of them from the shown name', { displayName: 'Anna Berg', name: { givenName: 'Ann' } }, ['Ann', 'Berg']],
    ['from the address', {}, ['anna', '']],
  ])('is a name: %s', (_how, resource, [firstName, lastName]) => {
    expect(of(resource)).toMatchObject({ firstName, lastName })
  })

  it('is the telephone that is carried about, else the one at work, else the first', () => {
    const [first, work, mobile] = [{ value: '1' }, { value: '2', type: 'work' }, { value: '3', type: 'mobile' }]
    expect(of({ phoneNumbers: [first, work, mobile] }).phone).toBe('3')
    expect(of({ phoneNumbers: [first, work] }).phone).toBe('2')
    expect(of({ phoneNumbers: [first] }).phone).toBe('1')
    expect(of({ phoneNumbers: [{ type: 'mobile' }, work] }).phone).toBe('2')
    expect(of({}).phone).toBeNull()
  })

  it('is active unless it says otherwise', () => {
    expect(of({}).isActive).toBe(true)
    expect(of({ active: false }).isActive).toBe(false)
  })

  it.each<[string, JsonObject]>([
    ['no user name', { userName: null }],
    ['no address at all', { userName: 'anna' }],
    ['an address that is none', { emails: [{ value: 'anna' }] }],
    ['a first name of 256 characters', { name: { givenName: 'a'.repeat(256) } }],
  ])('is refused for %s', (_what, resource) => {
    expect(() => of(resource)).toThrow(expect.objectContaining({ status: 400, scimType: 'invalidValue' }))
  })
})
