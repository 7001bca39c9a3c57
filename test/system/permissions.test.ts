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
    expect((await member.get('/v1/admin/permissions')).body.data).toContainEqual(created.body)
    const admin = (await one.owner.get('/v1/admin/roles')).body.data.find((role: { slug: string }) => role.slug === 'admin')
    expect(admin.permissions.map(({ slug }: { slug: string }) => slug)).not.toContain(input.slug)
  })

  it('reports permission.granted of each owner role to who has subscribed, in both variants', async () => {
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
      expect(event.data).toEqual({ role, permission: { id, slug, name } })
      const { data } = (await organisation.owner.get('/v1/admin/audit-logs?action=permission.granted')).body
      expect(data).toMatchObject([{ actorType: 'system', targetType: 'role', targetId: role.id }])
    }
    expect(await service().database.tenant(deaf.id).selectFrom('webhookDeliveries').select('id').execute()).toEqual([])
  })

  it('refuses a slug that is taken with 409, also when two come at the same moment', async () => {
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
