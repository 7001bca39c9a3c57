import { describe, expect, it, onTestFinished } from 'vitest'
import { systemActor } from '../../src/activity/actor.ts'
import { hashSecret } from '../../src/platform/crypto/secrets.ts'
import { sourceOfDirectory } from '../../src/roles/sources.ts'
import { replaceTeamsFromSource } from '../../src/teams/teams-from-source.ts'
import { replaceRolesFromSource } from '../../src/users/roles-from-source.ts'
import { createConnection } from '../support/connections.ts'
import { freshEngine } from '../support/database.ts'
import { createDirectory, newDirectory } from '../support/directories.ts'
import { type TestOrganisation, unique } from '../support/given.ts'
import { startTestService, useService } from '../support/service.ts'

const service = useService()
const path = '/v1/admin/directories'
const organisation = () => service().given.organisation()
const day = 24 * 3_600

interface Entry {
  action: string
  targetId: string
  metadata: Record<string, unknown>
  changes: Record<string, unknown>
}
const entriesOf = async ({ owner }: TestOrganisation, targetId: string): Promise<Entry[]> =>
  (await owner.get('/v1/admin/audit-logs?limit=1000')).body.data.filter((entry: Entry) => entry.targetId === targetId)
const actionsOf = async (of: TestOrganisation, targetId: string) => (await entriesOf(of, targetId)).map(({ action }) => action)
const manager = ({ owner }: TestOrganisation) =>
  service().given.userWith(owner, ['directories:read', 'directories:create', 'directories:update', 'directories:delete'])
const aTeam = async ({ owner }: TestOrganisation) => {
  const slug = `team-${unique()}`
  return (await owner.post('/v1/admin/teams', { name: slug, slug })).body as { id: string; slug: string }
}

describe('a directory', () => {
  it('is not counted on the connection that the requests of all organisations share', async () => {
    const engine = await freshEngine()
    const shared: string[] = []
    const own = await startTestService({
      engine: {
        ...engine,
        pointRead(query, setUp) {
          shared.push(query.sql)
          return engine.pointRead(query, setUp)
        },
      },
    })
    onTestFinished(() => own.stop())
    const { owner } = await own.given.organisation()
    const { body } = await owner.post(path, { name: 'Entra ID' })

    expect(await owner.get(`${path}/${body.id}`)).toMatchObject({ status: 200, body: { name: 'Entra ID' } })
    expect(shared).not.toEqual([])
    expect(shared.filter((statement) => statement.includes('count(*)'))).toEqual([])
  })

  it('is created, read, listed, changed and deleted', async () => {
    const own = await organisation()
    const { owner } = own

    const created = await owner.post(path, { name: 'Entra ID' })

    expect(created).toMatchObject({
      status: 201,
      body: {
        ...{ name: 'Entra ID', isActive: true, connectionId: null, userMatch: 'email', emailChanges: 'verified_domains' },
        ...{ deletes: 'block', groups: 'teams', groupMappings: [], tokens: [], counts: { users: 0, groups: 0 } },
        ...{ lastRequestAt: null, status: { state: 'ok', since: null, error: null } },
      },
    })
    const { id } = created.body
    expect(id).toMatch(/^dir_/)
    expect(created.body.baseUrl).toBe(`${service().services.publicUrl}/scim/v2/${id}`)
    expect(await owner.get(`${path}/${id}`)).toMatchObject({ status: 200, body: created.body })
    expect((await owner.get(path)).body).toEqual({ data: [created.body], total: 1 })

    const settings = { name: 'Okta', isActive: false, emailChanges: 'refuse', deletes: 'delete', groups: 'mappings_only' }
    expect(await owner.patch(`${path}/${id}`, settings)).toMatchObject({ status: 200, body: settings })
    expect(await owner.patch(`${path}/${id}`, settings)).toMatchObject({ status: 200, body: settings })

    expect(await owner.delete(`${path}/${id}`, { reason: 'Moved to Okta' })).toMatchObject({ status: 204 })
    expect(await owner.get(`${path}/${id}`)).toMatchObject({ status: 404, body: { code: 'directory-not-found' } })
    expect(await actionsOf(own, id)).toEqual(['directory.deleted', 'directory.updated', 'directory.created'])
    const [deleted] = await entriesOf(own, id)
    expect(deleted?.metadata).toMatchObject({ users: 0, groups: 0, reason: 'Moved to Okta' })
  })

  it('has a name of its own, whatever its case', async () => {
    const { owner } = await organisation()
    const okta = await createDirectory(owner, { name: 'Okta' })
    await createDirectory(owner, { name: 'Entra ID' })

    const taken = { status: 409, body: { code: 'directory-name-taken', field: 'name' } }
    expect(await owner.post(path, { name: 'ENTRA id' })).toMatchObject(taken)
    expect(await owner.patch(`${path}/${okta.id}`, { name: 'entra id' })).toMatchObject(taken)
    expect(await owner.patch(`${path}/${okta.id}`, { name: 'OKTA' })).toMatchObject({ status: 200 })
  })

  it('is one of at most 20', async () => {
    const { owner } = await organisation()
    for (let count = 0; count < 19; count++) await createDirectory(owner)

    const both = await Promise.all([owner.post(path, newDirectory()), owner.post(path, newDirectory())])

    expect(both.map(({ status }) => status).sort()).toEqual([201, 400])
    expect(both.find(({ status }) => status === 400)?.body).toMatchObject({ code: 'too-many-directories' })
  })

  it('compares subjects only with a connection', async () => {
    const { owner } = await organisation()
    const { id: connectionId } = await createConnection(owner)
    const missing = { status: 400, body: { errors: [{ path: ['userMatch'], reason: 'match-needs-connection' }] } }

    expect(await owner.post(path, newDirectory({ userMatch: 'externalId' }))).toMatchObject(missing)
    const { id } = await createDirectory(owner, { userMatch: 'externalId', connectionId })
    expect(await owner.patch(`${path}/${id}`, { connectionId: null })).toMatchObject(missing)
    expect(await owner.patch(`${path}/${id}`, { connectionId: 'con_unknown' })).toMatchObject({
      status: 404,
      body: { code: 'connection-not-found' },
    })
    expect(await owner.patch(`${path}/${id}`, { connectionId: null, userMatch: 'email' })).toMatchObject({ status: 200 })
  })
})

describe('a mapping of a group', () => {
  it('names roles and teams by id or slug, and the group by one of its names', async () => {
    const own = await organisation()
    const role = await service().given.role(own.owner)
    const team = await aTeam(own)
    const byName = { group: { displayName: 'Support' }, roleIds: [role.slug, role.id], teamIds: [team.slug] }
    const byId = { group: { externalId: 'Support' }, roleIds: [], teamIds: [team.id] }

    const { id, groupMappings } = await createDirectory(own.owner, { groupMappings: [byName, byId] })

    expect(groupMappings).toEqual([{ ...byName, roleIds: [role.id], teamIds: [team.id] }, byId])
    expect((await own.owner.get(`${path}/${id}`)).body.groupMappings).toEqual(groupMappings)
  })

  it.each<[what: string, mappings: object[], at: (string | number)[], reason: string]>([
    ['no group', [{ group: {} }], [0, 'group'], 'one-group-name'],
    ['both names of a group', [{ group: { displayName: 'A', externalId: 'a' } }], [0, 'group'], 'one-group-name'],
    [
      'the same group again',
      [{ group: { displayName: 'Support' } }, { group: { displayName: 'support' } }],
      [1, 'group'],
      'group-mapped-twice',
    ],
    ['an unknown role', [{ group: { displayName: 'A' }, roleIds: ['rol_unknown'] }], [0, 'roleIds', 0], 'role-not-found'],
    ['an unknown team', [{ group: { displayName: 'A' }, teamIds: ['tem_unknown'] }], [0, 'teamIds', 0], 'team-not-found'],
    ['the owner role', [{ group: { displayName: 'A' }, roleIds: ['member', 'owner'] }], [0, 'roleIds', 1], 'owner-role-not-mapped'],
  ])('is refused with %s', async (_what, groupMappings, at, reason) => {
    const own = await organisation()
    const refused = { status: 400, body: { errors: [{ path: ['groupMappings', ...at], reason }] } }
    expect(await own.owner.post(path, newDirectory({ groupMappings }))).toMatchObject(refused)
    expect((await own.owner.get(path)).body.total).toBe(0)

    const { id } = await createDirectory(own.owner)
    expect(await own.owner.patch(`${path}/${id}`, { groupMappings })).toMatchObject(refused)
    expect(await actionsOf(own, id)).toEqual(['directory.created'])
  })
})

describe('what a directory is trusted with', () => {
  it('takes every permission that any user but the owner holds', async () => {
    const own = await organisation()
    const by = await manager(own)
    const { id: connectionId } = await createConnection(own.owner)
    const { id } = await createDirectory(by)
    const beyond = await service().given.userWith(own.owner, ['users:delete'])
    const refused = { status: 403, body: { detail: 'Cannot grant a permission you do not have: users:delete' } }

    expect(await by.post(path, newDirectory())).toMatchObject(refused)
    expect(await by.post(`${path}/${id}/tokens`, {})).toMatchObject(refused)
    expect(await by.patch(`${path}/${id}`, { connectionId })).toMatchObject(refused)
    expect(await by.patch(`${path}/${id}`, { groupMappings: [{ group: { displayName: 'A' } }] })).toMatchObject(refused)
    expect(await by.patch(`${path}/${id}`, { userMatch: 'externalId', connectionId })).toMatchObject(refused)
    expect(await by.patch(`${path}/${id}`, { name: 'Renamed', isActive: false, deletes: 'delete' })).toMatchObject({ status: 200 })
    expect(await by.patch(`${path}/${id}`, { isActive: true })).toMatchObject(refused)
    // The holder of a token could move an administrator's account to another address.
    expect(await by.patch(`${path}/${id}`, { emailChanges: 'refuse' })).toMatchObject({ status: 200 })
    expect(await by.patch(`${path}/${id}`, { emailChanges: 'verified_domains' })).toMatchObject(refused)
    expect(await by.get(`${path}/${id}`)).toMatchObject({
      body: { isActive: false, tokens: [], connectionId: null, emailChanges: 'refuse' },
    })

    expect(await own.owner.delete(`/v1/admin/users/${beyond.id}`)).toMatchObject({ status: 204 })
    expect(await by.post(`${path}/${id}/tokens`, {})).toMatchObject({ status: 201 })
    expect(await by.delete(`${path}/${id}`)).toMatchObject({ status: 204 })
  })

  it('takes every permission of the roles that it gives', async () => {
    const own = await organisation()
    const by = await manager(own)
    const role = await service().given.role(own.owner, { permissions: ['audit:read'] })
    const groupMappings = [{ group: { displayName: 'Auditors' }, roleIds: [role.id] }]
    const refused = { status: 403, body: { detail: 'Cannot grant a permission you do not have: audit:read' } }

    expect(await by.post(path, newDirectory({ groupMappings }))).toMatchObject(refused)
    const { id } = await createDirectory(own.owner, { groupMappings })
    // A token of it could put its holder into the group.
    expect(await by.post(`${path}/${id}/tokens`, {})).toMatchObject(refused)
  })

  it('takes every permission of the default role, which its new users get', async () => {
    const own = await organisation()
    const by = await manager(own)
    const { id } = await createDirectory(by)
    await service().given.role(own.owner, { isDefault: true, permissions: ['audit:read'] })
    const refused = { status: 403, body: { detail: 'Cannot grant a permission you do not have: audit:read' } }

    expect(await by.post(path, newDirectory())).toMatchObject(refused)
    expect(await by.post(`${path}/${id}/tokens`, {})).toMatchObject(refused)
    expect(await own.owner.post(`${path}/${id}/tokens`, {})).toMatchObject({ status: 201 })
  })
})

describe('a token of a directory', () => {
  it('is shown once, and stored as its hash', async () => {
    const own = await organisation()
    const { id } = await createDirectory(own.owner)

    const created = await own.owner.post(`${path}/${id}/tokens`, { expiresAt: '2099-01-01T00:00:00Z' })

    const { token, ...record } = created.body
    expect(created.status).toBe(201)
    expect(token).toMatch(/^scim_[\w-]{43}$/)
    expect(record).toMatchObject({ prefix: token.slice(0, 13), expiresAt: '2099-01-01T00:00:00.000Z', lastUsedAt: null })
    expect((await own.owner.get(`${path}/${id}`)).body.tokens).toEqual([record])
    const rows = await service().database.tenant(own.id).selectFrom('directoryTokens').selectAll().execute()
    expect(rows).toMatchObject([{ tokenHash: hashSecret(token) }])
    expect(JSON.stringify(await entriesOf(own, id))).not.toContain(token)
  })

  it('is one of at most two that work', async () => {
    const own = await organisation()
    const { id } = await createDirectory(own.owner)
    const create = (body = {}) => own.owner.post(`${path}/${id}/tokens`, body)
    await create()

    const both = await Promise.all([create(), create()])

    expect(both.map(({ status }) => status).sort()).toEqual([201, 400])
    const third = { status: 400, body: { code: 'too-many-directory-tokens', detail: 'At most two tokens' } }
    expect(await create()).toMatchObject(third)
    // For a day the former two would work beside it.
    expect(await create({ gracePeriodSeconds: day })).toMatchObject(third)
    const { tokens } = (await own.owner.get(`${path}/${id}`)).body
    expect(tokens).toMatchObject([{ expiresAt: null }, { expiresAt: null }])

    expect(await own.owner.delete(`${path}/${id}/tokens/${tokens[0].id}`)).toMatchObject({ status: 204 })
    expect(await own.owner.delete(`${path}/${id}/tokens/${tokens[0].id}`)).toMatchObject({
      status: 404,
      body: { code: 'directory-token-not-found' },
    })
    expect(await create()).toMatchObject({ status: 201 })
    expect(await actionsOf(own, id)).toEqual([
      'directory.token_created',
      'directory.token_ended',
      'directory.token_created',
      'directory.token_created',
      'directory.created',
    ])
  })

  it('ends the former ones at once or after a grace, and never makes one last longer', async () => {
    const own = await organisation()
    const { id } = await createDirectory(own.owner)
    const tokens = async (): Promise<{ id: string; expiresAt: string | null }[]> => (await own.owner.get(`${path}/${id}`)).body.tokens
    const { body: first } = await own.owner.post(`${path}/${id}/tokens`, {})
    const { body: second } = await own.owner.post(`${path}/${id}/tokens`, { gracePeriodSeconds: 60 })

    const [former] = await tokens()
    expect(former?.id).toBe(first.id)
    const entries = await entriesOf(own, id)
    expect(entries[0]?.metadata).toMatchObject({ tokenId: second.id, formerTokensEndAt: former?.expiresAt })
    expect(Date.parse(former?.expiresAt ?? '') - Date.parse(second.createdAt)).toBe(60_000)
    await own.owner.delete(`${path}/${id}/tokens/${second.id}`)
    await own.owner.post(`${path}/${id}/tokens`, { gracePeriodSeconds: day })
    expect((await tokens())[0]).toEqual(former)

    const { body: only } = await own.owner.post(`${path}/${id}/tokens`, { gracePeriodSeconds: 0 })
    expect((await tokens()).map(({ id: token }) => token)).toEqual([only.id])
  })

  it.each<[what: string, body: object, at: string]>([
    ['an expiry in the past', { expiresAt: '2020-01-01T00:00:00Z' }, 'expiresAt'],
    ['a grace of more than a week', { gracePeriodSeconds: 604_801 }, 'gracePeriodSeconds'],
    ['a grace below zero', { gracePeriodSeconds: -1 }, 'gracePeriodSeconds'],
  ])('is refused with %s', async (_what, body, at) => {
    const { owner } = await organisation()
    const { id } = await createDirectory(owner)
    expect(await owner.post(`${path}/${id}/tokens`, body)).toMatchObject({ status: 400, body: { errors: [{ path: [at] }] } })
    expect((await owner.get(`${path}/${id}`)).body.tokens).toEqual([])
  })
})

describe('deleting a directory', () => {
  it('takes what it alone gave, and leaves its users and teams', async () => {
    const own = await organisation()
    const { owner } = own
    const { id } = await createDirectory(owner, { name: 'Entra ID' })
    const [user, role, team] = [await service().given.user(owner), await service().given.role(owner), await aTeam(own)]
    await service().database.transaction(own.id, async (tenant) => {
      await replaceRolesFromSource(tenant, systemActor, user.id, sourceOfDirectory(id), [role.id])
      await replaceTeamsFromSource(tenant, systemActor, user.id, sourceOfDirectory(id), [team.id])
      const stored = { directoryId: id, userId: user.id, userName: 'carol', createdAt: tenant.now, updatedAt: tenant.now }
      await tenant.insertInto('directoryUsers').values(stored).execute()
    })
    expect((await owner.get(`${path}/${id}`)).body.counts).toEqual({ users: 1, groups: 0 })
    expect(await owner.delete(`/v1/admin/teams/${team.id}/members`, { userId: user.id })).toMatchObject({
      status: 200,
      body: {
        message: 'The user stays a member because of directory "Entra ID"',
        remainingSources: [{ type: 'directory', id, name: 'Entra ID' }],
      },
    })

    expect(await owner.delete(`${path}/${id}`)).toMatchObject({ status: 204 })

    const { body: after } = await owner.get(`/v1/admin/users/${user.id}`)
    expect(after).toMatchObject({ id: user.id, blockedAt: null, teams: [] })
    expect(after.roles.map((one: { id: string }) => one.id)).not.toContain(role.id)
    expect(await owner.get(`/v1/admin/teams/${team.id}`)).toMatchObject({ status: 200 })
    expect((await entriesOf(own, id))[0]?.metadata).toMatchObject({ users: 1 })
  })
})

describe('undoing a change of a directory', () => {
  it('restores its former settings', async () => {
    const own = await organisation()
    const { id } = await createDirectory(own.owner, { name: 'Entra ID' })
    await own.owner.patch(`${path}/${id}`, { name: 'Okta', groupMappings: [{ group: { displayName: 'A' } }] })
    const [entry] = (await own.owner.get('/v1/admin/audit-logs?action=directory.updated')).body.data

    expect(await own.owner.post(`/v1/admin/audit-logs/${entry.id}/undo`)).toMatchObject({ status: 200 })

    expect((await own.owner.get(`${path}/${id}`)).body).toMatchObject({ name: 'Entra ID', groupMappings: [] })
  })
})
