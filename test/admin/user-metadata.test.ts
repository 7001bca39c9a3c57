import { describe, expect, it } from 'vitest'
import { unique } from '../support/given.ts'
import { useReceiver } from '../support/receiver.ts'
import { useService } from '../support/service.ts'
import { createEndpoint } from '../support/webhooks.ts'

const receiver = await useReceiver()
const service = useService({ environment: { WEBHOOK_ALLOW_PRIVATE_ADDRESSES: 'true' }, webhooks: receiver.reachable })
const users = '/v1/admin/users'
const carol = () => ({ email: `carol.${unique()}@acme.test`, firstName: 'Carol', lastName: 'Shaw' })

describe('the metadata of a user', () => {
  it('is an object of the organisation, which creating a user takes and a change replaces', async () => {
    const { owner } = await service().given.organisation()
    const metadata = { department: 'Sales', desk: { floor: 3 } }

    const created = await owner.post(users, { ...carol(), metadata })

    expect(created).toMatchObject({ status: 201, body: { metadata } })
    const path = `${users}/${created.body.id}`
    expect((await owner.get(path)).body.metadata).toEqual(metadata)
    expect((await owner.patch(path, { firstName: 'Caroline' })).body.metadata).toEqual(metadata)
    expect((await owner.patch(path, { metadata: { department: 'Support' } })).body.metadata).toEqual({ department: 'Support' })
    expect((await owner.get(`${users}?q=caroline`)).body.data[0].metadata).toEqual({ department: 'Support' })
    expect((await owner.post(users, carol())).body.metadata).toEqual({})
  })

  it('has at most 8 KiB, and needs users:update to be changed', async () => {
    const { owner } = await service().given.organisation()
    const user = await service().given.user(owner)
    const largest = { text: 'x'.repeat(8_192 - JSON.stringify({ text: '' }).length) }

    expect(await owner.patch(`${users}/${user.id}`, { metadata: largest })).toMatchObject({ status: 200 })
    for (const metadata of [{ text: `${largest.text}x` }, [], 'text', null, { text: '\u0000' }]) {
      expect(await owner.patch(`${users}/${user.id}`, { metadata })).toMatchObject({
        status: 400,
        body: { errors: [{ path: expect.arrayContaining(['metadata']) }] },
      })
      expect((await owner.post(users, { ...carol(), metadata })).status).toBe(400)
    }
    const reader = await service().given.userWith(owner, ['users:read'])
    expect((await reader.patch(`${users}/${user.id}`, { metadata: {} })).status).toBe(403)
    expect((await reader.get(`${users}/${user.id}`)).body.metadata).toEqual(largest)
  })

  it('is in the history of the user, so that a change can be undone, and in no event', async () => {
    const hook = receiver.hook()
    const { owner } = await service().given.organisation()
    await createEndpoint(owner, { url: hook.url, events: ['user.created', 'user.updated', 'role.assigned'], variant: 'B' })
    const { body: user } = await owner.post(users, { ...carol(), metadata: { department: 'Sales' } })
    await owner.patch(`${users}/${user.id}`, { metadata: { department: 'Support' } })

    const [entry] = await owner.audit({ targetId: user.id, action: 'user.updated', limit: 1 })
    expect(entry.changes).toEqual({ metadata: { from: { department: 'Sales' }, to: { department: 'Support' } } })
    expect((await owner.post(`/v1/admin/audit-logs/${entry.id}/undo`)).status).toBe(200)
    expect((await owner.get(`${users}/${user.id}`)).body.metadata).toEqual({ department: 'Sales' })

    await hook.request(4)
    for (const { body } of hook.requests) expect(body).not.toContain('department')
  })

  it('is exported with the users, in CSV as JSON', async () => {
    const { owner } = await service().given.organisation()
    await owner.post(users, { ...carol(), metadata: { department: 'Sales' } })

    expect((await owner.get(`${users}/export?q=carol`)).body).toContain('"metadata":{"department":"Sales"}')
    expect((await owner.get(`${users}/export?q=carol&format=csv`)).body).toContain('"{""department"":""Sales""}"')
  })

  it('is gone with an erased user, from the audit log too', async () => {
    const { id, owner } = await service().given.organisation()
    const { body: user } = await owner.post(users, { ...carol(), metadata: { department: 'Sales' } })
    await owner.delete(`${users}/${user.id}`)

    expect((await service().operator.post(`/v1/system/organisations/${id}/users/${user.id}/erase`)).status).toBe(200)

    const tenant = service().database.tenant(id)
    const row = await tenant.selectFrom('users').select('metadata').where('id', '=', user.id).executeTakeFirst()
    expect(row?.metadata).toEqual({})
    expect(JSON.stringify(await owner.audit({ targetId: user.id }))).not.toContain('Sales')
  })
})
