import { describe, expect, it } from 'vitest'
import { unique } from '../support/given.ts'
import type { HttpClient } from '../support/http-client.ts'
import { useService } from '../support/service.ts'

const service = useService()

describe('roles', () => {
  it('are created with permissions, listed, read, changed and deleted', async () => {
    const { owner } = await service().given.organisation()
    const permissions: { id: string; slug: string; name: string }[] = (await owner.get('/v1/admin/permissions')).body.data
    const [first, second] = permissions.map(({ id, slug, name }) => ({ id, slug, name }))
    const input = { name: 'Support', slug: 'support', description: 'Answers', permissionIds: [first?.id] }

    const created = await owner.post('/v1/admin/roles', input)
    expect(created).toMatchObject({
      status: 201,
      body: { id: expect.stringMatching(/^rol_/), slug: 'support', isDefault: false, permissions: [first] },
    })
    const path = `/v1/admin/roles/${created.body.id}`
    expect((await owner.get('/v1/admin/roles')).body).toMatchObject({ total: 4, data: expect.arrayContaining([created.body]) })
    expect((await owner.get(path)).body).toEqual(created.body)
    const changed = await owner.patch(path, { name: 'Help', slug: 'ignored', permissionIds: [second?.id] })
    expect(changed).toMatchObject({ status: 200, body: { name: 'Help', slug: 'support', description: 'Answers', permissions: [second] } })
    expect(await owner.delete(path)).toMatchObject({ status: 204, body: null })
    expect(await owner.get(path)).toMatchObject({ status: 404, body: { detail: 'Role not found' } })
    const { data } = (await owner.get('/v1/admin/audit-logs?targetType=role')).body
    expect(data.map(({ action }: { action: string }) => action).sort()).toEqual([
      'permission.granted',
      'role.created',
      'role.deleted',
      'role.updated',
    ])
  })

  it('have slugs that are unique in their organisation alone', async () => {
    const [{ owner }, other] = [await service().given.organisation(), await service().given.organisation()]
    const input = { name: 'Support', slug: 'support' }
    const answers = await Promise.all([1, 2, 3].map(() => owner.post('/v1/admin/roles', input)))
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 409, 409])
    expect(await other.owner.post('/v1/admin/roles', input)).toMatchObject({ status: 201 })
    expect(await owner.post('/v1/admin/roles', { name: 'X', slug: 'Not a slug' })).toMatchObject({
      status: 400,
      body: { errors: [{ path: ['slug'] }] },
    })
  })

  it('have one default, the newest, also when several are created at once', async () => {
    const { owner } = await service().given.organisation()
    const made = await Promise.all(
      [1, 2, 3].map(() => owner.post('/v1/admin/roles', { name: 'R', slug: `r-${unique()}`, isDefault: true })),
    )
    for (const { status } of made) expect(status).toBe(201)
    const { data } = (await owner.get('/v1/admin/roles')).body
    expect(data.filter(({ isDefault }: { isDefault: boolean }) => isDefault)).toHaveLength(1)
  })

  it('record that the former default is one no more', async () => {
    const { owner } = await service().given.organisation()
    const { data } = (await owner.get('/v1/admin/roles')).body
    const former = data.find(({ isDefault }: { isDefault: boolean }) => isDefault)
    const created = (await owner.post('/v1/admin/roles', { name: 'R', slug: `r-${unique()}`, isDefault: true })).body
    await owner.patch(`/v1/admin/roles/${former.id}`, { isDefault: true })

    const auditOf = async (id: string) => await owner.audit({ targetId: id })
    const wasDefault = { action: 'role.updated', changes: { isDefault: { from: true, to: false } } }
    const isDefault = { action: 'role.updated', changes: { isDefault: { from: false, to: true } } }
    expect(await auditOf(former.id)).toMatchObject([isDefault, wasDefault])
    expect(await auditOf(created.id)).toMatchObject([wasDefault, { action: 'role.created' }])
  })

  it('refuse the owner role as the default: a connection or a directory would give it to each new user', async () => {
    const { given } = service()
    const { owner } = await given.organisation()
    const { data } = (await owner.get('/v1/admin/roles')).body
    const ownerRole = data.find(({ slug }: { slug: string }) => slug === 'owner')

    const refused = await owner.patch(`/v1/admin/roles/${ownerRole.id}`, { isDefault: true })

    expect(refused).toMatchObject({ status: 400, body: { code: 'owner-role-not-default', errors: [{ path: ['isDefault'] }] } })
    expect((await owner.get('/v1/admin/roles')).body.data).toEqual(data)
    expect((await owner.patch(`/v1/admin/roles/${ownerRole.id}`, { isDefault: false })).status).toBe(200)
  })

  it('are not taken from a former default that holds more than the caller', async () => {
    const { given } = service()
    const { owner } = await given.organisation()
    const former = await given.role(owner, { permissions: ['users:delete'] })
    await owner.patch(`/v1/admin/roles/${former.id}`, { isDefault: true })
    const own = await given.role(owner, { permissions: ['users:read'] })
    const administrator = await given.userWith(owner, ['roles:create', 'roles:update', 'users:read'])

    const refused = [
      await administrator.patch(`/v1/admin/roles/${own.id}`, { isDefault: true }),
      await administrator.post('/v1/admin/roles', { name: 'New', slug: `r-${unique()}`, isDefault: true }),
    ]

    for (const answer of refused) expect(answer).toMatchObject({ status: 403, body: { code: 'cannot-grant', permission: 'users:delete' } })
    expect((await owner.get(`/v1/admin/roles/${former.id}`)).body.isDefault).toBe(true)
  })

  it('leave users without roles when there is no default', async () => {
    const { owner } = await service().given.organisation()
    const { data } = (await owner.get('/v1/admin/roles')).body
    const member = data.find(({ slug }: { slug: string }) => slug === 'member')
    await owner.delete(`/v1/admin/roles/${member.id}`)
    expect((await service().given.user(owner)).roles).toEqual([])
  })

  it('remove their permissions from their users at once when they are deleted or changed', async () => {
    const { owner } = await service().given.organisation()
    const user = await service().given.userWith(owner, ['users:read'])
    expect(await user.get('/v1/admin/users')).toMatchObject({ status: 200 })
    const [role] = (await user.get('/v1/me/profile')).body.roles
    await owner.patch(`/v1/admin/roles/${role.id}`, { permissionIds: [] })
    expect(await user.get('/v1/admin/users')).toMatchObject({ status: 403 })
    await owner.delete(`/v1/admin/roles/${role.id}`)
    expect((await user.get('/v1/me/profile')).body).toMatchObject({ roles: [], permissions: [] })
  })

  it('do not include the owner role among those that can be deleted', async () => {
    const { owner } = await service().given.organisation()
    const { data } = (await owner.get('/v1/admin/roles')).body
    const ownerRole = data.find(({ slug }: { slug: string }) => slug === 'owner')
    expect(await owner.delete(`/v1/admin/roles/${ownerRole.id}`)).toMatchObject({ status: 400, body: { title: 'Bad Request' } })
    expect(await owner.get('/v1/admin/roles')).toMatchObject({ body: { total: 3 } })
  })

  it('cannot be assigned, created or changed by a caller with fewer permissions', async () => {
    const { owner } = await service().given.organisation()
    const strong = await service().given.role(owner, { permissions: ['users:delete'] })
    const admin = await service().given.userWith(owner, ['roles:create', 'roles:update', 'users:read'])
    const permissions: { id: string; slug: string }[] = (await owner.get('/v1/admin/permissions')).body.data
    const permissionIds = permissions.filter(({ slug }) => slug === 'users:delete').map(({ id }) => id)
    const refusal = { status: 403, body: { detail: 'Cannot grant a permission you do not have: users:delete' } }
    expect(await admin.post('/v1/admin/roles', { name: 'X', slug: 'x', permissionIds })).toMatchObject(refusal)
    expect(await admin.patch(`/v1/admin/roles/${strong.id}`, { isDefault: true })).toMatchObject(refusal)
    expect((await owner.get('/v1/admin/roles')).body.total).toBe(5)
  })

  it('name the permission that does not exist', async () => {
    const { owner } = await service().given.organisation()
    expect(await owner.post('/v1/admin/roles', { name: 'X', slug: 'x', permissionIds: ['prm_x'] })).toMatchObject({
      status: 400,
      body: { errors: [{ code: 'custom', path: ['permissionIds', 0], message: 'Permission not found' }] },
    })
    expect((await owner.get('/v1/admin/roles')).body.total).toBe(3)
  })
})

describe('GET /v1/admin/permissions', () => {
  it('lists all permissions alphabetically by slug', async () => {
    const { owner } = await service().given.organisation()
    const { data, total } = (await owner.get('/v1/admin/permissions')).body
    const slugs = data.map(({ slug }: { slug: string }) => slug)
    expect(total).toBe(slugs.length)
    expect(slugs).toEqual([...slugs].sort())
    expect(slugs).toEqual(expect.arrayContaining(['users:read', 'organisation:manage', 'api_keys:create', 'audit:read']))
    expect(data[0]).toEqual({
      id: expect.stringMatching(/^prm_/),
      slug: 'api_keys:create',
      name: expect.any(String),
      description: expect.any(String),
      category: 'api_keys',
      createdAt: expect.any(String),
      updatedAt: expect.any(String),
      grantable: true,
    })
  })

  it('says what the caller may grant, and means what the refusals mean', async () => {
    const { owner } = await service().given.organisation()
    const admin = await service().given.userWith(owner, ['users:read', 'roles:create', 'api_keys:create'])
    const { body: key } = await admin.post('/v1/admin/api-keys', { name: 'K', permissions: ['users:read', 'roles:create'] })
    const byKey = service().anonymous.with({ authorization: `Bearer ${key.key}` })
    const grantableTo = async (caller: HttpClient, query: string): Promise<string[]> => {
      const { data } = (await caller.get(`/v1/admin/permissions${query}`)).body
      return data.filter(({ grantable }: { grantable: boolean }) => grantable).map(({ slug }: { slug: string }) => slug)
    }

    expect(await grantableTo(owner, '')).toHaveLength((await owner.get('/v1/admin/permissions')).body.total)
    expect(await grantableTo(admin, '')).toEqual(['api_keys:create', 'roles:create', 'users:read'])
    expect(await grantableTo(byKey, '?limit=100')).toEqual(['roles:create', 'users:read'])
    for (const { slug, grantable } of (await byKey.get('/v1/admin/permissions')).body.data) {
      const { status } = await byKey.post('/v1/admin/roles', { name: slug, slug: `r-${unique()}`, permissionIds: [slug] })
      expect({ slug, status }).toEqual({ slug, status: grantable ? 201 : 403 })
    }
    const { body: all } = await service().operator.get('/v1/system/permissions?limit=1')
    expect(all.data[0]).not.toHaveProperty('grantable')
  })
})
