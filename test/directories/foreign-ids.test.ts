import { beforeAll, describe, expect, it } from 'vitest'
import {
  type DirectoryClient,
  directoryClient,
  filter,
  type GivenDirectory,
  givenDirectory,
  operations,
  person,
} from '../support/directories.ts'
import type { Answer } from '../support/http-client.ts'
import { useService } from '../support/service.ts'

const service = useService()

interface Populated extends GivenDirectory {
  user: { id: string; userName: string; externalId: string }
  group: { id: string; displayName: string; externalId: string }
}

async function populated(directory: GivenDirectory, displayName: string): Promise<Populated> {
  const { body: user } = await directory.scim.post('/Users', person(directory.address(), { title: `Title of ${displayName}` }))
  const sent = { displayName, externalId: `Group of ${displayName}`, members: [{ value: user.id }] }
  const { body: group } = await directory.scim.post('/Groups', sent)
  return { ...directory, user, group }
}

/** Everything that a directory manages, and the whole history of its organisation, as the database has it. */
async function stored({ id, organisation, user, group }: Populated) {
  const tenant = service().database.tenant(organisation.id)
  await service().settled()
  const ofDirectory = (table: 'directoryUsers' | 'directoryGroups' | 'directoryRequests') =>
    tenant
      .selectFrom(table)
      .selectAll()
      .where('directoryId', '=', id)
      .execute()
      .then((rows) => rows.map((row) => JSON.stringify(row)).sort())
  return {
    users: await ofDirectory('directoryUsers'),
    groups: await ofDirectory('directoryGroups'),
    requests: await ofDirectory('directoryRequests'),
    members: await tenant.selectFrom('directoryGroupMembers').selectAll().where('groupId', '=', group.id).execute(),
    account: await tenant.selectFrom('users').selectAll().where('id', '=', user.id).execute(),
    teams: await tenant.selectFrom('teamMembers').selectAll().where('userId', '=', user.id).execute(),
  }
}
const historyOf = async ({ organisation }: Populated) =>
  (await service().database.tenant(organisation.id).selectFrom('auditLogs').select('id').execute()).length

type Pair = [method: string, path: string, body?: object]

/** Every endpoint with every method that it has. */
const pairs = ({ user, group }: Pick<Populated, 'user' | 'group'>): Pair[] => [
  ['GET', '/ServiceProviderConfig'],
  ['GET', '/ResourceTypes'],
  ['GET', '/ResourceTypes/User'],
  ['GET', '/Schemas'],
  ['GET', '/Schemas/urn:ietf:params:scim:schemas:core:2.0:User'],
  ['GET', '/Users'],
  ['GET', `/Users${filter(`id eq "${user.id}"`)}`],
  ['POST', '/Users', person(user.userName)],
  ['POST', '/Users/.search', { filter: `userName eq "${user.userName}"` }],
  ['GET', '/Groups'],
  ['GET', `/Groups${filter(`members eq "${user.id}"`)}`],
  ['POST', '/Groups', { displayName: group.displayName, members: [{ value: user.id }] }],
  ['POST', '/Groups/.search', { filter: `displayName eq "${group.displayName}"` }],
  ['POST', '/.search', { filter: `id eq "${group.id}"` }],
  ['GET', '/Me'],
  ['POST', '/Bulk', { Operations: [{ method: 'DELETE', path: `/Users/${user.id}` }] }],
  ...ofResources({ user, group }),
]

/** Every method of one user and one group. */
const ofResources = ({ user, group }: Pick<Populated, 'user' | 'group'>): Pair[] => [
  ['GET', `/Users/${user.id}`],
  ['PUT', `/Users/${user.id}`, person(user.userName, { externalId: user.externalId, title: 'Taken' })],
  ['PATCH', `/Users/${user.id}`, operations({ op: 'replace', path: 'active', value: false })],
  ['DELETE', `/Users/${user.id}`],
  ['GET', `/Groups/${group.id}`],
  ['PUT', `/Groups/${group.id}`, { displayName: 'Taken', members: [] }],
  ['PATCH', `/Groups/${group.id}`, operations({ op: 'remove', path: 'members' })],
  ['DELETE', `/Groups/${group.id}`],
]

const send = (scim: DirectoryClient, [method, path, body]: Pair, headers: Record<string, string> = {}): Promise<Answer> =>
  scim.request(method, path, { body, headers })

/** What belongs to the other directory, and stands in no response. */
const secretsOf = ({ user, group }: Populated) => [user.externalId, group.externalId, `Title of ${group.displayName}`]

describe('what is of another directory', () => {
  let own: Populated
  let foreign: Populated
  let sibling: Populated
  beforeAll(async () => {
    own = await populated(await givenDirectory(service()), 'Ours')
    foreign = await populated(await givenDirectory(service()), 'Theirs')
    sibling = await populated(await givenDirectory(service(), { organisation: own.organisation, domain: own.domain }), 'Beside us')
  })

  it('is refused at its own address to the token of another, for every endpoint and method', async () => {
    for (const other of [foreign, sibling]) {
      const [before, history] = [await stored(other), await historyOf(other)]
      const wrong = directoryClient(service(), other.id, own.token)
      for (const pair of pairs(other)) {
        const { status, body } = await send(wrong, pair)
        expect([...pair.slice(0, 2), status]).toEqual([...pair.slice(0, 2), 401])
        expect(JSON.stringify(body)).not.toContain(other.group.displayName)
      }
      expect(await stored(other)).toEqual(before)
      expect(await historyOf(other)).toBe(history)
    }
  })

  it('of another organisation is not found by its id, with whatever condition', async () => {
    const [before, history] = [await stored(foreign), await historyOf(foreign)]
    for (const pair of ofResources(foreign))
      for (const headers of [{}, { 'if-match': '*' }, { 'if-none-match': 'W/"1"' }]) {
        const { status, body } = await send(own.scim, pair, headers)
        expect([...pair.slice(0, 2), status]).toEqual([...pair.slice(0, 2), 404])
        for (const secret of secretsOf(foreign)) expect(JSON.stringify(body)).not.toContain(secret)
      }
    // A user is no group, and a group no user.
    expect((await own.scim.get(`/Groups/${foreign.user.id}`)).status).toBe(404)
    expect((await own.scim.get(`/Users/${foreign.group.id}`)).status).toBe(404)
    expect(await stored(foreign)).toEqual(before)
    expect(await historyOf(foreign)).toBe(history)
  })

  it('of another organisation is in no list and no search, and joins no group', async () => {
    const before = await stored(foreign)
    for (const text of [
      `id eq "${foreign.user.id}"`,
      `userName eq "${foreign.user.userName}"`,
      `externalId eq "${foreign.user.externalId}"`,
    ])
      for (const { body } of [
        await own.scim.get(`/Users${filter(text)}`),
        await own.scim.post('/Users/.search', { filter: text }),
        await own.scim.post('/.search', { filter: text }),
      ])
        expect([text, body.totalResults]).toEqual([text, 0])
    for (const text of [`id eq "${foreign.group.id}"`, `displayName eq "Theirs"`, `members.value eq "${foreign.user.id}"`])
      expect([text, (await own.scim.get(`/Groups${filter(text)}`)).body.totalResults]).toEqual([text, 0])
    const value = [{ value: foreign.user.id }]
    for (const refused of [
      await own.scim.post('/Groups', { displayName: 'With them', members: value }),
      await own.scim.put(`/Groups/${own.group.id}`, { displayName: 'Ours', members: value }),
      await own.scim.patch(`/Groups/${own.group.id}`, operations({ op: 'add', path: 'members', value })),
    ])
      expect(refused).toMatchObject({ status: 400, body: { scimType: 'invalidValue' } })
    // A removal of one who is no member changes nothing, and tells nothing.
    expect(
      await own.scim.patch(`/Groups/${own.group.id}`, operations({ op: 'remove', path: `members[value eq "${foreign.user.id}"]` })),
    ).toMatchObject({ status: 204 })
    const taken = await own.scim.post('/Users', person(own.address(), { emails: [{ value: foreign.user.userName }] }))
    expect(taken.status).toBeGreaterThanOrEqual(400)
    expect(JSON.stringify(taken.body)).not.toContain(foreign.user.id)
    expect(await stored(foreign)).toEqual(before)
  })

  it('of the same organisation: its groups are not found, its users are read and not changed, and its names stay its own', async () => {
    const before = await stored(sibling)
    for (const pair of ofResources(sibling)) {
      const [method, path] = pair
      const { status, body } = await send(own.scim, pair)
      const expected = path.startsWith('/Groups') ? 404 : method === 'GET' ? 200 : 409
      expect([method, path, status]).toEqual([method, path, expected])
      for (const secret of secretsOf(sibling)) expect(JSON.stringify(body)).not.toContain(secret)
    }
    expect((await own.scim.get(`/Users/${sibling.user.id}`)).body).not.toHaveProperty('groups')
    for (const text of [`id eq "${sibling.group.id}"`, `displayName eq "Beside us"`, `externalId eq "${sibling.group.externalId}"`])
      expect([text, (await own.scim.get(`/Groups${filter(text)}`)).body.totalResults]).toEqual([text, 0])
    expect((await own.scim.get(`/Users${filter(`externalId eq "${sibling.user.externalId}"`)}`)).body.totalResults).toBe(0)
    // Names are unique in a directory, and not in the organisation.
    const { status, body } = await own.scim.post('/Groups', { displayName: 'Beside us', externalId: sibling.group.externalId })
    expect(status).toBe(201)
    expect(body.members).toBeUndefined()
    expect(await stored(sibling)).toEqual(before)
  })
})
