import { describe, expect, it } from 'vitest'
import { type TestOrganisation, unique } from '../support/given.ts'
import { useReceiver } from '../support/receiver.ts'
import { useService } from '../support/service.ts'
import { createEndpoint } from '../support/webhooks.ts'

const receiver = await useReceiver()
const service = useService({ environment: { WEBHOOK_ALLOW_PRIVATE_ADDRESSES: 'true' }, webhooks: receiver.reachable })
const path = '/v1/system/permissions'
const permission = (fields: Record<string, unknown> = {}) => ({
  slug: `reports:read-${unique()}`,
  name: 'Read reports',
  description: 'See every report',
  category: 'audit',
  ...fields,
})

describe('POST /v1/system/permissions', () => {
  it('adds a permission to the catalogue and to the owner role of every organisation, on the next request', async () => {
    const [one, other] = [await service().given.organisation(), await service().given.organisation()]
    const member = await service().given.userWith(one.owner, ['users:read'])
    const input = permission()

    const created = await service().operator.post(path, input)

    expect(created).toMatchObject({ status: 201, body: { id: expect.stringMatching(/^prm_/), ...input } })
    for (const { owner } of [one, other]) {
      expect((await owner.get('/v1/me/profile')).body.permissions).toContain(input.slug)
      const { body } = await owner.get('/v1/admin/audit-logs?action=permission.created')
      expect(body.data).toContainEqual(
        expect.objectContaining({ actorType: 'system', targetType: 'permission', targetId: created.body.id }),
      )
    }
    expect((await member.get('/v1/me/profile')).body.permissions).toEqual(['users:read'])
    expect((await member.get('/v1/admin/permissions')).body.data).toContainEqual({ ...created.body, grantable: false })
    const admin = (await one.owner.get('/v1/admin/roles')).body.data.find((role: { slug: string }) => role.slug === 'admin')
    expect(admin.permissions.map(({ slug }: { slug: string }) => slug)).not.toContain(input.slug)
  })

  it('reports permission.granted of each owner role to subscribed endpoints, in both variants', async () => {
    const { given, operator } = service()
    const listening = [await given.organisation(), await given.organisation()]
    const hooks = [receiver.hook(), receiver.hook()] as const
    await createEndpoint((listening[0] as TestOrganisation).owner, { url: hooks[0].url, events: ['permission.granted'], variant: 'A' })
    await createEndpoint((listening[1] as TestOrganisation).owner, { url: hooks[1].url, events: ['*'] })
    const deaf = await given.organisation()
    await createEndpoint(deaf.owner, { url: receiver.hook().url, events: ['role.updated'] })

    const { body: added } = await operator.post(path, permission())
    await service().deliverDueWebhooks()

    const [inA, inB] = hooks.map(({ requests }) => requests.map(({ body }) => JSON.parse(body)))
    const { id, slug, name } = added
    for (const [index, organisation] of listening.entries()) {
      const [event, ...others] = (index === 0 ? inA : inB) ?? []
      expect(others).toEqual([])
      expect(event).toMatchObject({ organisationId: organisation.id, [index === 0 ? 'event' : 'type']: 'permission.granted' })
      const roles = (await organisation.owner.get('/v1/admin/roles')).body.data
      const role = roles.find((one: { slug: string }) => one.slug === 'owner')
      // How many users have the role is a matter of the list, not of the event.
      const { userCount, ...granted } = role
      expect(userCount).toBe(1)
      expect(event.data).toEqual({ role: granted, permission: { id, slug, name } })
      const { data } = (await organisation.owner.get('/v1/admin/audit-logs?action=permission.granted')).body
      expect(data).toMatchObject([{ actorType: 'system', targetType: 'role', targetId: role.id }])
    }
    expect(await service().database.tenant(deaf.id).selectFrom('webhookDeliveries').select('id').execute()).toEqual([])
  })

  it('refuses a slug that is taken with 409, also for two requests at the same moment', async () => {
    const input = permission()

    const answers = await Promise.all([service().operator.post(path, input), service().operator.post(path, input)])

    expect(answers.map(({ status }) => status).sort()).toEqual([201, 409])
    expect(await service().operator.post(path, permission({ slug: 'users:read' }))).toMatchObject({
      status: 409,
      body: { detail: 'Permission slug already in use' },
    })
  })

  it('reaches the owner role of an organisation that is created at the same moment', async () => {
    const inputs = Array.from({ length: 3 }, () => permission())

    const [organisations] = await Promise.all([
      Promise.all(inputs.map(() => service().given.organisation())),
      Promise.all(inputs.map((input) => service().operator.post(path, input))),
    ])

    for (const { owner } of organisations) {
      const { body } = await owner.get('/v1/me/profile')
      expect(body.permissions).toEqual(expect.arrayContaining(inputs.map(({ slug }) => slug)))
    }
  })

  it.each<[what: string, field: string, value: unknown]>([
    ['a slug without an action', 'slug', 'reports'],
    ['a slug with a space', 'slug', 'reports: read'],
    ['a slug in capitals', 'slug', 'Reports:read'],
    ['a slug of three parts', 'slug', 'a:b:c'],
    ['no slug', 'slug', undefined],
    ['no name', 'name', undefined],
    ['no description', 'description', undefined],
    ['an unknown category', 'category', 'reports'],
  ])('refuses %s', async (_, field, value) => {
    const refused = await service().operator.post(path, permission({ [field]: value }))

    expect(refused).toMatchObject({ status: 400, body: { errors: [{ path: [field] }] } })
  })

  it('is for the operator alone', async () => {
    const { owner } = await service().given.organisation()

    expect(await owner.post(path, permission())).toMatchObject({ status: 401 })
    expect(await service().anonymous.post(path, permission())).toMatchObject({ status: 401 })
  })
})

describe('GET /v1/system/permissions', () => {
  it('lists the catalogue for the operator, with the permissions of the installation', async () => {
    const { operator, anonymous } = service()
    const { body: added } = await operator.post(path, permission({ category: 'custom' }))

    const { status, body } = await operator.get(path)

    expect(status).toBe(200)
    expect(body.data).toContainEqual(added)
    expect(body.data).toContainEqual(expect.objectContaining({ slug: 'users:read', category: 'users' }))
    expect(body.total).toBe(body.data.length)
    expect(await operator.get(`${path}?limit=1&q=${added.slug}`)).toMatchObject({ body: { data: [{ id: added.id }], total: 1 } })
    expect(await anonymous.get(path)).toMatchObject({ status: 401 })
  })
})

describe('DELETE /v1/system/permissions/:id', () => {
  it('removes the permission from every role and API key, on the next request, and records it in each audit log', async () => {
    const { given, operator, anonymous, database } = service()
    const [one, other] = [await given.organisation(), await given.organisation()]
    const { body: added } = await operator.post(path, permission({ category: 'custom' }))
    const role = await given.role(one.owner, { permissions: [added.slug, 'users:read'] })
    const user = await given.user(one.owner, { roleIds: [role.id] })
    const member = await given.signIn(user.email)
    const key = await one.owner.post('/v1/admin/api-keys', { name: 'Reports', permissions: [added.slug, 'users:read'] })
    await one.owner.post('/v1/admin/webhooks', { url: 'https://hooks.example.test/', events: ['role.updated'] })

    expect(await operator.delete(`${path}/${added.id}`)).toMatchObject({ status: 204 })

    expect((await member.get('/v1/me/profile')).body.permissions).toEqual(['users:read'])
    expect((await one.owner.get('/v1/admin/permissions')).body.data).not.toContainEqual(expect.objectContaining({ slug: added.slug }))
    expect((await one.owner.get('/v1/admin/api-keys')).body.data).toMatchObject([{ id: key.body.id, permissions: ['users:read'] }])
    expect(await anonymous.with({ authorization: `Bearer ${key.body.key}` }).get('/v1/admin/users')).toMatchObject({ status: 200 })
    for (const { owner } of [one, other]) {
      const { body } = await owner.get('/v1/admin/audit-logs?action=permission.deleted')
      expect(body.data).toMatchObject([
        { actorType: 'system', targetType: 'permission', targetId: added.id, changes: { slug: { from: added.slug, to: null } } },
      ])
    }
    const { body: updates } = await one.owner.get(`/v1/admin/audit-logs?action=role.updated&targetId=${role.id}`)
    const summary = (slug: string) => ({ id: expect.stringMatching(/^prm_/), slug, name: expect.any(String) })
    const [from, to] = [[summary(added.slug), summary('users:read')], [summary('users:read')]]
    const metadata = { because: 'permission.deleted', permission: { slug: added.slug } }
    expect(updates.data).toMatchObject([{ changes: { permissions: { from, to } }, metadata }])
    expect(await one.owner.audit({ action: 'api_key.updated', targetId: key.body.id })).toMatchObject([
      { changes: { permissions: { from: [added.slug, 'users:read'], to: ['users:read'] } }, metadata },
    ])
    const events = await database.tenant(one.id).selectFrom('webhookDeliveries').select('body').execute()
    expect(events.map(({ body }) => JSON.parse(body).data.role)).toEqual(
      expect.arrayContaining([expect.objectContaining({ id: role.id, permissions: to })]),
    )
    expect(events.map(({ body }) => JSON.parse(body).data.role.slug).sort()).toEqual(['owner', role.slug].sort())
  })

  it('refuses a permission that guards the service, and does not find an unknown one', async () => {
    const { operator } = service()
    const { body } = await operator.get(`${path}?q=users:read`)

    expect(await operator.delete(`${path}/${body.data[0].id}`)).toMatchObject({ status: 400, body: { code: 'permission-built-in' } })
    expect(await operator.delete(`${path}/prm_unknown`)).toMatchObject({ status: 404, body: { code: 'permission-not-found' } })
    expect((await operator.get(`${path}?q=users:read`)).body.total).toBe(1)
  })

  it('happens once when it is requested twice at the same moment', async () => {
    const { operator } = service()
    const { body: added } = await operator.post(path, permission())

    const answers = await Promise.all([operator.delete(`${path}/${added.id}`), operator.delete(`${path}/${added.id}`)])

    expect(answers.map(({ status }) => status).sort()).toEqual([204, 404])
  })
})
