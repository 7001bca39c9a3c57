import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import { removeOldDeliveries } from '../../src/webhooks/delivery/remove-old-deliveries.ts'
import { repeatDeliveries } from '../../src/webhooks/queue.ts'
import type { HttpClient } from '../support/http-client.ts'
import { useReceiver } from '../support/receiver.ts'
import { useService } from '../support/service.ts'
import { createEndpoint } from '../support/webhooks.ts'

const receiver = await useReceiver()
const service = useService({ environment: { WEBHOOK_ALLOW_PRIVATE_ADDRESSES: 'true' }, webhooks: receiver.reachable })

const cause = async (admin: HttpClient, slug: string) => {
  await admin.post('/v1/admin/roles', { name: 'Role', slug })
  await service().deliverDueWebhooks()
}
const deliveriesOf = async (admin: HttpClient, id: string) => (await admin.get(`/v1/admin/webhooks/${id}/deliveries`)).body.data

describe('a replay', () => {
  it('of one delivery sends the same event and bytes as a new delivery', async () => {
    const { owner } = await service().given.organisation()
    const hook = receiver.hook()
    const { id } = await createEndpoint(owner, { url: hook.url, events: ['role.created'] })
    await cause(owner, 'auditor')
    const [former] = await deliveriesOf(owner, id)

    const replayed = await owner.post(`/v1/admin/webhooks/${id}/deliveries/${former.id}/replay`)
    expect(replayed).toMatchObject({ status: 202, body: { message: expect.any(String), deliveryId: expect.stringMatching(/^dlv_/) } })
    await service().deliverDueWebhooks()

    const [first, second] = hook.requests
    expect(second?.body).toBe(first?.body)
    expect(second?.headers['x-svc-delivery']).toBe(replayed.body.deliveryId)
    expect(first?.headers['x-svc-delivery']).toBe(former.id)
    expect(await deliveriesOf(owner, id)).toMatchObject([
      { id: replayed.body.deliveryId, eventId: former.eventId, status: 'delivered' },
      { id: former.id, status: 'delivered' },
    ])
    expect(await owner.audit({ action: 'webhook.replayed' })).toMatchObject([
      { targetId: id, metadata: { replayedDeliveryId: former.id, deliveryId: replayed.body.deliveryId } },
    ])
  })

  it('of a time range repeats only the deliveries that failed in it', async () => {
    const { owner } = await service().given.organisation()
    const hook = receiver.hook()
    const { id } = await createEndpoint(owner, { url: hook.url, events: ['role.created'], variant: 'A' })
    await cause(owner, 'delivered')
    hook.answer = () => ({ status: 400 })
    await cause(owner, 'failed-before')
    service().clock.advance({ seconds: 60 })
    const from = service().clock.now()
    await cause(owner, 'failed-one')
    await cause(owner, 'failed-two')
    service().clock.advance({ seconds: 60 })
    const to = service().clock.now()
    await cause(owner, 'failed-after')
    hook.answer = () => ({ status: 200 })
    hook.requests.length = 0

    const replayed = await owner.post(`/v1/admin/webhooks/${id}/replay`, {
      from: from.toISOString(),
      to: to.toISOString(),
      status: 'failed',
    })
    expect(replayed).toMatchObject({ status: 202, body: { replayed: 2, nextCursor: null } })
    await service().deliverDueWebhooks()

    expect(hook.requests.map(({ body }) => JSON.parse(body).data.role.slug).sort()).toEqual(['failed-one', 'failed-two'])
  })

  it('of a time range can repeat successful deliveries', async () => {
    const { owner } = await service().given.organisation()
    const hook = receiver.hook()
    const { id } = await createEndpoint(owner, { url: hook.url, events: ['role.created'] })
    await cause(owner, 'auditor')

    const from = new Date(service().clock.now().getTime() - 3_600_000).toISOString()
    expect(await owner.post(`/v1/admin/webhooks/${id}/replay`, { from })).toMatchObject({ status: 202, body: { replayed: 0 } })
    service().clock.advance({ seconds: 1 })
    expect(await owner.post(`/v1/admin/webhooks/${id}/replay`, { from, status: 'delivered' })).toMatchObject({ body: { replayed: 1 } })
    await service().deliverDueWebhooks()
    expect(hook.requests).toHaveLength(2)
  })

  it.each([
    ['that has no end', undefined],
    ['that ends tomorrow', { days: 1 }],
  ])('of a time range with more than 10,000 %s says where to continue, oldest first', async (_, end) => {
    const { owner, id: organisationId } = await service().given.organisation()
    const hook = receiver.hook()
    const held: (() => void)[] = []
    hook.answer = () => new Promise((resolve) => held.push(() => resolve({ status: 200 })))
    const { id } = await createEndpoint(owner, { url: hook.url, events: ['role.created'] })
    const system = service().database.system()
    const from = new Date(system.now.getTime() - 60_000)
    const to = end && new Date(system.now.getTime() + end.days * 86_400_000).toISOString()
    // The youngest is stored first.
    await sql`
      insert into webhook_deliveries (organisation_id, id, endpoint_id, event_id, event, variant, body, status, created_at)
      select ${organisationId}, 'dlv_' || lpad(number::text, 26, '0'), ${id}, 'evt_' || number, 'role.created', 'B', '{}', 'failed', ${from}
      from generate_series(10001, 1, -1) number`.execute(system)
    // Also where no index gives them in order.
    const withoutIndex = service().database.transaction(organisationId, async (tenant) => {
      for (const scan of ['indexscan', 'bitmapscan']) await sql`set local ${sql.id(`enable_${scan}`)} = off`.execute(tenant)
      const repeated = await repeatDeliveries(tenant, id, { from, to: tenant.now, status: 'failed' }, 3, '')
      throw Object.assign(new Error('nothing of it is stored'), repeated)
    })
    await expect(withoutIndex).rejects.toMatchObject({ count: 3, last: `dlv_${'3'.padStart(26, '0')}` })
    const replay = async (cursor?: string) =>
      (await owner.post(`/v1/admin/webhooks/${id}/replay`, { from: from.toISOString(), ...(to && { to }), ...(cursor && { cursor }) })).body

    const first = await replay()
    expect(first).toMatchObject({ replayed: 10_000, nextCursor: expect.any(String) })
    // Its receiver refuses all of these before the rest is asked for: they are no part of the range, which ended when the first request came.
    await sql`update webhook_deliveries set status = 'failed', next_attempt_at = null where endpoint_id = ${id}`.execute(system)
    service().clock.advance({ seconds: 1 })
    expect(await replay(first.nextCursor)).toMatchObject({ replayed: 1, nextCursor: null })
    const { rows } = await sql`
      select count(*)::integer as count, count(distinct event_id)::integer as events, (array_agg(event_id order by id desc))[1] as last
      from webhook_deliveries where endpoint_id = ${id} and created_at > ${from}`.execute(system)
    expect(rows).toEqual([{ count: 10_001, events: 10_001, last: 'evt_10001' }])

    // Its receiver has responded to none of the first.
    expect(await owner.delete(`/v1/admin/webhooks/${id}`)).toMatchObject({ status: 204 })
    hook.answer = () => ({ status: 200 })
    for (const answer of held) answer()
    await service().deliverDueWebhooks()
  })

  it('is refused for an inactive endpoint, an unknown delivery and an empty range', async () => {
    const { owner } = await service().given.organisation()
    const hook = receiver.hook()
    const { id } = await createEndpoint(owner, { url: hook.url, events: ['role.created'] })
    await cause(owner, 'auditor')
    const [former] = await deliveriesOf(owner, id)
    const path = `/v1/admin/webhooks/${id}`

    expect(await owner.post(`${path}/deliveries/dlv_unknown/replay`)).toMatchObject({ status: 404, body: { detail: 'Delivery not found' } })
    expect(await owner.post(`${path}/replay`, { from: '2026-01-02T00:00:00Z', to: '2026-01-01T00:00:00Z' })).toMatchObject({
      status: 400,
      body: { errors: [{ path: ['to'] }] },
    })
    expect(await owner.post(`${path}/replay`, { status: 'pending' })).toMatchObject({
      status: 400,
      body: { errors: [{ path: ['from'] }, { path: ['status'] }] },
    })
    await owner.patch(path, { isActive: false })
    expect(await owner.post(`${path}/deliveries/${former.id}/replay`)).toMatchObject({
      status: 409,
      body: { detail: 'Webhook is inactive' },
    })
    expect(await deliveriesOf(owner, id)).toHaveLength(1)
  })
})

describe('a delivery', () => {
  it('is removed with its attempts after 30 days', async () => {
    const { owner, id: organisationId } = await service().given.organisation()
    const { id } = await createEndpoint(owner, { url: receiver.hook().url, events: ['role.created'] })
    await cause(owner, 'auditor')
    service().clock.advance({ days: 29 })
    const again = await service().given.signIn(owner.email)
    await removeOldDeliveries.run(service().database)
    expect(await deliveriesOf(again, id)).toHaveLength(1)

    service().clock.advance({ days: 1, seconds: 1 })
    await removeOldDeliveries.run(service().database)

    const later = await service().given.signIn(owner.email)
    expect(await deliveriesOf(later, id)).toEqual([])
    expect(await service().database.tenant(organisationId).selectFrom('webhookAttempts').selectAll().execute()).toEqual([])
  })
})
