import { describe, expect, it } from 'vitest'
import { createConnection } from '../support/connections.ts'
import { createDirectory } from '../support/directories.ts'
import { type TestOrganisation, unique } from '../support/given.ts'
import { useService } from '../support/service.ts'

const service = useService()
const path = '/v1/admin/setup-links'
const organisation = () => service().given.organisation()
const newLink = (fields: object = {}) => ({ name: `Customer ${unique()}`, purposes: ['domain', 'saml'], ...fields })

const actionsOf = async ({ owner }: TestOrganisation, id: string): Promise<string[]> =>
  (await owner.get('/v1/admin/audit-logs?limit=1000')).body.data
    .filter(({ targetId }: { targetId: string }) => targetId === id)
    .map(({ action }: { action: string }) => action)

describe('a set-up link', () => {
  it('is created, listed and ended, and its address is shown once', async () => {
    const own = await organisation()
    const { owner } = own

    const created = await owner.post(path, newLink({ name: 'Acme' }))

    expect(created).toMatchObject({
      status: 201,
      body: {
        ...{ name: 'Acme', purposes: ['domain', 'saml'], state: 'open', activate: false, createdById: owner.id },
        ...{ connectionId: null, domainId: null, directoryId: null, firstUsedAt: null, lastIpAddress: null, finishedAt: null },
        settings: { provisioning: 'none', linking: null, sso: 'off', roleMappings: [], groupMappings: [], deletes: 'block' },
      },
    })
    const { url, ...record } = created.body
    expect(record.id).toMatch(/^sul_/)
    expect(url).toMatch(new RegExp(`^${service().services.publicUrl}/setup#[\\w-]{43}$`))
    expect(Date.parse(record.expiresAt) - Date.parse(record.createdAt)).toBe(72 * 3_600_000)
    const listed = await owner.get(path)
    expect(listed.body).toEqual({ data: [record], total: 1 })
    expect(JSON.stringify(listed.body)).not.toContain(url.split('#')[1])

    expect(await owner.delete(`${path}/${record.id}`, { reason: 'Sent to the wrong person' })).toMatchObject({ status: 204 })
    expect((await owner.get(path)).body.data).toMatchObject([{ id: record.id, state: 'ended', endedBecause: 'deleted' }])
    expect(await owner.delete(`${path}/${record.id}`)).toMatchObject({ status: 204 })
    expect(await actionsOf(own, record.id)).toEqual(['setup_link.ended', 'setup_link.created'])
    expect(await owner.delete(`${path}/sul_unknown`)).toMatchObject({ status: 404, body: { code: 'setup-link-not-found' } })
  })

  it('needs the permission of each of its purposes', async () => {
    const { owner } = await organisation()
    const permissions = { domain: 'domains:update', oidc: 'connections:create', saml: 'connections:create', scim: 'directories:create' }
    for (const [purpose, permission] of Object.entries(permissions)) {
      const others = [...new Set(Object.values(permissions))].filter((slug) => slug !== permission)
      const lacking = await service().given.userWith(owner, others)
      expect(await lacking.post(path, newLink({ purposes: [purpose] }))).toMatchObject({ status: 403, body: { permission } })
    }
    const { id } = (await owner.post(path, newLink())).body
    const other = await service().given.userWith(owner, ['directories:create'])
    expect((await other.get(path)).body).toEqual({ data: [], total: 0 })
    expect(await other.delete(`${path}/${id}`)).toMatchObject({ status: 403, body: { code: 'missing-permission' } })
    expect(await other.post(`${path}/${id}/activate`)).toMatchObject({ status: 403, body: { code: 'missing-permission' } })
  })

  it('needs every permission that another user than the owner holds, unless it is for a domain alone', async () => {
    const { owner } = await organisation()
    await service().given.userWith(owner, ['webhooks:delete'])
    const maker = await service().given.userWith(owner, ['domains:update', 'connections:create', 'directories:create'])

    for (const purpose of ['oidc', 'saml', 'scim'])
      expect(await maker.post(path, newLink({ purposes: [purpose] }))).toMatchObject({
        status: 403,
        body: { code: 'cannot-grant', permission: 'webhooks:delete' },
      })
    expect(await maker.post(path, newLink({ purposes: ['domain'] }))).toMatchObject({ status: 201 })
    expect((await owner.get(path)).body.total).toBe(1)
  })

  it('needs every permission of the default role where what it makes creates users', async () => {
    const { owner } = await organisation()
    await service().given.role(owner, { isDefault: true, permissions: ['webhooks:delete'] })
    const maker = await service().given.userWith(owner, ['domains:update', 'connections:create', 'directories:create'])
    const refused = { status: 403, body: { code: 'cannot-grant', permission: 'webhooks:delete' } }

    expect(await maker.post(path, newLink({ purposes: ['oidc'], settings: { provisioning: 'jit' } }))).toMatchObject(refused)
    expect(await maker.post(path, newLink({ purposes: ['scim'] }))).toMatchObject(refused)
    expect(await maker.post(path, newLink({ purposes: ['oidc'] }))).toMatchObject({ status: 201 })
    expect(await maker.post(path, newLink({ purposes: ['domain'], settings: { provisioning: 'jit' } }))).toMatchObject({ status: 201 })
  })

  it('names in its settings roles and teams that exist, by id or slug, and never the owner role', async () => {
    const { owner } = await organisation()
    const role = (await owner.post('/v1/admin/roles', { name: 'Support', slug: `s-${unique()}` })).body
    const settings = (roleId: string) => ({ settings: { roleMappings: [{ claim: 'groups', value: 'support', roleId }] } })

    expect((await owner.post(path, newLink(settings(role.slug)))).body.settings.roleMappings).toEqual([
      { claim: 'groups', value: 'support', roleId: role.id },
    ])
    const at = ['settings', 'roleMappings', 0, 'roleId']
    expect(await owner.post(path, newLink(settings('unknown')))).toMatchObject({
      status: 400,
      body: { errors: [{ path: at, reason: 'role-not-found' }] },
    })
    expect(await owner.post(path, newLink(settings('owner')))).toMatchObject({ status: 400, body: { errors: [{ path: at }] } })
  })

  it.each([
    ['no purpose', { purposes: [] }, ['purposes']],
    ['an unknown purpose', { purposes: ['ldap'] }, ['purposes', 0]],
    ['no time', { expiresInHours: 0 }, ['expiresInHours']],
    ['more than a week', { expiresInHours: 169 }, ['expiresInHours']],
    ['single sign-on without a connection', { purposes: ['domain'], settings: { sso: 'required' } }, ['settings', 'sso']],
    ['single sign-on without a domain', { purposes: ['saml'], settings: { sso: 'offered' } }, ['settings', 'sso']],
    ['an invisible name', { name: 'a\u202eb' }, ['name']],
  ])('refuses %s', async (_, fields, at) => {
    const { owner } = await organisation()
    expect(await owner.post(path, newLink(fields))).toMatchObject({ status: 400, body: { errors: [{ path: at }] } })
    expect((await owner.get(path)).body.total).toBe(0)
  })

  it('is one of at most twenty that are open', async () => {
    const { owner } = await organisation()
    const made = await Promise.all(Array.from({ length: 22 }, () => owner.post(path, newLink({ purposes: ['domain'] }))))

    expect(made.filter(({ status }) => status === 201)).toHaveLength(20)
    expect(made.filter(({ status }) => status !== 201)).toMatchObject(
      Array(2).fill({ status: 400, body: { code: 'too-many-setup-links' } }),
    )
    const { id } = made.find(({ status }) => status === 201)?.body ?? {}
    await owner.delete(`${path}/${id}`)
    expect(await owner.post(path, newLink())).toMatchObject({ status: 201 })
  })

  it.each([
    ['connections:update', 'a user'],
    ['connections:update', 'an API key'],
    ['directories:update', 'a user'],
    ['directories:update', 'an API key'],
  ])('activates nothing for a caller without %s who is %s', async (lacking, kind) => {
    const { owner, id: organisationId } = await organisation()
    const { id } = (await owner.post(path, newLink({ purposes: ['oidc', 'scim'] }))).body
    const { id: connectionId } = await createConnection(owner, { isActive: false })
    const { id: directoryId } = await createDirectory(owner, { isActive: false })
    const finished = { connectionId, directoryId, finishedAt: service().clock.now() }
    await service().database.tenant(organisationId).updateTable('setupLinks').set(finished).where('id', '=', id).execute()
    const both = ['connections:update', 'directories:update']
    const by = async (permissions: string[]) => {
      if (kind === 'a user') return service().given.userWith(owner, permissions)
      const { key } = (await owner.post('/v1/admin/api-keys', { name: unique(), permissions })).body
      return service().anonymous.with({ authorization: `Bearer ${key}` })
    }
    const forPurposes = ['connections:create', 'directories:create']
    const isOn = async () => [
      (await owner.get(`/v1/admin/connections/${connectionId}`)).body.isActive,
      (await owner.get(`/v1/admin/directories/${directoryId}`)).body.isActive,
    ]

    const without = await by([...forPurposes, ...both.filter((permission) => permission !== lacking)])
    expect(await without.post(`${path}/${id}/activate`)).toMatchObject({
      status: 403,
      body: { code: 'missing-permission', permission: lacking },
    })
    expect(await isOn()).toEqual([false, false])

    const withBoth = await by([...forPurposes, ...both])
    expect(await withBoth.post(`${path}/${id}/activate`)).toMatchObject({ status: 200 })
    expect(await isOn()).toEqual([true, true])
  })

  it('activates nothing before it is finished', async () => {
    const { owner } = await organisation()
    const { id } = (await owner.post(path, newLink())).body
    expect(await owner.post(`${path}/${id}/activate`)).toMatchObject({ status: 409, body: { code: 'setup-link-not-finished' } })
  })

  it('is created by an API key in the name of its user', async () => {
    const { owner } = await organisation()
    const { key } = (await owner.post('/v1/admin/api-keys', { name: 'Onboarding', permissions: ['domains:update'] })).body
    const program = service().anonymous.with({ authorization: `Bearer ${key}` })

    expect(await program.post(path, newLink({ purposes: ['domain'] }))).toMatchObject({ status: 201, body: { createdById: owner.id } })
    expect(await program.post(path, newLink())).toMatchObject({ status: 403, body: { permission: 'connections:create' } })
  })
})
