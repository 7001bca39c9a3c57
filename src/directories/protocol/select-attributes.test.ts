import { describe, expect, it } from 'vitest'
import { userType } from './attributes.ts'
import { readSelection } from './select-attributes.ts'

const enterprise = 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User'
const anna = {
  schemas: [userType.schema.id],
  id: 'usr_1',
  userName: 'anna',
  name: { givenName: 'Anna', familyName: 'Berg' },
  emails: [{ value: 'anna@acme.test', type: 'work' }],
  [enterprise]: { department: 'Sales', division: 'North' },
}
const of = (parameters: Parameters<typeof readSelection>[0]) => readSelection(parameters, userType).of(anna)
const { schemas, id } = anna

describe('a response', () => {
  it('has everything unless attributes are named', () => {
    expect(of({})).toEqual(anna)
    for (const empty of ['', ' ']) expect(of({ attributes: empty, excludedAttributes: empty })).toEqual(anna)
  })

  it('has the attributes that are named, and always the schemas and the id', () => {
    expect(of({ attributes: 'USERNAME' })).toEqual({ schemas, id, userName: 'anna' })
    expect(of({ attributes: 'name.givenName, emails.value' })).toEqual({
      schemas,
      id,
      name: { givenName: 'Anna' },
      emails: [{ value: 'anna@acme.test' }],
    })
    expect(of({ attributes: `${enterprise}:department` })).toEqual({ schemas, id, [enterprise]: { department: 'Sales' } })
    expect(of({ attributes: enterprise })).toEqual({ schemas, id, [enterprise]: anna[enterprise] })
    expect(of({ attributes: 'shoeSize' })).toEqual({ schemas, id })
  })

  it('lacks the attributes that are excluded, but never the schemas and the id', () => {
    expect(of({ excludedAttributes: 'id,schemas,name,emails.type' })).toEqual({
      schemas,
      id,
      userName: 'anna',
      emails: [{ value: 'anna@acme.test' }],
      [enterprise]: anna[enterprise],
    })
  })

  it('tells before anything is read whether an attribute is in it', () => {
    expect(readSelection({ excludedAttributes: 'Emails' }, userType).has('emails')).toBe(false)
    expect(readSelection({ attributes: 'userName' }, userType).has('emails')).toBe(false)
    expect(readSelection({ attributes: 'emails.value' }, userType).has('emails')).toBe(true)
  })
})
