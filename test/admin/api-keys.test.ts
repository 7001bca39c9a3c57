import { describe, expect, it } from 'vitest'
import type { HttpClient } from '../support/http-client.ts'
import { useService } from '../support/service.ts'

const service = useService()

async function createKey(admin: HttpClient, permissions: string[], fields: Record<string, unknown> = {}) {
  const created = await admin.post('/v1/admin/api-keys', { name: 'Nightly import', permissions, ...fields })
  expect(created).toMatchObject({ status: 201 })
  return created.body as { id: string; key: string; prefix: string; createdById: string }
}

/** A caller with only the key. */
const by = ({ key }: { key: string }) => service().anonymous.with({ authorization: `Bearer ${key}` })

describe('GET /v1/admin/api-keys/:id', () => {
  it('shows a key as the list does, with the name of the user who created it', async () => {
    const { owner } = await service().given.organisation()
    const creator = await service().given.userWith(owner, ['api_keys:create', 'users:read'])
    await owner.patch(`/v1/admin/users/${creator.id}`, { firstName: 'Carol', lastName: 'Shaw' })
    const { key, ...created } = await createKey(creator, ['users:read'])

    const answer = await owner.get(`/v1/admin/api-keys/${created.id}`)

    expect(answer).toMatchObject({ status: 200 })
    expect(answer.body).toEqual({ ...created, createdBy: { id: creator.id, name: 'Carol Shaw' } })
    expect((await owner.get('/v1/admin/api-keys?limit=5')).body.data).toEqual([answer.body])
    expect((await owner.get('/v1/admin/api-keys')).body.data).toEqual([answer.body])
    expect(JSON.stringify(answer.body)).not.toContain(key)
  })

  it('still names a user who was deleted, and ends when the user is erased, without a trace of the name', async () => {
    const { id: organisationId, owner } = await service().given.organisation()
    const creator = await service().given.userWith(owner, ['api_keys:create'])
    const { id } = await createKey(creator, [])
    const { name } = (await owner.get(`/v1/admin/users/${creator.id}`)).body
    const createdBy = async () => (await owner.get(`/v1/admin/api-keys/${id}`)).body.createdBy

    await owner.delete(`/v1/admin/users/${creator.id}`)
    expect(await createdBy()).toEqual({ id: creator.id, name })
    await service().operator.post(`/v1/system/organisations/${organisationId}/users/${creator.id}/erase`)
    expect(await owner.get(`/v1/admin/api-keys/${id}`)).toMatchObject({ status: 404, body: { code: 'api-key-not-found' } })
    const entries = service().database.tenant(organisationId).selectFrom('auditLogs').selectAll().where('targetId', '=', id)
    expect(JSON.stringify(await entries.execute())).not.toContain(name)
  })

  it('finds neither a deleted key nor one of another organisation', async () => {
    const { owner } = await service().given.organisation()
    const { id } = await createKey(owner, [])
    const stranger = await service().given.organisation()
    expect(await stranger.owner.get(`/v1/admin/api-keys/${id}`)).toMatchObject({ status: 404, body: { code: 'api-key-not-found' } })
    await owner.delete(`/v1/admin/api-keys/${id}`)
    expect(await owner.get(`/v1/admin/api-keys/${id}`)).toMatchObject({ status: 404 })
  })

  it('requires api_keys:read', async () => {
    const { owner } = await service().given.organisation()
    const { id } = await createKey(owner, [])
    const clerk = await service().given.userWith(owner, ['users:read'])
    expect(await clerk.get(`/v1/admin/api-keys/${id}`)).toMatchObject({ status: 403 })
  })
})

describe('POST /v1/admin/api-keys', () => {
  it('creates a key, shows it once and stores only its hash', async () => {
    const { owner } = await service().given.organisation()
    const expiresAt = new Date(service().clock.now().getTime() + 86_400_000).toISOString()

    const created = await owner.post('/v1/admin/api-keys', { name: 'Nightly import', permissions: ['users:read', 'users:read'], expiresAt })

    expect(created.status).toBe(201)
    expect(created.headers.get('cache-control')).toBe('no-store')
    const { key, ...record } = created.body
    expect(key).toMatch(/^ak_[\w-]{43}$/)
    expect(record).toEqual({
      id: expect.stringMatching(/^key_[0-9a-z]{26}$/),
      name: 'Nightly import',
      prefix: key.slice(0, 11),
      permissions: ['users:read'],
      expiresAt,
      lastUsedAt: null,
      createdById: owner.id,
      federatedCredentials: [],
      createdAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
    })
    const stored = await service().database.system().selectFrom('apiKeys').selectAll().where('id', '=', record.id).executeTakeFirstOrThrow()
    expect(JSON.stringify(stored)).not.toContain(key)
    expect(await owner.audit({ targetId: record.id })).toMatchObject([
      { action: 'api_key.created', targetType: 'api_key', actorId: owner.id },
    ])
  })

  it.each([
    ['no name', { name: '' }, ['name']],
    ['no permissions', { permissions: undefined }, ['permissions']],
    ['an unknown permission', { permissions: ['users:read', 'users:fly'] }, ['permissions', 1]],
    ['an expiry that has passed', { expiresAt: '2020-01-01T00:00:00Z' }, ['expiresAt']],
    ['an expiry that is no time', { expiresAt: 'tomorrow' }, ['expiresAt']],
  ])('refuses %s', async (_, fields, path) => {
    const { owner } = await service().given.organisation()

    const refused = await owner.post('/v1/admin/api-keys', { name: 'Key', permissions: ['users:read'], ...fields })

    expect(refused).toMatchObject({ status: 400, body: { errors: [{ path }] } })
    expect((await owner.get('/v1/admin/api-keys')).body).toEqual({ data: [], total: 0 })
  })

  it('grants nothing that the creator does not have', async () => {
    const { owner } = await service().given.organisation()
    const creator = await service().given.userWith(owner, ['api_keys:create', 'users:read'])

    const refused = await creator.post('/v1/admin/api-keys', { name: 'Key', permissions: ['users:read', 'users:delete'] })

    expect(refused).toMatchObject({ status: 403, body: { detail: 'Cannot grant a permission you do not have: users:delete' } })
    expect((await owner.get('/v1/admin/api-keys')).body.total).toBe(0)
  })

  it('called with a key, grants nothing that the key lacks, and makes the same person responsible', async () => {
    const { owner } = await service().given.organisation()
    const parent = await createKey(owner, ['api_keys:create', 'users:read'])

    expect(await createKey(by(parent), ['users:read'])).toMatchObject({ createdById: owner.id })
    expect(await by(parent).post('/v1/admin/api-keys', { name: 'Key', permissions: ['users:delete'] })).toMatchObject({ status: 403 })
  })

  it('needs api_keys:create', async () => {
    const { owner } = await service().given.organisation()
    const reader = await service().given.userWith(owner, ['api_keys:read'])

    expect(await reader.post('/v1/admin/api-keys', { name: 'Key', permissions: [] })).toMatchObject({
      status: 403,
      body: { detail: 'Missing required permission: api_keys:create' },
    })
  })
})

describe('GET /v1/admin/api-keys', () => {
  it('lists the keys of the organisation without the keys themselves, and no others', async () => {
    const { owner } = await service().given.organisation()
    await createKey((await service().given.organisation()).owner, [])
    const first = await createKey(owner, ['users:read'])
    const second = await createKey(owner, [])

    const list = await owner.get('/v1/admin/api-keys')

    expect(list).toMatchObject({ status: 200, body: { total: 2, data: [{ id: first.id, prefix: first.prefix }, { id: second.id }] } })
    expect(list.body.data[0]).not.toHaveProperty('key')
    expect(JSON.stringify(list.body)).not.toContain(first.key)
    expect((await owner.get('/v1/admin/api-keys?limit=1')).body).toMatchObject({ data: [{ id: first.id }], nextCursor: expect.any(String) })
  })
})

describe('DELETE /v1/admin/api-keys/:id', () => {
  it('ends the key with the next request', async () => {
    const { owner } = await service().given.organisation()
    const key = await createKey(owner, ['users:read'])

    expect(await owner.delete(`/v1/admin/api-keys/${key.id}`)).toMatchObject({ status: 204, body: null })

    expect(await by(key).get('/v1/admin/users')).toMatchObject({ status: 401 })
    expect((await owner.get('/v1/admin/api-keys')).body).toEqual({ data: [], total: 0 })
    expect(await owner.delete(`/v1/admin/api-keys/${key.id}`)).toMatchObject({ status: 404, body: { detail: 'API key not found' } })
    const actions = (await owner.audit({ targetId: key.id })).map(({ action }: { action: string }) => action)
    expect(actions).toEqual(['api_key.deleted', 'api_key.created'])
  })

  it("responds 404 for another organisation's key, and does not change it", async () => {
    const { owner } = await service().given.organisation()
    const other = await service().given.organisation()
    const foreign = await createKey(other.owner, ['users:read'])

    expect(await owner.delete(`/v1/admin/api-keys/${foreign.id}`)).toMatchObject({ status: 404 })
    expect(await by(foreign).get('/v1/admin/users')).toMatchObject({ status: 200 })
  })
})

describe('an API key', () => {
  it('replaces session and CSRF token on the admin API, and is the actor of its changes', async () => {
    const { owner } = await service().given.organisation()
    const key = await createKey(owner, ['users:create', 'users:read'])

    const created = await by(key).post('/v1/admin/users', { email: `${key.id}@acme.test`, firstName: 'Carol', lastName: 'Shaw' })

    expect(created).toMatchObject({ status: 201 })
    const entries = await owner.audit({ actorId: key.id, action: 'user.created' })
    expect(entries).toMatchObject([{ action: 'user.created', actorType: 'api_key', actorId: key.id, targetId: created.body.id }])
  })

  it('may do no more than its permissions allow', async () => {
    const { owner } = await service().given.organisation()
    const key = await createKey(owner, ['users:read'])

    expect(await by(key).get('/v1/admin/users')).toMatchObject({ status: 200 })
    expect(await by(key).get('/v1/admin/roles')).toMatchObject({ status: 403, body: { detail: 'Missing required permission: roles:read' } })
  })

  it('loses a permission that its creator loses, with the next request', async () => {
    const { owner } = await service().given.organisation()
    const creator = await service().given.userWith(owner, ['api_keys:create', 'users:read', 'roles:read'])
    const key = await createKey(creator, ['users:read', 'roles:read'])
    const role = (await owner.get(`/v1/admin/users/${creator.id}`)).body.roles[0]
    const kept = role.permissions.filter(({ slug }: { slug: string }) => slug !== 'users:read').map(({ id }: { id: string }) => id)

    await owner.patch(`/v1/admin/roles/${role.id}`, { permissionIds: kept })

    expect(await by(key).get('/v1/admin/users')).toMatchObject({ status: 403 })
    expect(await by(key).get('/v1/admin/roles')).toMatchObject({ status: 200 })
  })

  it('stops working while its creator is blocked, and for good when the creator is deleted', async () => {
    const { owner } = await service().given.organisation()
    const creator = await service().given.userWith(owner, ['api_keys:create', 'users:read'])
    const key = await createKey(creator, ['users:read'])

    await owner.patch(`/v1/admin/users/${creator.id}`, { blockedAt: service().clock.now().toISOString() })
    expect(await by(key).get('/v1/admin/users')).toMatchObject({ status: 401, body: { detail: 'Invalid or expired API key' } })
    await owner.patch(`/v1/admin/users/${creator.id}`, { blockedAt: null })
    expect(await by(key).get('/v1/admin/users')).toMatchObject({ status: 200 })
    await owner.delete(`/v1/admin/users/${creator.id}`)
    expect(await by(key).get('/v1/admin/users')).toMatchObject({ status: 401 })
  })

  it('is read-only while the organisation is suspended, and invalid once it is cancelled', async () => {
    const organisation = await service().given.organisation()
    const key = await createKey(organisation.owner, ['users:read', 'users:create'])
    const newUser = { email: `${key.id}@acme.test`, firstName: 'Carol', lastName: 'Shaw' }

    await service().operator.patch(`/v1/system/organisations/${organisation.id}/suspend`, { reason: 'Payment overdue' })
    expect(await by(key).get('/v1/admin/users')).toMatchObject({ status: 200 })
    expect(await by(key).post('/v1/admin/users', newUser)).toMatchObject({ status: 403, body: { detail: 'Organisation is suspended' } })

    await service().operator.delete(`/v1/system/organisations/${organisation.id}`)
    expect(await by(key).get('/v1/admin/users')).toMatchObject({ status: 401 })
  })

  it('works until it expires', async () => {
    const organisation = await service().given.organisation()
    const { owner } = organisation
    const key = await createKey(owner, ['users:read'], { expiresAt: new Date(service().clock.now().getTime() + 3_600_000).toISOString() })
    expect(await by(key).get('/v1/admin/users')).toMatchObject({ status: 200 })

    const tenant = service().database.tenant(organisation.id)
    await tenant.updateTable('apiKeys').set({ expiresAt: tenant.now }).where('id', '=', key.id).execute()

    expect(await by(key).get('/v1/admin/users')).toMatchObject({ status: 401 })
  })

  it('opens neither the self-service API nor the system API', async () => {
    const { owner } = await service().given.organisation()
    const key = await createKey(owner, ['users:read'])

    expect(await by(key).get('/v1/me/profile')).toMatchObject({ status: 401, body: { detail: 'Authentication required' } })
    expect(await by(key).get('/v1/system/organisations')).toMatchObject({ status: 401 })
  })

  it('must match the tenant header, like a session, by slug or by id', async () => {
    const { owner, id, slug } = await service().given.organisation()
    const other = await service().given.organisation()
    const key = await createKey(owner, ['users:read'])

    for (const own of [slug, id]) expect(await by(key).with({ 'x-org-domain': own }).get('/v1/admin/users')).toMatchObject({ status: 200 })
    const asked = (named: string) => by(key).with({ 'x-org-domain': named }).get('/v1/admin/users')
    for (const named of [other.slug, other.id])
      expect(await asked(named)).toMatchObject({ status: 403, body: { code: 'organisation-mismatch' } })
    await service().operator.delete(`/v1/system/organisations/${other.id}`)
    for (const named of ['nowhere', 'org_none', other.slug, other.id])
      expect(await asked(named)).toMatchObject({ status: 404, body: { code: 'organisation-not-found' } })
  })

  it.each(['ak_', 'ak_wrong', 'ak_\u00e9', `ak_${'x'.repeat(5_000)}`])(
    'that does not exist is refused, whatever else the request contains: %.20s',
    async (key) => {
      const { owner } = await service().given.organisation()

      const refused = await owner.with({ authorization: `Bearer ${key}` }).get('/v1/admin/users')

      expect(refused).toMatchObject({ status: 401, body: { detail: 'Invalid or expired API key' } })
      expect(refused.headers.get('www-authenticate')).toBe('Bearer')
    },
  )

  it('shows when it was last used, recorded at most once a minute', async () => {
    const { owner } = await service().given.organisation()
    const key = await createKey(owner, ['api_keys:read'])
    const lastUsed = async () => {
      await service().settled()
      return (await owner.get('/v1/admin/api-keys')).body.data[0].lastUsedAt as string | null
    }
    const use = async () => expect(await by(key).get('/v1/admin/api-keys')).toMatchObject({ status: 200 })

    await use()
    const first = await lastUsed()
    expect(first).toEqual(expect.any(String))
    await use()
    expect(await lastUsed()).toBe(first)
    service().clock.advance({ seconds: 61 })
    await use()
    expect(await lastUsed()).not.toBe(first)
  })
})
