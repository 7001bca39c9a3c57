import SCIMMY from 'scimmy'
import { beforeAll, describe, expect, it } from 'vitest'
import { enterprise, givenDirectory, person } from '../support/directories.ts'
import { useService } from '../support/service.ts'

const service = useService()
const { User, EnterpriseUser, Group } = SCIMMY.Schemas

beforeAll(() => User.extend(EnterpriseUser as never, false))

interface Described {
  name: string
  type: string
  multiValued: boolean
  subAttributes?: Described[]
}

/** Type and number of each attribute, by its path. */
const traits = (attributes: readonly Described[], above = ''): Record<string, string> =>
  Object.fromEntries(
    attributes.flatMap(({ name, type, multiValued, subAttributes = [] }) => [
      [`${above}${name}`, `${type}${multiValued ? ' list' : ''}`],
      ...Object.entries(traits(subAttributes, `${above}${name}.`)),
    ]),
  )

describe('what another implementation of RFC 7643 reads', () => {
  it('is each user and group as we show them', async () => {
    const { scim, address } = await givenDirectory(service())
    const sent = person(address(), {
      title: 'Countess',
      phoneNumbers: [{ value: '+44 1', type: 'work' }],
      addresses: [{ type: 'work', locality: 'London', primary: true }],
      [enterprise]: { department: 'Engines', manager: { value: 'ext-1' } },
    })
    const { body: made } = await scim.post('/Users', sent)
    const { body: group } = await scim.post('/Groups', { displayName: 'Sales', members: [{ value: made.id }] })
    const { body: list } = await scim.get('/Users')

    for (const user of [made, (await scim.get(`/Users/${made.id}`)).body, ...list.Resources])
      expect(JSON.parse(JSON.stringify(User.definition.coerce(user, 'out')))).toEqual(user)
    for (const shown of [group, (await scim.get(`/Groups/${group.id}`)).body])
      expect(JSON.parse(JSON.stringify(Group.definition.coerce(shown, 'out')))).toEqual(shown)
  })

  it.each([
    ['User', User],
    ['EnterpriseUser', EnterpriseUser],
    ['Group', Group],
  ])('is the schema of %s, attribute by attribute', async (name, schema) => {
    const { scim } = await givenDirectory(service())
    const { body } = await scim.get('/Schemas')
    const ours = body.Resources.find((one: { name: string }) => one.name === name)
    const theirs = traits(JSON.parse(JSON.stringify(schema.definition.describe())).attributes)
    expect(ours.id).toBe(schema.id)
    const own = traits(ours.attributes)
    // A certificate is stored as it is sent, in base64.
    if (name === 'User') expect(theirs['x509Certificates.value']).toBe('binary')
    delete theirs['x509Certificates.value']
    expect(Object.fromEntries(Object.entries(own).filter(([path, trait]) => path in theirs && theirs[path] !== trait))).toEqual({})
    expect(Object.keys(own).filter((path) => !(path in theirs) && !path.includes('.'))).toEqual([])
  })
})
