import { describe, expect, it } from 'vitest'
import { type SignedInUser, unique } from '../support/given.ts'
import { useService } from '../support/service.ts'

const service = useService()

const newTeam = (fields: Record<string, unknown> = {}) => ({
  name: 'Europe',
  slug: `team-${unique()}`,
  description: 'Who works there',
  ...fields,
})

async function givenTeam(owner: SignedInUser, fields: Record<string, unknown> = {}) {
  const created = await owner.post('/v1/admin/teams', newTeam(fields))
  expect(created).toMatchObject({ status: 201 })
  return created.body as { id: string; slug: string }
}

async function actionsOn(owner: SignedInUser, targetId: string): Promise<string[]> {
  return (await owner.audit({ targetId })).map(({ action }: { action: string }) => action).reverse()
}

describe('GET /v1/admin/teams', () => {
  it('lists the teams of the organisation, each with its members', async () => {
    const { owner } = await service().given.organisation()
    const carol = await service().given.user(owner)
    const [first, second] = [await givenTeam(owner), await givenTeam(owner)]
    await owner.post(`/v1/admin/teams/${first.id}/members`, { userId: carol.id })
    await owner.post(`/v1/admin/teams/${first.id}/members`, { userId: owner.id })

    const { status, body } = await owner.get('/v1/admin/teams')

    expect(status).toBe(200)
    expect(body).toMatchObject({ total: 2, data: [{ id: first.id }, { id: second.id, members: [] }] })
    expect(body.data[0].members).toHaveLength(2)
    expect(body.data[0].members).toContainEqual({ id: carol.id, email: carol.email, name: carol.name })
    expect(Object.keys(body).sort()).toEqual(['data', 'total'])
  })

  it('shows no deleted user among the members', async () => {
    const { owner } = await service().given.organisation()
    const carol = await service().given.user(owner)
    const team = await givenTeam(owner)
    await owner.post(`/v1/admin/teams/${team.id}/members`, { userId: carol.id })

    await owner.delete(`/v1/admin/users/${carol.id}`)

    expect((await owner.get('/v1/admin/teams')).body.data[0].members).toEqual([])
    expect((await owner.get(`/v1/admin/teams/${team.id}`)).body.members).toEqual([])
  })

  it('says how many members each has, without deleted users, and leaves them out on request', async () => {
    const { owner } = await service().given.organisation()
    const [full, empty] = [await givenTeam(owner), await givenTeam(owner)]
    const [carol, dan] = [await service().given.user(owner), await service().given.user(owner)]
    for (const { id } of [owner, carol, dan]) await owner.post(`/v1/admin/teams/${full.id}/members`, { userId: id })
    await owner.delete(`/v1/admin/users/${dan.id}`)
    await owner.delete(`/v1/admin/teams/${full.id}/members`, { userId: owner.id })
    const counted = [
      { id: full.id, memberCount: 1 },
      { id: empty.id, memberCount: 0 },
    ]

    for (const query of ['', '?members=true', '?limit=10', '?q=europe&sort=slug']) {
      const { data } = (await owner.get(`/v1/admin/teams${query}`)).body
      expect(data).toHaveLength(2)
      for (const team of data) expect(team.members).toHaveLength(team.memberCount)
    }
    for (const query of ['?members=false', '?members=false&limit=10', '?members=false&q=europe']) {
      const { body } = await owner.get(`/v1/admin/teams${query}`)
      expect(body).toMatchObject({ total: 2, data: counted })
      for (const team of body.data) expect(team).not.toHaveProperty('members')
    }
    expect((await owner.get(`/v1/admin/teams/${full.id}`)).body).toMatchObject({ memberCount: 1, members: [{ id: carol.id }] })
    expect((await owner.patch(`/v1/admin/teams/${full.id}`, { name: 'Africa' })).body).toMatchObject({ memberCount: 1, members: [] })
    expect((await owner.get('/v1/admin/teams?members=some')).status).toBe(400)

    const alone = await owner.get(`/v1/admin/teams/${full.id}?members=false`)
    expect(alone).toMatchObject({ status: 200, body: { id: full.id, name: 'Africa', memberCount: 1 } })
    expect(alone.body).not.toHaveProperty('members')
    expect(alone.headers.get('etag')).toBe((await owner.get(`/v1/admin/teams/${full.id}`)).headers.get('etag'))
    expect((await owner.get('/v1/admin/teams/tem_unknown?members=false')).status).toBe(404)
    expect((await owner.get(`/v1/admin/teams/${full.id}?members=some`)).status).toBe(400)
  })

  it('requires teams:read', async () => {
    const { owner } = await service().given.organisation()
    const user = await service().given.userWith(owner, ['teams:update'])

    const refused = await user.get('/v1/admin/teams')

    expect(refused).toMatchObject({ status: 403, body: { detail: 'Missing required permission: teams:read' } })
  })
})

describe('GET /v1/admin/teams/:id', () => {
  it('returns the team with its members', async () => {
    const { owner } = await service().given.organisation()
    const team = await givenTeam(owner)
    await owner.post(`/v1/admin/teams/${team.id}/members`, { userId: owner.id })

    const found = await owner.get(`/v1/admin/teams/${team.id}`)

    expect(found).toMatchObject({ status: 200, body: { id: team.id, slug: team.slug, members: [{ id: owner.id, email: owner.email }] } })
  })

  it('does not know a team of another organisation', async () => {
    const { owner } = await service().given.organisation()
    const other = await service().given.organisation()
    const team = await givenTeam(other.owner)

    const refused = await owner.get(`/v1/admin/teams/${team.id}`)

    expect(refused).toMatchObject({ status: 404, body: { title: 'Not Found', detail: 'Team not found' } })
  })
})

describe('POST /v1/admin/teams', () => {
  it('creates a team without members', async () => {
    const { owner } = await service().given.organisation()
    const input = newTeam()

    const created = await owner.post('/v1/admin/teams', input)

    expect(created).toMatchObject({ status: 201, body: { ...input, id: expect.stringMatching(/^tem_[0-9a-z]{26}$/), members: [] } })
    expect(await actionsOn(owner, created.body.id)).toEqual(['team.created'])
  })

  it('refuses a slug that the organisation already uses, and records nothing', async () => {
    const { owner } = await service().given.organisation()
    const { slug } = await givenTeam(owner)

    const refused = await owner.post('/v1/admin/teams', newTeam({ slug }))

    expect(refused).toMatchObject({ status: 409, body: { title: 'Conflict', detail: 'Team slug already in use' } })
    expect((await owner.get('/v1/admin/teams')).body.total).toBe(1)
    expect(await owner.audit({ action: 'team.created' })).toHaveLength(1)
  })

  it('creates one of two teams that request the same slug at the same moment', async () => {
    const { owner } = await service().given.organisation()
    const input = newTeam()

    const answers = await Promise.all([owner.post('/v1/admin/teams', input), owner.post('/v1/admin/teams', input)])

    expect(answers.map(({ status }) => status).sort()).toEqual([201, 409])
    expect((await owner.get('/v1/admin/teams')).body.total).toBe(1)
  })

  it('lets another organisation use the same slug', async () => {
    const { owner } = await service().given.organisation()
    const other = await service().given.organisation()
    const { slug } = await givenTeam(other.owner)

    expect(await owner.post('/v1/admin/teams', newTeam({ slug }))).toMatchObject({ status: 201 })
  })

  it.each([
    ['no name', { name: undefined }, { code: 'invalid_type', path: ['name'], message: 'Required' }],
    ['an empty name', { name: '' }, { code: 'too_small', path: ['name'] }],
    ['no slug', { slug: undefined }, { code: 'invalid_type', path: ['slug'], message: 'Required' }],
    ['a slug with capitals', { slug: 'Europe' }, { code: 'invalid_string', path: ['slug'] }],
    ['a description that is a number', { description: 7 }, { code: 'invalid_type', path: ['description'] }],
  ])('refuses %s', async (_, fields, error) => {
    const { owner } = await service().given.organisation()

    const refused = await owner.post('/v1/admin/teams', newTeam(fields))

    expect(refused).toMatchObject({ status: 400, body: { detail: 'Invalid input', errors: [error] } })
  })
})

describe('PATCH /v1/admin/teams/:id', () => {
  it('changes name and description and never the slug', async () => {
    const { owner } = await service().given.organisation()
    const team = await givenTeam(owner)

    const changed = await owner.patch(`/v1/admin/teams/${team.id}`, { name: 'Africa', slug: 'other' })

    expect(changed).toMatchObject({ status: 200, body: { id: team.id, name: 'Africa', slug: team.slug, description: 'Who works there' } })
    const { body } = await owner.get(`/v1/admin/audit-logs?targetId=${team.id}&action=team.updated`)
    expect(body.data).toMatchObject([{ changes: { name: { from: 'Europe', to: 'Africa' } } }])
  })

  it('does not know a team of another organisation', async () => {
    const { owner } = await service().given.organisation()
    const other = await service().given.organisation()
    const team = await givenTeam(other.owner)

    expect(await owner.patch(`/v1/admin/teams/${team.id}`, { name: 'Mine' })).toMatchObject({ status: 404 })
    expect((await other.owner.get(`/v1/admin/teams/${team.id}`)).body.name).toBe('Europe')
  })
})

describe('DELETE /v1/admin/teams/:id', () => {
  it('deletes the team and leaves its members, with their roles', async () => {
    const { owner } = await service().given.organisation()
    const carol = await service().given.user(owner)
    const team = await givenTeam(owner)
    await owner.post(`/v1/admin/teams/${team.id}/members`, { userId: carol.id })

    expect(await owner.delete(`/v1/admin/teams/${team.id}`)).toMatchObject({ status: 204, body: null })

    expect(await owner.get(`/v1/admin/teams/${team.id}`)).toMatchObject({ status: 404 })
    expect((await owner.get(`/v1/admin/users/${carol.id}`)).body).toMatchObject({ teams: [], roles: [{ slug: 'member' }] })
    expect(await actionsOn(owner, team.id)).toEqual(['team.created', 'team.member_added', 'team.deleted'])
  })

  it('responds 404 the second time', async () => {
    const { owner } = await service().given.organisation()
    const team = await givenTeam(owner)

    const answers = await Promise.all([owner.delete(`/v1/admin/teams/${team.id}`), owner.delete(`/v1/admin/teams/${team.id}`)])

    expect(answers.map(({ status }) => status).sort()).toEqual([204, 404])
    expect(await actionsOn(owner, team.id)).toEqual(['team.created', 'team.deleted'])
  })
})

describe('GET /v1/admin/teams/:id/members', () => {
  async function givenMembers(owner: SignedInUser, ...names: [firstName: string, lastName: string][]) {
    const team = await givenTeam(owner)
    for (const [firstName, lastName] of names) await service().given.user(owner, { firstName, lastName, teamIds: [team.id] })
    return { ...team, path: `/v1/admin/teams/${team.id}/members` }
  }
  const namesIn = ({ body }: { body: { data: { name: string }[] } }) => body.data.map(({ name }) => name)

  it('pages the members in the order of creation, and counts them', async () => {
    const { owner } = await service().given.organisation()
    const { path } = await givenMembers(owner, ['Carol', 'Shaw'], ['Bob', 'Adams'], ['Dan', 'Carson'])
    await service().given.user(owner, { firstName: 'Outside' })

    const whole = await owner.get(path)
    expect(whole.body).toMatchObject({ total: 3, data: [{ name: 'Carol Shaw' }, { name: 'Bob Adams' }, { name: 'Dan Carson' }] })
    expect(Object.keys(whole.body.data[0])).toEqual(['id', 'email', 'name'])
    const first = await owner.get(`${path}?limit=2`)
    expect(first.body).toMatchObject({ total: 3, data: whole.body.data.slice(0, 2) })
    const second = await owner.get(`${path}?limit=2&cursor=${first.body.nextCursor}`)
    expect(second.body).toEqual({ total: 3, data: whole.body.data.slice(2), nextCursor: null })
    expect((await owner.get(`${path}?cursor=!`)).status).toBe(400)
  })

  it('searches by name, last name and address, and counts the matches', async () => {
    const { owner } = await service().given.organisation()
    const { path } = await givenMembers(owner, ['Carol', 'Shaw'], ['Bob', 'Adams'], ['Dan', 'Carson'])
    await service().given.user(owner, { firstName: 'Carla', lastName: 'Outside' })

    const found = await owner.get(`${path}?q=CAR&limit=1`)
    expect(found.body).toMatchObject({ total: 2, data: [{ name: 'Carol Shaw' }] })
    expect(namesIn(await owner.get(`${path}?q=CAR&limit=1&cursor=${found.body.nextCursor}`))).toEqual(['Dan Carson'])
    const { email } = found.body.data[0]
    expect(namesIn(await owner.get(`${path}?q=${encodeURIComponent(email)}`))).toEqual(['Carol Shaw'])
    expect((await owner.get(`${path}?q=nobody`)).body).toEqual({ data: [], total: 0 })
  })

  it('shows no deleted user, and one who is restored', async () => {
    const { owner } = await service().given.organisation()
    const { path } = await givenMembers(owner, ['Carol', 'Shaw'], ['Bob', 'Adams'])
    const { id } = (await owner.get(path)).body.data[0]

    await owner.delete(`/v1/admin/users/${id}`)
    expect((await owner.get(`${path}?limit=5`)).body).toMatchObject({ total: 1, data: [{ name: 'Bob Adams' }] })
    await owner.post(`/v1/admin/users/${id}/restore`)
    expect((await owner.get(`${path}?limit=5`)).body).toMatchObject({ total: 2, data: [{ name: 'Carol Shaw' }, { name: 'Bob Adams' }] })
  })

  it('requires teams:read and does not know a team of another organisation', async () => {
    const { owner } = await service().given.organisation()
    const other = await service().given.organisation()
    const { path } = await givenMembers(owner, ['Carol', 'Shaw'])
    const user = await service().given.userWith(owner, ['users:read'])

    expect(await user.get(path)).toMatchObject({ status: 403, body: { detail: 'Missing required permission: teams:read' } })
    expect(await other.owner.get(path)).toMatchObject({ status: 404, body: { detail: 'Team not found' } })
    expect((await owner.get('/v1/admin/teams/tem_unknown/members')).status).toBe(404)
  })
})

describe('POST /v1/admin/teams/:id/members', () => {
  it('adds a user to the team once, however often it is called', async () => {
    const { owner } = await service().given.organisation()
    const carol = await service().given.user(owner)
    const team = await givenTeam(owner)
    const add = () => owner.post(`/v1/admin/teams/${team.id}/members`, { userId: carol.id })

    const answers = await Promise.all([add(), add()])

    expect(answers).toMatchObject([
      { status: 200, body: { message: 'Member added' } },
      { status: 200, body: { message: 'Member added' } },
    ])
    expect((await owner.get(`/v1/admin/users/${carol.id}`)).body.teams).toMatchObject([{ id: team.id }])
    const { body } = await owner.get('/v1/admin/audit-logs?action=team.member_added')
    expect(body.data).toMatchObject([{ targetId: team.id, actorId: owner.id, metadata: { userId: carol.id } }])
    expect(body.data).toHaveLength(1)
  })

  it('does not know a deleted user, nor one of another organisation', async () => {
    const { owner } = await service().given.organisation()
    const other = await service().given.organisation()
    const deleted = await service().given.user(owner)
    await owner.delete(`/v1/admin/users/${deleted.id}`)
    const team = await givenTeam(owner)

    for (const userId of [deleted.id, other.owner.id, 'usr_unknown']) {
      const refused = await owner.post(`/v1/admin/teams/${team.id}/members`, { userId })
      expect(refused).toMatchObject({ status: 404, body: { detail: 'User not found' } })
    }
    expect(await actionsOn(owner, team.id)).toEqual(['team.created'])
  })

  it('does not know a team of another organisation', async () => {
    const { owner } = await service().given.organisation()
    const other = await service().given.organisation()
    const team = await givenTeam(other.owner)

    const refused = await owner.post(`/v1/admin/teams/${team.id}/members`, { userId: owner.id })

    expect(refused).toMatchObject({ status: 404, body: { detail: 'Team not found' } })
  })

  it('requires teams:update and a userId', async () => {
    const { owner } = await service().given.organisation()
    const reader = await service().given.userWith(owner, ['teams:read'])
    const team = await givenTeam(owner)

    expect(await reader.post(`/v1/admin/teams/${team.id}/members`, { userId: reader.id })).toMatchObject({ status: 403 })
    expect(await owner.post(`/v1/admin/teams/${team.id}/members`, {})).toMatchObject({
      status: 400,
      body: { errors: [{ path: ['userId'], message: 'Required' }] },
    })
  })
})

describe('DELETE /v1/admin/teams/:id/members', () => {
  it('removes a user from the team, and does nothing the second time', async () => {
    const { owner } = await service().given.organisation()
    const team = await givenTeam(owner)
    await owner.post(`/v1/admin/teams/${team.id}/members`, { userId: owner.id })
    const remove = () => owner.delete(`/v1/admin/teams/${team.id}/members`, { userId: owner.id })

    expect(await remove()).toMatchObject({ status: 200, body: { message: 'Member removed' } })
    expect(await remove()).toMatchObject({ status: 200, body: { message: 'Member removed' } })

    expect((await owner.get(`/v1/admin/teams/${team.id}`)).body.members).toEqual([])
    expect(await actionsOn(owner, team.id)).toEqual(['team.created', 'team.member_added', 'team.member_removed'])
  })

  it('does not know a user of another organisation', async () => {
    const { owner } = await service().given.organisation()
    const other = await service().given.organisation()
    const team = await givenTeam(owner)

    const refused = await owner.delete(`/v1/admin/teams/${team.id}/members`, { userId: other.owner.id })

    expect(refused).toMatchObject({ status: 404, body: { detail: 'User not found' } })
  })
})
