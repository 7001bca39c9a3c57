import { describe, expect, it } from 'vitest'
import {
  createDirectory,
  DirectoryClient,
  directoryClient,
  type GivenDirectory,
  givenDirectory,
  operations,
  person,
} from '../support/directories.ts'
import { verifiedDomain } from '../support/domains.ts'
import { unique } from '../support/given.ts'
import { useService } from '../support/service.ts'

const service = useService()

const accountOf = async ({ organisation }: GivenDirectory, id: string) => (await organisation.owner.get(`/v1/admin/users/${id}`)).body
const historyOf = async ({ organisation }: GivenDirectory) =>
  (await service().database.tenant(organisation.id).selectFrom('auditLogs').select('id').execute()).length

describe('a user whom a directory manages', () => {
  it('may be changed by an administrator, until the directory speaks again', async () => {
    const directory = await givenDirectory(service())
    const { scim, organisation } = directory
    const sent = person(directory.address())
    const { body: user } = await scim.post('/Users', sent)
    const path = `/v1/admin/users/${user.id}`
    expect(await organisation.owner.patch(path, { firstName: 'Augusta' })).toMatchObject({ status: 200 })
    expect((await scim.get(`/Users/${user.id}`)).body.name.givenName).toBe('Augusta')
    expect(await scim.put(`/Users/${user.id}`, sent)).toMatchObject({ status: 200, body: { name: { givenName: 'Ada' } } })
    expect(await accountOf(directory, user.id)).toMatchObject({ firstName: 'Ada' })

    const setActive = (active: boolean) => scim.patch(`/Users/${user.id}`, operations({ op: 'replace', path: 'active', value: active }))
    await setActive(false)
    await organisation.owner.patch(path, { blockedAt: null })
    expect(await accountOf(directory, user.id)).toMatchObject({ blockedAt: null })
    expect(await setActive(false)).toMatchObject({ status: 200, body: { active: false } })
    expect(await accountOf(directory, user.id)).toMatchObject({ blockedAt: expect.any(String) })
  })

  it('is not counted any more once an administrator has deleted them', async () => {
    const { scim, organisation, id, address } = await givenDirectory(service())
    const [one] = [await scim.post('/Users', person(address())), await scim.post('/Users', person(address()))]
    const count = async () => (await organisation.owner.get(`/v1/admin/directories/${id}`)).body.counts.users
    expect(await count()).toBe(2)
    await organisation.owner.delete(`/v1/admin/users/${one.body.id}`)
    expect(await count()).toBe(1)
  })

  it('stays under their address when its domain has lapsed, and moves to no other of it', async () => {
    const directory = await givenDirectory(service())
    const { scim, organisation, domain } = directory
    const sent = person(directory.address())
    const { body: user } = await scim.post('/Users', sent)
    await service()
      .database.tenant(organisation.id)
      .updateTable('organisationDomains')
      .set({ status: 'lapsed' })
      .where('domain', '=', domain)
      .execute()
    expect(await scim.put(`/Users/${user.id}`, { ...sent, title: 'Countess' })).toMatchObject({ status: 200, body: { title: 'Countess' } })
    expect(await scim.put(`/Users/${user.id}`, { ...sent, emails: [{ value: directory.address() }] })).toMatchObject({
      status: 400,
      body: { scimType: 'invalidValue' },
    })
    expect(await scim.post('/Users', person(directory.address()))).toMatchObject({ status: 400, body: { scimType: 'invalidValue' } })
  })

  it('has the directory as the actor of every entry that it causes', async () => {
    const organisation = await service().given.organisation()
    const role = await service().given.role(organisation.owner, { permissions: ['users:read'] })
    const directory = await givenDirectory(service(), {
      organisation,
      name: 'Entra ID',
      groupMappings: [{ group: { displayName: 'Sales' }, roleIds: [role.id], teamIds: [] }],
    })
    const { scim } = directory
    const { body: user } = await scim.post('/Users', person(directory.address()))
    await scim.post('/Groups', { displayName: 'Sales', members: [{ value: user.id }] })
    await scim.patch(`/Users/${user.id}`, operations({ op: 'replace', path: 'name.givenName', value: 'Augusta' }))
    await scim.patch(`/Users/${user.id}`, operations({ op: 'replace', path: 'active', value: false }))
    const { data } = (await organisation.owner.get('/v1/admin/audit-logs?limit=100')).body
    const by = { actorType: 'directory', actorId: directory.id, actorName: 'Entra ID' }
    for (const action of ['user.created', 'user.updated', 'user.blocked', 'role.assigned', 'directory.group_created', 'team.member_added'])
      expect(data).toContainEqual(expect.objectContaining({ action, ...by }))
  })

  it('has at most 16 KiB of what is stored as it is sent', async () => {
    const { scim, address } = await givenDirectory(service())
    expect(await scim.post('/Users', person(address(), { title: 'x'.repeat(17_000) }))).toMatchObject({
      status: 400,
      body: { scimType: 'invalidValue' },
    })
    expect((await scim.post('/Users', person(address(), { title: 'x'.repeat(10_000) }))).status).toBe(201)
  })
})

describe('an account that a directory manages, which holds more than who made the directory', () => {
  /** A directory that a user, or an API key of the owner, has made with these permissions, in a young organisation. */
  async function madeBy(kind: 'a user' | 'an API key' | 'the owner') {
    const { owner, id: organisationId } = await service().given.organisation()
    const { domain } = await verifiedDomain(service(), owner)
    const permissions = ['directories:create', 'directories:update']
    const ofKey = async () => {
      const { key } = (await owner.post('/v1/admin/api-keys', { name: 'Onboarding', permissions })).body
      return service().anonymous.with({ authorization: `Bearer ${key}` })
    }
    const user = kind === 'a user' ? await service().given.userWith(owner, permissions) : undefined
    const maker = user ?? (kind === 'an API key' ? await ofKey() : owner)
    const { id } = await createDirectory(maker)
    const tokens = `/v1/admin/directories/${id}/tokens`
    const { token } = (await maker.post(tokens, {})).body
    const scim = directoryClient(service(), id, token)
    /** A user who has proven their address, and has got these permissions since. */
    const adopted = async (held: string[]) => {
      const sent = person(`p-${unique()}@${domain}`)
      const account = await service().given.user(owner, { email: sent.userName })
      const proven = { emailVerifiedAt: service().clock.now() }
      await service().database.tenant(organisationId).updateTable('users').set(proven).where('id', '=', account.id).execute()
      if (held.length > 0) {
        const { id: roleId } = await service().given.role(owner, { permissions: held })
        expect(await owner.post(`/v1/admin/users/${account.id}/roles`, { roleId })).toMatchObject({ status: 200 })
      }
      expect(await scim.post('/Users', sent)).toMatchObject({ status: 201, body: { id: account.id } })
      const move = () => scim.put(`/Users/${account.id}`, { ...sent, emails: [{ value: `moved-${unique()}@${domain}` }] })
      const emailNow = async () => (await owner.get(`/v1/admin/users/${account.id}`)).body.email
      return { ...account, sent, move, emailNow }
    }
    return { owner, user, tokens, scim, adopted }
  }
  const refused = { status: 400, body: { scimType: 'mutability' } }

  it.each(['a user', 'an API key'] as const)('stays at its address when %s has made the directory', async (kind) => {
    const { adopted, scim } = await madeBy(kind)
    const [plain, peer, stronger] = [await adopted([]), await adopted(['directories:update']), await adopted(['users:read'])]

    expect(await plain.move()).toMatchObject({ status: 200 })
    expect(await peer.move()).toMatchObject({ status: 200 })
    expect(await stronger.move()).toMatchObject(refused)
    expect(await stronger.emailNow()).toBe(stronger.email)
    const renamed = { ...stronger.sent, name: { givenName: 'Augusta', familyName: 'King' }, active: false }
    expect(await scim.put(`/Users/${stronger.id}`, renamed)).toMatchObject({
      status: 200,
      body: { name: { givenName: 'Augusta' }, active: false },
    })
  })

  it('stays at its address when who made the directory has been blocked, until an administrator makes a new token', async () => {
    const { owner, user, adopted, tokens } = await madeBy('a user')
    const peer = await adopted(['directories:update'])
    expect(await owner.patch(`/v1/admin/users/${user?.id}`, { blockedAt: '2026-01-01T00:00:00Z' })).toMatchObject({ status: 200 })
    expect(await peer.move()).toMatchObject(refused)

    expect(await owner.post(tokens, {})).toMatchObject({ status: 201 })
    expect(await peer.move()).toMatchObject({ status: 200 })
  })

  it('moves when the owner has made the directory', async () => {
    const { adopted } = await madeBy('the owner')
    expect(await (await adopted(['users:read', 'roles:update'])).move()).toMatchObject({ status: 200 })
  })

  it('moves by a directory that is older than vouching', async () => {
    const { scim, organisation, address } = await givenDirectory(service())
    const sent = person(address())
    const role = await service().given.role(organisation.owner, { permissions: ['users:read'] })
    const { id } = await service().given.user(organisation.owner, { email: sent.userName, roleIds: [role.id] })
    expect(await scim.post('/Users', sent)).toMatchObject({ status: 201, body: { id } })
    expect(await scim.put(`/Users/${id}`, { ...sent, emails: [{ value: address() }] })).toMatchObject({ status: 200 })
  })
})

describe('a second synchronisation', () => {
  it('changes no version and writes no entry', async () => {
    const directory = await givenDirectory(service())
    const { scim } = directory
    const people = Array.from({ length: 5 }, () => person(directory.address()))
    const users = await Promise.all(people.map(async (sent) => (await scim.post('/Users', sent)).body))
    const members = users.map(({ id }) => ({ value: id }))
    const { body: group } = await scim.post('/Groups', { displayName: 'Sales', externalId: 'sales', members })
    const before = {
      history: await historyOf(directory),
      users: (await scim.get('/Users')).body,
      group: (await scim.get(`/Groups/${group.id}`)).body,
    }

    for (const [index, sent] of people.entries()) {
      expect((await scim.put(`/Users/${users[index].id}`, sent)).status).toBe(200)
      expect((await scim.patch(`/Users/${users[index].id}`, operations({ op: 'Replace', path: 'active', value: 'True' }))).status).toBe(200)
    }
    expect((await scim.put(`/Groups/${group.id}`, { displayName: 'Sales', externalId: 'sales', members })).status).toBe(200)
    expect((await scim.patch(`/Groups/${group.id}`, operations({ op: 'Add', path: 'members', value: members }))).status).toBe(204)
    expect({
      history: await historyOf(directory),
      users: (await scim.get('/Users')).body,
      group: (await scim.get(`/Groups/${group.id}`)).body,
    }).toEqual(before)
  })
})

describe('a request of a directory', () => {
  it('may be JSON of either media type, and nothing else', async () => {
    const { id, scim, token, address } = await givenDirectory(service())
    const sending = (type: string) =>
      new DirectoryClient(`${service().origin}/scim/v2/${id}`, { authorization: `Bearer ${token}`, 'content-type': type })
    expect(await sending('application/json; charset=utf-8').post('/Users', person(address()))).toMatchObject({ status: 201 })
    expect(await sending('text/plain').post('/Users', JSON.stringify(person(address())))).toMatchObject({
      status: 415,
      body: { schemas: ['urn:ietf:params:scim:api:messages:2.0:Error'], status: '415' },
    })
    expect((await scim.get('/Users?count=0')).headers.get('content-type')).toContain('application/scim+json')
  })

  it('changes and deletes a group only as the version that it names', async () => {
    const { scim } = await givenDirectory(service())
    const { body: group } = await scim.post('/Groups', { displayName: `Sales ${unique()}` })
    const path = `/Groups/${group.id}`
    const headers = { 'if-match': group.meta.version }
    const rename = () => scim.request('PATCH', path, { body: operations({ op: 'replace', value: { displayName: unique() } }), headers })
    expect((await scim.request('GET', path, { headers: { 'if-none-match': group.meta.version } })).status).toBe(304)
    expect((await rename()).status).toBe(204)
    expect(await rename()).toMatchObject({ status: 412, body: { status: '412' } })
    expect((await scim.request('PUT', path, { body: { displayName: unique() }, headers })).status).toBe(412)
    expect((await scim.request('DELETE', path, { headers })).status).toBe(412)
    expect((await scim.request('DELETE', path, { headers: { 'if-match': '*' } })).status).toBe(204)
  })
})

describe('a directory', () => {
  it('has at most 5,000 groups, each of at most 50,000 members', async () => {
    const { id, scim, organisation, address } = await givenDirectory(service())
    const { body: user } = await scim.post('/Users', person(address()))
    const { body: group } = await scim.post('/Groups', { displayName: 'Large' })
    const tenant = service().database.tenant(organisation.id)
    const now = tenant.now
    const numbers = (count: number) => Array.from({ length: count }, (_, number) => number)
    await insertInParts(
      numbers(4_999).map((n) => ({
        id: `grp_${n}x${unique()}`,
        directoryId: id,
        displayName: `Group ${n}`,
        createdAt: now,
        updatedAt: now,
      })),
      (values) => tenant.insertInto('directoryGroups').values(values).execute(),
    )
    expect(await scim.post('/Groups', { displayName: 'One more' })).toMatchObject({
      status: 400,
      body: { detail: expect.stringContaining('5000') },
    })
    const value = numbers(50_001).map((n) => ({ value: String(n) }))
    expect(await scim.patch(`/Groups/${group.id}`, operations({ op: 'add', path: 'members', value }))).toMatchObject({
      status: 400,
      body: { detail: expect.stringContaining('50000') },
    })
    expect((await scim.patch(`/Groups/${group.id}`, operations({ op: 'add', path: 'members', value: [{ value: user.id }] }))).status).toBe(
      204,
    )
  })
})

async function insertInParts<Row>(rows: readonly Row[], insert: (part: Row[]) => Promise<unknown>): Promise<void> {
  for (let start = 0; start < rows.length; start += 1_000) await insert(rows.slice(start, start + 1_000))
}
