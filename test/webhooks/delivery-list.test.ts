import { describe, expect, it } from 'vitest'
import type { HttpClient } from '../support/http-client.ts'
import { useReceiver } from '../support/receiver.ts'
import { useService } from '../support/service.ts'
import { createEndpoint } from '../support/webhooks.ts'

const receiver = await useReceiver()
const service = useService({ environment: { WEBHOOK_ALLOW_PRIVATE_ADDRESSES: 'true' }, webhooks: receiver.reachable })
const list = '/v1/admin/deliveries'

/** Two endpoints of an organisation: one takes everything, the other refuses it for good. */
async function givenEndpoints() {
  const { owner } = await service().given.organisation()
  const [taking, refusing] = [receiver.hook(), receiver.hook()]
  refusing.answer = () => ({ status: 400 })
  const taker = await createEndpoint(owner, { url: taking.url, events: ['role.created', 'role.deleted'] })
  const refuser = await createEndpoint(owner, { url: refusing.url, events: ['role.created'], variant: 'A' })
  return { owner, taker: taker.id, refuser: refuser.id }
}

const createRole = async (admin: HttpClient, slug: string): Promise<string> =>
  (await admin.post('/v1/admin/roles', { name: 'Role', slug })).body.id

const found = async (admin: HttpClient, filters: Record<string, string> = {}) =>
  (await admin.get(`${list}?${new URLSearchParams(filters)}`)).body.data.map(
    ({ webhookId, event, status }: Record<string, string>) => `${webhookId} ${event} ${status}`,
  )

describe('GET /v1/admin/deliveries', () => {
  it('shows deliveries to all webhooks as the list of each does, newest first', async () => {
    const { owner, taker, refuser } = await givenEndpoints()
    const roleId = await createRole(owner, 'auditor')
    service().clock.advance({ seconds: 1 })
    await owner.delete(`/v1/admin/roles/${roleId}`)
    await service().deliverDueWebhooks()

    const { status, body } = await owner.get(list)

    expect(status).toBe(200)
    expect(body.data).toHaveLength(3)
    expect(body.data[0]).toMatchObject({ webhookId: taker, event: 'role.deleted', status: 'delivered', lastError: null })
    expect(body.nextCursor).toBeNull()
    for (const id of [taker, refuser]) {
      const { body: own } = await owner.get(`/v1/admin/webhooks/${id}/deliveries`)
      expect(body.data.filter(({ webhookId }: { webhookId: string }) => webhookId === id)).toEqual(own.data)
    }
  })

  it('is narrowed by webhook, status, event and time, also all at once', async () => {
    const { owner, taker, refuser } = await givenEndpoints()
    const roleId = await createRole(owner, 'auditor')
    await service().deliverDueWebhooks()
    service().clock.advance({ minutes: 1 })
    const between = service().clock.now().toISOString()
    await owner.delete(`/v1/admin/roles/${roleId}`)
    const unavailable = receiver.hook()
    unavailable.answer = () => ({ status: 503 })
    const later = await createEndpoint(owner, { url: unavailable.url, events: ['user.created'] })
    service().clock.advance({ seconds: 1 })
    await owner.post('/v1/admin/webhooks/test', { webhookId: later.id, event: 'user.created' })
    await service().deliverDueWebhooks()
    const [created, refused, deleted, retried] = [
      `${taker} role.created delivered`,
      `${refuser} role.created failed`,
      `${taker} role.deleted delivered`,
      `${later.id} user.created pending`,
    ]

    expect(await found(owner, { webhookId: taker })).toEqual([deleted, created])
    expect(await found(owner, { status: 'failed' })).toEqual([refused])
    expect(await found(owner, { status: 'pending' })).toEqual([retried])
    expect(await found(owner, { status: 'failing' })).toEqual([retried])
    expect(await found(owner, { event: 'role.deleted' })).toEqual([deleted])
    expect(await found(owner, { from: between })).toEqual([retried, deleted])
    expect((await found(owner, { to: between })).sort()).toEqual([created, refused].sort())
    expect(await found(owner, { webhookId: taker, status: 'delivered', event: 'role.created', to: between })).toEqual([created])
    expect(await found(owner, { webhookId: 'wh_unknown' })).toEqual([])
    expect(await owner.get(`${list}?status=lost`)).toMatchObject({ status: 400 })
    const ofOne = await owner.get(`/v1/admin/webhooks/${taker}/deliveries?from=${between}`)
    expect(ofOne.body.data).toMatchObject([{ event: 'role.deleted' }])
  })

  it('comes in pages that repeat and leave out nothing', async () => {
    const { owner } = await givenEndpoints()
    for (const slug of ['one', 'two', 'three']) await createRole(owner, slug)
    await service().deliverDueWebhooks()
    const whole = (await owner.get(list)).body.data
    const paged: unknown[] = []
    let cursor: string | null = ''
    while (cursor !== null) {
      const { body } = (await owner.get(`${list}?limit=4${cursor && `&cursor=${cursor}`}`)) as {
        body: { data: unknown[]; nextCursor: string | null }
      }
      paged.push(...body.data)
      cursor = body.nextCursor
    }
    expect(paged).toHaveLength(6)
    expect(paged).toEqual(whole)
    expect(await owner.get(`${list}?cursor=%`)).toMatchObject({ status: 400 })
  })

  it('shows nothing of another organisation, and requires webhooks:read', async () => {
    const { owner, taker } = await givenEndpoints()
    await createRole(owner, 'auditor')
    const stranger = await service().given.organisation()
    expect((await stranger.owner.get(list)).body).toEqual({ data: [], nextCursor: null })
    expect((await stranger.owner.get(`${list}?webhookId=${taker}`)).body.data).toEqual([])
    const clerk = await service().given.userWith(owner, ['users:read'])
    expect(await clerk.get(list)).toMatchObject({ status: 403, body: { detail: 'Missing required permission: webhooks:read' } })
  })
})

describe('a test event', () => {
  it('responds with the id of its delivery', async () => {
    const { owner, taker } = await givenEndpoints()
    const plain = await owner.post(`/v1/admin/webhooks/${taker}/test`)
    service().clock.advance({ seconds: 1 })
    const named = await owner.post('/v1/admin/webhooks/test', { webhookId: taker, event: 'user.created' })

    expect(plain).toMatchObject({ status: 200, body: { message: 'Test event queued', deliveryId: expect.stringMatching(/^dlv_/) } })
    const deliveries = (await owner.get(`/v1/admin/webhooks/${taker}/deliveries`)).body.data
    expect(deliveries).toMatchObject([
      { id: named.body.deliveryId, event: 'user.created' },
      { id: plain.body.deliveryId, event: 'webhook.test' },
    ])
  })
})
