import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import { filter, type GivenDirectory, givenDirectory, operations, person } from '../support/directories.ts'
import { insertConnection } from '../support/domains.ts'
import { unique } from '../support/given.ts'
import { useService } from '../support/service.ts'
import { unequalRows } from '../support/sources.ts'

const service = useService()

const members = (...ids: string[]) => ids.map((value) => ({ value }))
const group = (displayName: string, ...ids: string[]) => ({
  schemas: ['urn:ietf:params:scim:schemas:core:2.0:Group'],
  displayName,
  ...(ids.length > 0 && { members: members(...ids) }),
})

async function userOf({ scim, address }: GivenDirectory, fields: Record<string, unknown> = {}): Promise<string> {
  const created = await scim.post('/Users', person(address(), fields))
  expect(created).toMatchObject({ status: 201 })
  return created.body.id
}

/** Creates them ten at a time: of more at once, some are told to come again where the database is busy. */
async function usersOf(directory: GivenDirectory, number: number): Promise<string[]> {
  const ids: string[] = []
  while (ids.length < number) {
    const next = Array.from({ length: Math.min(10, number - ids.length) }, () => userOf(directory))
    ids.push(...(await Promise.all(next)))
  }
  return ids
}

const membersOf = async ({ scim }: GivenDirectory, id: string): Promise<string[]> =>
  ((await scim.get(`/Groups/${id}`)).body.members ?? []).map(({ value }: { value: string }) => value).sort()

/** The roles and teams of a user, each with what gives it. */
const heldBy = async ({ organisation }: GivenDirectory, id: string) => {
  const { body } = await organisation.owner.get(`/v1/admin/users/${id}`)
  type Held = { id: string; name: string; sources: { type: string; name: string | null }[] }
  const shown = (held: Held[]) =>
    Object.fromEntries(held.map((one) => [one.name, one.sources.map(({ type, name }) => (type === 'manual' ? type : `${type} ${name}`))]))
  return { roles: shown(body.roles), teams: shown(body.teams) }
}

describe('a group', () => {
  it('is created with its members, its team and its history', async () => {
    const directory = await givenDirectory(service())
    const { scim, organisation, id: directoryId } = directory
    const [one, two] = (await usersOf(directory, 2)) as [string, string]
    const { status, headers, body } = await scim.post('/Groups', { ...group('Zürich Büro', one, two), externalId: 'G-1' })

    expect({ status, body }).toMatchObject({
      status: 201,
      body: { displayName: 'Zürich Büro', externalId: 'G-1', meta: { resourceType: 'Group' } },
    })
    expect(headers.get('location')).toBe(`http://gatehouse.test/scim/v2/${directoryId}/Groups/${body.id}`)
    expect(body.members.map(({ value }: { value: string }) => value).sort()).toEqual([one, two].sort())
    const { data: teams } = (await organisation.owner.get('/v1/admin/teams')).body
    expect(teams).toMatchObject([{ name: 'Zürich Büro', slug: 'zurich-buro', memberCount: 2 }])
    expect((await scim.get(`/Users/${one}`)).body.groups).toMatchObject([{ value: body.id, display: 'Zürich Büro' }])
    const { data: entries } = (await organisation.owner.get('/v1/admin/audit-logs?limit=100')).body
    const actions = entries
      .filter(({ actorType }: { actorType: string }) => actorType === 'directory')
      .map(({ action }: { action: string }) => action)
    expect(actions).toEqual(expect.arrayContaining(['directory.group_created', 'team.created', 'team.member_added']))
    expect(await unequalRows(service().database.system())).toEqual([])
  })

  it('joins no team that exists already, by whatever name', async () => {
    const directory = await givenDirectory(service())
    const { owner } = directory.organisation
    const { body: existing } = await owner.post('/v1/admin/teams', { name: 'Admins', slug: 'admins' })
    await directory.scim.post('/Groups', group('Admins', await userOf(directory)))
    const { data } = (await owner.get('/v1/admin/teams')).body
    expect(data.map(({ slug, memberCount }: { slug: string; memberCount: number }) => [slug, memberCount]).sort()).toEqual([
      ['admins', 0],
      ['admins-2', 1],
    ])
    expect(existing.slug).toBe('admins')
  })

  it('has a team of its own, also when many are sent at once whose names give the same slug', async () => {
    const directory = await givenDirectory(service())
    const { scim, organisation } = directory
    const names = ['営業', '開発', '人事', '総務', '法務', '広報']
    const created = await Promise.all(names.map((name) => scim.post('/Groups', group(name))))
    expect(created.map(({ status }) => status)).toEqual(names.map(() => 201))
    const { data } = (await organisation.owner.get('/v1/admin/teams')).body
    expect(data.map(({ name }: { name: string }) => name).sort()).toEqual([...names].sort())
    const slugs = ['group', 'group-2', 'group-3', 'group-4', 'group-5', 'group-6']
    expect(data.map(({ slug }: { slug: string }) => slug).sort()).toEqual(slugs)
  })

  it('has names of its own in the directory', async () => {
    const directory = await givenDirectory(service())
    const { scim } = directory
    await scim.post('/Groups', { ...group('Sales'), externalId: 'G-1' })
    expect(await scim.post('/Groups', group('SALES'))).toMatchObject({ status: 409, body: { scimType: 'uniqueness' } })
    expect(await scim.post('/Groups', { ...group('Other'), externalId: 'G-1' })).toMatchObject({
      status: 409,
      body: { scimType: 'uniqueness' },
    })
    expect(await scim.post('/Groups', {})).toMatchObject({ status: 400, body: { scimType: 'invalidValue' } })
    expect(await scim.post('/Groups', group('x'.repeat(256)))).toMatchObject({ status: 400, body: { scimType: 'invalidValue' } })
    expect(await scim.post('/Groups', group('a\u0001'))).toMatchObject({ status: 400, body: { scimType: 'invalidValue' } })
    for (const externalId of ['a\u0001', 'a\nb'])
      expect(await scim.post('/Groups', { ...group('Named'), externalId })).toMatchObject({
        status: 400,
        body: { scimType: 'invalidValue', detail: 'externalId has control characters' },
      })
  })

  it('is one of 5,000 of its directory, also when the last are created at once', async () => {
    const { scim, organisation, id } = await givenDirectory(service(), { groups: 'mappings_only' })
    const system = service().database.system()
    await sql`
      insert into directory_groups (organisation_id, id, directory_id, display_name, created_at, updated_at)
      select ${organisation.id}, 'grp_' || lpad(number::text, 26, '0'), ${id}, 'Group ' || number, ${system.now}, ${system.now}
      from generate_series(1, 4999) number`.execute(system)

    const answers = await Promise.all(Array.from({ length: 8 }, (_, index) => scim.post('/Groups', group(`Last ${index}`))))
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 400, 400, 400, 400, 400, 400, 400])
    expect((await scim.get('/Groups?count=0')).body).toMatchObject({ totalResults: 5_000 })
  })

  it('has users as members whom the directory sees, and never the owner', async () => {
    const directory = await givenDirectory(service())
    const { scim, organisation } = directory
    const other = await givenDirectory(service())
    const { body: made } = await scim.post('/Groups', group('Sales', organisation.owner.id))
    expect(made.members).toBeUndefined()
    const add = (value: unknown) => scim.patch(`/Groups/${made.id}`, operations({ op: 'add', path: 'members', value }))
    expect(await add([{ value: await userOf(other) }])).toMatchObject({ status: 400, body: { scimType: 'invalidValue' } })
    expect(await add([{ value: made.id, type: 'Group' }])).toMatchObject({ status: 400, body: { scimType: 'invalidValue' } })
    expect(await add([{ value: 'usr_unknown' }])).toMatchObject({ status: 400 })
    expect(await membersOf(directory, made.id)).toEqual([])
  })

  it('is changed as Okta and Entra send it', async () => {
    const directory = await givenDirectory(service())
    const { scim, organisation } = directory
    const [a, b, c] = (await usersOf(directory, 3)) as [string, string, string]
    const { body: made } = await scim.post('/Groups', group('Sales'))
    const patch = (...list: Record<string, unknown>[]) => scim.patch(`/Groups/${made.id}`, { Operations: list })
    const steps: [Record<string, unknown>, string[]][] = [
      [{ op: 'Add', path: 'members', value: members(a, b) }, [a, b]],
      [{ op: 'add', path: 'members', value: members(a) }, [a, b]],
      [{ op: 'remove', path: `members[value eq "${a}"]` }, [b]],
      [{ op: 'Remove', path: 'members', value: [{ value: b, $ref: null }] }, []],
      [{ op: 'replace', path: 'members', value: members(b, c) }, [b, c]],
      [{ op: 'remove', path: `members[value eq "${a}"]` }, [b, c]],
      [{ op: 'replace', value: { id: made.id, displayName: 'Sellers' } }, [b, c]],
      [{ op: 'remove', path: 'members' }, []],
      [{ op: 'add', value: { members: members(c) } }, [c]],
    ]
    for (const [operation, expected] of steps) {
      expect(await patch(operation)).toMatchObject({ status: 204, body: null })
      expect(await membersOf(directory, made.id)).toEqual([...expected].sort())
    }
    expect((await scim.get(`/Groups/${made.id}`)).body.displayName).toBe('Sellers')
    expect((await organisation.owner.get('/v1/admin/teams')).body.data).toMatchObject([{ name: 'Sellers', slug: 'sales', memberCount: 1 }])
    expect(
      await patch({ op: 'replace', path: 'externalId', value: 'G-9' }, { op: 'add', path: 'members', value: members(a) }),
    ).toMatchObject({ status: 204 })
    const replaced = await scim.put(`/Groups/${made.id}`, group('Sellers', b))
    expect(replaced).toMatchObject({ status: 200, body: { externalId: 'G-9', members: [{ value: b }] } })
    expect(await unequalRows(service().database.system())).toEqual([])
  })

  it('loses no member by a removal that names none, and all by one without a value', async () => {
    const directory = await givenDirectory(service())
    const { scim } = directory
    const userId = await userOf(directory)
    const { body: made } = await scim.post('/Groups', group('Sales', userId))
    const remove = (value?: unknown) => scim.patch(`/Groups/${made.id}`, operations({ op: 'Remove', path: 'members', value }))

    expect(await remove([])).toMatchObject({ status: 204 })
    expect(await membersOf(directory, made.id)).toEqual([userId])
    expect(await remove()).toMatchObject({ status: 204 })
    expect(await membersOf(directory, made.id)).toEqual([])
  })

  it('stays as it is, with its version, when nothing changes or one operation fails', async () => {
    const directory = await givenDirectory(service())
    const { scim } = directory
    const [a, b] = (await usersOf(directory, 2)) as [string, string]
    const { body: made } = await scim.post('/Groups', group('Sales', a))
    const version = async () => (await scim.get(`/Groups/${made.id}`)).body.meta.version
    await scim.patch(`/Groups/${made.id}`, operations({ op: 'add', path: 'members', value: members(a) }))
    await scim.put(`/Groups/${made.id}`, group('Sales', a))
    const failed = await scim.patch(
      `/Groups/${made.id}`,
      operations({ op: 'add', path: 'members', value: members(b) }, { op: 'replace', path: 'unknown', value: 1 }),
    )
    expect(failed).toMatchObject({ status: 400, body: { scimType: 'invalidPath' } })
    expect(await version()).toBe(made.meta.version)
    expect(await membersOf(directory, made.id)).toEqual([a])
    const stale = { body: operations({ op: 'add', path: 'members', value: members(b) }), headers: { 'if-match': 'W/"99"' } }
    expect(await scim.request('PATCH', `/Groups/${made.id}`, stale)).toMatchObject({ status: 412 })
    expect(await scim.get(`/Groups/${made.id}`, { headers: { 'if-none-match': made.meta.version } })).toMatchObject({ status: 304 })
  })

  it('is another version when a member is deleted or restored', async () => {
    const directory = await givenDirectory(service())
    const { scim, organisation } = directory
    const [a, b] = (await usersOf(directory, 2)) as [string, string]
    const { body: made } = await scim.post('/Groups', group('Sales', a, b))
    const { body: other } = await scim.post('/Groups', group('Buyers', b))
    const read = (version: string) => scim.get(`/Groups/${made.id}`, { headers: { 'if-none-match': version } })
    await organisation.owner.delete(`/v1/admin/users/${a}`)
    const without = await read(made.meta.version)
    expect(without).toMatchObject({ status: 200, body: { members: [{ value: b }] } })
    const stale = { body: operations({ op: 'add', path: 'members', value: members(b) }), headers: { 'if-match': made.meta.version } }
    expect(await scim.request('PATCH', `/Groups/${made.id}`, stale)).toMatchObject({ status: 412 })

    await organisation.owner.post(`/v1/admin/users/${a}/restore`)
    expect((await read(without.body.meta.version)).body.members).toHaveLength(2)
    expect((await scim.get(`/Groups/${other.id}`)).body.meta).toEqual(other.meta)
  })

  it('is found by its names and its members, without reading them when they are not asked for', async () => {
    const directory = await givenDirectory(service())
    const { scim } = directory
    const a = await userOf(directory)
    const { body: made } = await scim.post('/Groups', { ...group('Sales', a), externalId: 'G-1' })
    await scim.post('/Groups', group('Other'))
    const found = async (text: string) => (await scim.get(`/Groups${filter(text, '&excludedAttributes=members')}`)).body
    for (const text of [
      'displayName eq "sales"',
      'externalId eq "G-1"',
      `members eq "${a}"`,
      `members[value eq "${a}"]`,
      `id eq "${made.id}" and members.value eq "${a}"`,
      'displayName sw "S" and meta.created gt "2000-01-01"',
    ]) {
      const body = await found(text)
      expect([text, body.totalResults, body.Resources.map(({ id }: { id: string }) => id)]).toEqual([text, 1, [made.id]])
      expect(body.Resources[0].members).toBeUndefined()
    }
    expect((await found(`members eq "usr_unknown"`)).totalResults).toBe(0)
    expect((await found('userName eq "x"')).scimType).toBe('invalidFilter')
    expect((await scim.get(`/Groups/${made.id}?excludedAttributes=members`)).body.members).toBeUndefined()
    const { body: all } = await scim.post('/.search', { filter: 'meta.created gt "2000-01-01"', count: 10 })
    expect(all.Resources.map(({ meta }: { meta: { resourceType: string } }) => meta.resourceType).sort()).toEqual([
      'Group',
      'Group',
      'User',
      'User',
    ])
    expect((await scim.post('/.search', { filter: 'displayName eq "sales"' })).body.totalResults).toBe(1)
    expect((await scim.post('/.search', { filter: 'title eq "sales"' })).status).toBe(400)
  })

  it('is on a later page of a list when its members would be too many for this one', async () => {
    const directory = await givenDirectory(service())
    const { scim, organisation } = directory
    const users = await usersOf(directory, 120)
    const tenant = service().database.tenant(organisation.id)
    const groups = Array.from({ length: 170 }, (_, index) => ({ id: `grp_${unique()}`, displayName: `Group ${index}` }))
    const times = { createdAt: tenant.now, updatedAt: tenant.now }
    await tenant
      .insertInto('directoryGroups')
      .values(groups.map((one) => ({ ...one, ...times, directoryId: directory.id })))
      .execute()
    for (const { id: groupId } of groups)
      await tenant
        .insertInto('directoryGroupMembers')
        .values(users.map((userId) => ({ groupId, userId, createdAt: tenant.now })))
        .execute()

    const page = async (startIndex: number, more = '') => (await scim.get(`/Groups?count=200&startIndex=${startIndex}${more}`)).body
    const [first, second] = [await page(1), await page(167)]
    // 20,000 members at a time.
    expect(first).toMatchObject({ totalResults: 170, startIndex: 1, itemsPerPage: 166 })
    expect(second).toMatchObject({ totalResults: 170, startIndex: 167, itemsPerPage: 4 })
    type Shown = { id: string; members: unknown[] }
    const shown: Shown[] = [...first.Resources, ...second.Resources]
    expect(shown.map(({ id }) => id)).toEqual(groups.map(({ id }) => id).sort())
    expect(new Set(shown.map(({ members }) => members.length))).toEqual(new Set([users.length]))
    expect(await page(1, '&excludedAttributes=members')).toMatchObject({ totalResults: 170, itemsPerPage: 170 })
  })

  it('is deleted with its team, unless other users are in it', async () => {
    const directory = await givenDirectory(service())
    const { scim, organisation } = directory
    const { owner } = organisation
    const a = await userOf(directory)
    const [one, two] = [(await scim.post('/Groups', group('One', a))).body, (await scim.post('/Groups', group('Two', a))).body]
    const team = (await owner.get('/v1/admin/teams')).body.data.find(({ name }: { name: string }) => name === 'Two')
    await owner.post(`/v1/admin/teams/${team.id}/members`, { userId: owner.id })
    for (const { id } of [one, two]) expect(await scim.delete(`/Groups/${id}`)).toMatchObject({ status: 204 })
    expect((await owner.get('/v1/admin/teams')).body.data).toMatchObject([{ name: 'Two', memberCount: 1 }])
    expect(await heldBy(directory, a)).toMatchObject({ teams: {} })
    expect((await scim.get(`/Users/${a}`)).body.groups).toBeUndefined()
  })

  it('of another organisation or directory does not exist for any method', async () => {
    const directory = await givenDirectory(service())
    const others = [
      await givenDirectory(service()),
      await givenDirectory(service(), { organisation: directory.organisation, domain: directory.domain }),
    ]
    const { body: theirs } = await directory.scim.post('/Groups', group('Sales', await userOf(directory)))
    for (const { scim } of others)
      for (const path of [`/Groups/${theirs.id}`, '/Groups/grp_unknown', '/Groups/%00'])
        for (const answer of [
          await scim.get(path),
          await scim.put(path, group('Taken')),
          await scim.patch(path, operations({ op: 'replace', path: 'displayName', value: 'Taken' })),
          await scim.delete(path),
        ])
          expect([path, answer.status]).toEqual([path, 404])
    expect((await directory.scim.get(`/Groups/${theirs.id}`)).body).toEqual(theirs)
  })
})

describe('a mapping of a group', () => {
  const mapped = async (extra: { groups?: 'teams' | 'mappings_only' } = {}) => {
    const organisation = await service().given.organisation()
    const role = await service().given.role(organisation.owner, { permissions: ['users:read'] })
    const { body: team } = await organisation.owner.post('/v1/admin/teams', { name: 'Mapped', slug: 'mapped' })
    const groupMappings = [
      { group: { displayName: 'Sales' }, roleIds: [role.id], teamIds: [team.id] },
      { group: { externalId: 'G-1' }, roleIds: [role.id], teamIds: [] },
    ]
    return { ...(await givenDirectory(service(), { organisation, groupMappings, name: 'Workforce', ...extra })), role, team }
  }

  it('gives its members roles and teams, and takes them when they leave', async () => {
    const directory = await mapped()
    const { scim, role } = directory
    const a = await userOf(directory)
    const { body: made } = await scim.post('/Groups', group('sales', a))
    const given = { roles: { [role.name]: ['directory Workforce'] }, teams: { Mapped: ['directory Workforce'] } }
    expect(await heldBy(directory, a)).toMatchObject(given)
    const { body: other } = await scim.post('/Groups', { ...group('Others', a), externalId: 'G-1' })

    await scim.patch(`/Groups/${made.id}`, operations({ op: 'remove', path: 'members' }))
    expect(await heldBy(directory, a)).toMatchObject({ roles: given.roles, teams: { Others: ['directory Workforce'] } })
    await scim.delete(`/Groups/${other.id}`)
    expect(await heldBy(directory, a)).not.toHaveProperty(['roles', role.name])
    expect((await directory.organisation.owner.get('/v1/admin/teams')).body.data.map(({ name }: { name: string }) => name)).toEqual([
      'Mapped',
    ])
  })

  it('leaves what others give, and the answer names the directory', async () => {
    const directory = await mapped({ groups: 'mappings_only' })
    const { scim, role, organisation } = directory
    const a = await userOf(directory)
    const path = `/v1/admin/users/${a}/roles`
    await organisation.owner.post(path, { roleId: role.id })
    const { body: made } = await scim.post('/Groups', group('Sales', a))
    const removed = await organisation.owner.delete(path, { roleId: role.id })
    expect(removed).toMatchObject({ status: 200, body: { message: expect.stringContaining('directory "Workforce"') } })
    await organisation.owner.post(path, { roleId: role.id })
    await scim.delete(`/Groups/${made.id}`)
    expect((await heldBy(directory, a)).roles[role.name]).toEqual(['manual'])
  })

  it('is of the groups of its directory alone, whatever another directory calls its own', async () => {
    const directory = await mapped({ groups: 'mappings_only' })
    const { scim, role, organisation, domain } = directory
    const other = await givenDirectory(service(), { organisation, domain, groups: 'mappings_only' })
    const a = await userOf(directory)
    await other.scim.post('/Groups', group('Sales', a))
    await other.scim.post('/Groups', { ...group('Others', a), externalId: 'G-1' })
    await scim.post('/Groups', group('Buyers', a))

    expect(await heldBy(directory, a)).toMatchObject({ teams: {} })
    expect((await heldBy(directory, a)).roles[role.name]).toBeUndefined()
  })

  it('follows the names of a group', async () => {
    const directory = await mapped({ groups: 'mappings_only' })
    const { scim, role } = directory
    const a = await userOf(directory)
    const { body: made } = await scim.post('/Groups', group('Buyers', a))
    const rename = (value: string) => scim.patch(`/Groups/${made.id}`, operations({ op: 'replace', path: 'displayName', value }))
    expect((await heldBy(directory, a)).roles[role.name]).toBeUndefined()
    await rename('SALES')
    expect((await heldBy(directory, a)).roles[role.name]).toEqual(['directory Workforce'])
    await rename('Buyers')
    expect((await heldBy(directory, a)).roles[role.name]).toBeUndefined()
  })

  it('lets a user have the roles that the directory names, of those that are mapped', async () => {
    const directory = await mapped()
    const { scim, role, organisation } = directory
    const unmapped = await service().given.role(organisation.owner)
    const a = await userOf(directory, { roles: [{ value: role.slug }, { value: unmapped.slug }, { value: 'owner' }] })
    const { roles } = await heldBy(directory, a)
    expect(roles[role.name]).toEqual(['directory Workforce'])
    expect(roles[unmapped.name]).toBeUndefined()
    await scim.patch(`/Users/${a}`, operations({ op: 'remove', path: 'roles' }))
    expect((await heldBy(directory, a)).roles[role.name]).toBeUndefined()
    // The schema says that their case does not count.
    await scim.patch(`/Users/${a}`, operations({ op: 'add', path: 'roles', value: [{ value: role.slug.toUpperCase() }] }))
    expect((await heldBy(directory, a)).roles[role.name]).toEqual(['directory Workforce'])
  })

  it('gives no user the owner role, even if the stored mappings name it', async () => {
    const directory = await mapped({ groups: 'mappings_only' })
    const { scim, role, organisation, id } = directory
    const { data: roles } = (await organisation.owner.get('/v1/admin/roles')).body
    const { id: ownerRoleId } = roles.find(({ slug }: { slug: string }) => slug === 'owner')
    const mappings = [
      { group: { displayName: 'Sales' }, roleIds: [ownerRoleId, role.id], teamIds: [] },
      { group: { externalId: 'G-1' }, roleIds: [ownerRoleId], teamIds: [] },
    ]
    await sql`update directories set group_mappings = ${JSON.stringify(mappings)}::jsonb where id = ${id}`.execute(
      service().database.system(),
    )
    const a = await userOf(directory, { roles: [{ value: 'owner' }] })

    await scim.post('/Groups', { ...group('Sales', a), externalId: 'G-1' })

    const held = (await heldBy(directory, a)).roles
    expect(held[role.name]).toEqual(['directory Workforce'])
    expect(held).not.toHaveProperty('Owner')
  })

  it('gives no role that the directory has named to a user whom it has deprovisioned', async () => {
    const directory = await mapped()
    const { scim, role } = directory
    const a = await userOf(directory, { roles: [{ value: role.slug }] })
    expect((await heldBy(directory, a)).roles[role.name]).toEqual(['directory Workforce'])
    await scim.delete(`/Users/${a}`)
    expect((await heldBy(directory, a)).roles[role.name]).toBeUndefined()
  })

  it('says before how many users gain and lose what, and is counted for those alone whom nothing else gives it', async () => {
    const directory = await mapped({ groups: 'mappings_only' })
    const { scim, organisation, id, role, team } = directory
    const other = await service().given.role(organisation.owner)
    const [one, two, three] = (await usersOf(directory, 3)) as [string, string, string]
    await scim.post('/Groups', group('Sales', one, two))
    await scim.post('/Groups', group('Support', two, three))
    await organisation.owner.post(`/v1/admin/users/${one}/roles`, { roleId: role.id })
    const path = `/v1/admin/directories/${id}`
    const mappings = [
      { group: { displayName: 'support' }, roleIds: [other.slug, role.slug], teamIds: [] },
      { group: { displayName: 'Nobody' }, roleIds: [role.id], teamIds: [team.id] },
    ]
    const history = async () => (await organisation.owner.audit()).length
    const before = await history()
    const { status, body } = await organisation.owner.post(`${path}/impact`, { groupMappings: mappings })
    expect({ status, body }).toEqual({
      status: 200,
      body: {
        roles: [
          // The first keeps it by an administrator, the second by the other group.
          { id: role.id, gains: 1, losses: 0 },
          { id: other.id, gains: 2, losses: 0 },
        ].sort((a, b) => (a.id < b.id ? -1 : 1)),
        teams: [{ id: team.id, gains: 0, losses: 2 }],
      },
    })
    expect((await organisation.owner.post(`${path}/impact`, { groupMappings: [] })).body).toEqual({
      roles: [{ id: role.id, gains: 0, losses: 1 }],
      teams: [{ id: team.id, gains: 0, losses: 2 }],
    })
    expect((await organisation.owner.post(`${path}/impact`, {})).body).toEqual({ roles: [], teams: [] })
    expect(await organisation.owner.post(`${path}/impact`, { groupMappings: [{ ...mappings[0], roleIds: ['nothing'] }] })).toMatchObject({
      status: 400,
      body: { errors: [{ path: ['groupMappings', 0, 'roleIds', 0] }] },
    })
    expect(await history()).toBe(before)

    await organisation.owner.patch(path, { groupMappings: mappings })
    expect((await heldBy(directory, three)).roles).toHaveProperty(other.name)
    expect((await heldBy(directory, one)).teams).toEqual({})
    expect((await organisation.owner.post(`${path}/impact`, { groupMappings: mappings })).body).toEqual({ roles: [], teams: [] })
  })

  it('that changes gives and takes at once', async () => {
    const directory = await mapped({ groups: 'mappings_only' })
    const { scim, role, organisation, id } = directory
    const settings = `/v1/admin/directories/${id}`
    const a = await userOf(directory)
    await scim.post('/Groups', group('Sales', a))
    const given = ['directory Workforce']
    expect(await heldBy(directory, a)).toMatchObject({ roles: { [role.name]: given }, teams: { Mapped: given } })

    expect(await organisation.owner.patch(settings, { groupMappings: [] })).toMatchObject({ status: 200 })
    const without = await heldBy(directory, a)
    expect([without.roles[role.name], without.teams]).toEqual([undefined, {}])

    await organisation.owner.patch(settings, { groups: 'teams' })
    expect((await heldBy(directory, a)).teams).toEqual({ Sales: given })
    await organisation.owner.patch(settings, {
      groups: 'mappings_only',
      groupMappings: [{ group: { displayName: 'sales' }, roleIds: [role.id] }],
    })
    expect(await heldBy(directory, a)).toMatchObject({ roles: { [role.name]: given }, teams: {} })
    expect(await unequalRows(service().database.system())).toEqual([])
  })

  /** A directory whose groups are teams, without mappings, and a team that one may give. */
  const withTeams = async () => {
    const directory = await givenDirectory(service(), { name: 'Workforce' })
    const { owner } = directory.organisation
    const { body: team } = await owner.post('/v1/admin/teams', { name: 'Mapped', slug: 'mapped' })
    const settings = `/v1/admin/directories/${directory.id}`
    const given = ['directory Workforce']
    const teams = async () => {
      const { data } = (await owner.get('/v1/admin/teams')).body
      return Object.fromEntries(data.map(({ name, memberCount }: { name: string; memberCount: number }) => [name, memberCount]))
    }
    const mapping = (displayName: string, ...teamIds: string[]) => ({ groupMappings: [{ group: { displayName }, roleIds: [], teamIds }] })
    return { directory, owner, team, settings, given, teams, mapping }
  }

  it('to teams takes the place of the team of the group, whichever came first, and says so before', async () => {
    const { directory, owner, team, settings, given, teams, mapping } = await withTeams()
    const [a, b] = (await usersOf(directory, 2)) as [string, string]
    const { body: made } = await directory.scim.post('/Groups', group('Sales', a, b))
    const own = (await owner.get('/v1/admin/teams')).body.data.find(({ name }: { name: string }) => name === 'Sales')
    expect((await heldBy(directory, a)).teams).toEqual({ Sales: given })

    const asked = mapping('SALES', team.slug)
    expect((await owner.post(`${settings}/impact`, asked)).body.teams).toEqual(
      [
        { id: own.id, gains: 0, losses: 2 },
        { id: team.id, gains: 2, losses: 0 },
      ].sort((one, other) => (one.id < other.id ? -1 : 1)),
    )
    expect(await owner.patch(settings, asked)).toMatchObject({ status: 200 })
    expect((await heldBy(directory, a)).teams).toEqual({ Mapped: given })
    expect(await teams()).toEqual({ Mapped: 2 })
    const c = await userOf(directory)
    await directory.scim.patch(`/Groups/${made.id}`, operations({ op: 'add', path: 'members', value: members(c) }))
    expect((await heldBy(directory, c)).teams).toEqual({ Mapped: given })

    await owner.patch(settings, { groupMappings: [] })
    expect((await heldBy(directory, c)).teams).toEqual({ Sales: given })
    expect(await teams()).toEqual({ Mapped: 0, Sales: 3 })
    expect(await unequalRows(service().database.system())).toEqual([])
  })

  it('to teams leaves the team of the group where others are in it, or where it is the one that is given', async () => {
    const { directory, owner, team, settings, given, teams, mapping } = await withTeams()
    const a = await userOf(directory)
    for (const name of ['Sales', 'Empty']) await directory.scim.post('/Groups', group(name, ...(name === 'Sales' ? [a] : [])))
    const { data } = (await owner.get('/v1/admin/teams')).body
    const idOf = (sought: string): string => data.find(({ name }: { name: string }) => name === sought).id
    await owner.post(`/v1/admin/teams/${idOf('Sales')}/members`, { userId: owner.id })

    const groupMappings = [...mapping('Sales', team.id).groupMappings, ...mapping('Empty', idOf('Empty')).groupMappings]
    expect(await owner.patch(settings, { groupMappings })).toMatchObject({ status: 200 })
    expect((await heldBy(directory, a)).teams).toEqual({ Mapped: given })
    expect(await teams()).toEqual({ Mapped: 1, Sales: 1, Empty: 0 })
  })

  it.each(['another directory', 'a connection'])('of %s retains the team of a group that is deleted', async (kind) => {
    const { directory, owner, teams, mapping } = await withTeams()
    const { organisation, domain, scim } = directory
    const { body: made } = await scim.post('/Groups', group('Sales', await userOf(directory)))
    const team = (await owner.get('/v1/admin/teams')).body.data.find(({ name }: { name: string }) => name === 'Sales')
    if (kind === 'a connection') {
      const connectionId = await insertConnection(service(), organisation.id)
      const teamMappings = JSON.stringify([{ claim: 'groups', value: 'sales', teamId: team.id }])
      const tenant = service().database.tenant(organisation.id)
      await tenant.updateTable('connections').set({ teamMappings }).where('id', '=', connectionId).execute()
    } else await givenDirectory(service(), { organisation, domain, ...mapping('Buyers', team.id) })

    expect(await scim.delete(`/Groups/${made.id}`)).toMatchObject({ status: 204 })
    expect(await teams()).toEqual({ Mapped: 0, Sales: 0 })
  })

  it('to teams is either of a group or not, also where letters have more than one small form', async () => {
    const { directory, owner, team, settings, mapping } = await withTeams()
    const a = await userOf(directory)
    const isInOneTeam = async () => expect(Object.keys((await heldBy(directory, a)).teams)).toHaveLength(1)
    await owner.patch(settings, mapping('πωλησεις', team.id))
    const { body: made } = await directory.scim.post('/Groups', group('ΠΩΛΗΣΕΙΣ', a))
    await isInOneTeam()

    await owner.patch(settings, { groupMappings: [] })
    await owner.patch(settings, mapping('πωλησεις', team.id))
    await isInOneTeam()
    const rename = (value: string) => directory.scim.patch(`/Groups/${made.id}`, operations({ op: 'replace', path: 'displayName', value }))
    for (const name of ['Sales', 'ΠΩΛΗΣΕΙΣ']) expect(await rename(name)).toMatchObject({ status: 204 })
    await isInOneTeam()
  })

  it('to teams follows the name of a group, whose own team goes and comes', async () => {
    const { directory, owner, team, settings, given, teams, mapping } = await withTeams()
    const a = await userOf(directory)
    await owner.patch(settings, mapping('Sales', team.id))
    const { body: made } = await directory.scim.post('/Groups', group('Buyers', a))
    const rename = (value: string) => directory.scim.patch(`/Groups/${made.id}`, operations({ op: 'replace', path: 'displayName', value }))

    expect(await rename('Sales')).toMatchObject({ status: 204 })
    expect((await heldBy(directory, a)).teams).toEqual({ Mapped: given })
    expect(await teams()).toEqual({ Mapped: 1 })
    expect(await rename('Buyers')).toMatchObject({ status: 204 })
    expect((await heldBy(directory, a)).teams).toEqual({ Buyers: given })
    expect(await teams()).toEqual({ Mapped: 0, Buyers: 1 })
  })

  it('to teams takes no member out of a team of the former release until an administrator changes what groups give', async () => {
    const { directory, owner, team, settings, given, mapping } = await withTeams()
    const [a, b] = (await usersOf(directory, 2)) as [string, string]
    const { body: made } = await directory.scim.post('/Groups', group('Sales', a))
    const { groupMappings } = mapping('Sales', team.id)
    const tenant = service().database.tenant(directory.organisation.id)
    const stored = { groupMappings: JSON.stringify(groupMappings) }
    await tenant.updateTable('directories').set(stored).where('id', '=', directory.id).execute()

    await directory.scim.patch(`/Groups/${made.id}`, operations({ op: 'add', path: 'members', value: members(b) }))
    expect((await heldBy(directory, b)).teams).toEqual({ Mapped: given, Sales: given })
    await owner.patch(settings, { groupMappings: [...groupMappings, { group: { displayName: 'Other' }, roleIds: [], teamIds: [] }] })
    for (const id of [a, b]) expect((await heldBy(directory, id)).teams).toEqual({ Mapped: given })
  })

  it('ends with the provisioning of a user, and does not come back by itself', async () => {
    const directory = await mapped()
    const { scim, role, address } = directory
    const email = address()
    const { body: user } = await scim.post('/Users', person(email))
    const { body: made } = await scim.post('/Groups', group('Sales', user.id))
    await scim.delete(`/Users/${user.id}`)
    expect(await membersOf(directory, made.id)).toEqual([])
    expect((await scim.get(`/Groups/${made.id}`)).body.meta.version).not.toBe(made.meta.version)
    expect(await heldBy(directory, user.id)).toMatchObject({ teams: {} })
    await scim.post('/Users', person(email))
    expect((await heldBy(directory, user.id)).roles[role.name]).toBeUndefined()
  })
})

describe('concurrent changes of one group', () => {
  it('lose none', async () => {
    const directory = await givenDirectory(service())
    const { scim } = directory
    const users = await usersOf(directory, 20)
    const { body: made } = await scim.post('/Groups', group(`Sales ${unique()}`))
    const answers = await Promise.all(
      users.map((id) => scim.patch(`/Groups/${made.id}`, operations({ op: 'add', path: 'members', value: members(id) }))),
    )
    expect(answers.map(({ status }) => status)).toEqual(users.map(() => 204))
    expect(await membersOf(directory, made.id)).toEqual([...users].sort())
    expect(await unequalRows(service().database.system())).toEqual([])
  })
})
