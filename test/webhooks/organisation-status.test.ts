import { describe, expect, it } from 'vitest'
import type { HttpClient } from '../support/http-client.ts'
import { useReceiver } from '../support/receiver.ts'
import { useService } from '../support/service.ts'
import { createEndpoint, deliveryOf } from '../support/webhooks.ts'

const receiver = await useReceiver()
const service = useService({ environment: { WEBHOOK_ALLOW_PRIVATE_ADDRESSES: 'true' }, webhooks: receiver.reachable })

const createRole = (admin: HttpClient, slug: string) => admin.post('/v1/admin/roles', { name: slug, slug })

/** An organisation with a pending delivery that its endpoint has refused once. */
async function withRefusedDelivery(events: string[]) {
  const { id, owner } = await service().given.organisation()
  const hook = receiver.hook()
  hook.answer = () => ({ status: 500 })
  const endpoint = await createEndpoint(owner, { url: hook.url, events })
  await createRole(owner, 'auditor')
  await service().deliverDueWebhooks()
  expect(hook.requests).toHaveLength(1)
  hook.answer = () => ({ status: 200 })
  return { id, owner, hook, endpoint, path: `/v1/system/organisations/${id}` }
}

describe('a suspended organisation', () => {
  it('gets its pending deliveries, the events of the suspension and those after its activation', async () => {
    const { owner, hook, endpoint, path } = await withRefusedDelivery(['role.created', 'login.failed'])
    expect(await service().operator.patch(`${path}/suspend`, { reason: 'Payment' })).toMatchObject({ status: 200 })
    await service().anonymous.post('/v1/auth/login', { email: owner.email, password: 'wrong' })
    service().clock.advance({ seconds: 61 })
    await service().deliverDueWebhooks()
    const namesOf = () => hook.requests.map(({ headers }) => headers['x-svc-event'])
    expect(namesOf().sort()).toEqual(['login.failed', 'role.created', 'role.created'])

    expect(await service().operator.patch(`${path}/activate`)).toMatchObject({ status: 200 })
    const again = await service().given.signIn(owner.email)
    await createRole(again, 'reviewer')
    await service().deliverDueWebhooks()

    expect(namesOf()).toHaveLength(4)
    expect(await deliveryOf(again, endpoint.id)).toMatchObject({ event: 'role.created', status: 'delivered', attemptCount: 1 })
    expect((await again.get(`/v1/admin/webhooks/${endpoint.id}`)).body).toMatchObject({ isActive: true, failureCount: 0 })
  })
})

describe('a cancelled organisation', () => {
  it('gets no more deliveries, neither pending ones nor one about its cancellation', async () => {
    const { id, hook, path } = await withRefusedDelivery(['*'])
    expect(await service().operator.delete(path)).toMatchObject({ status: 204 })
    await service().anonymous.post('/v1/auth/login', { email: `owner@${id}.test`, password: 'wrong' })
    service().clock.advance({ seconds: 61 })
    await service().deliverDueWebhooks()
    service().clock.advance({ days: 1 })
    await service().deliverDueWebhooks()

    expect(hook.requests).toHaveLength(1)
    const deliveries = await service()
      .database.tenant(id)
      .selectFrom('webhookDeliveries')
      .select(['status', 'attemptCount', 'nextAttemptAt', 'claimedUntil'])
      .where('attemptCount', '>', 0)
      .execute()
    // Held, so that it is not claimed again and again until it is purged.
    expect(deliveries).toEqual([{ status: 'pending', attemptCount: 1, nextAttemptAt: null, claimedUntil: null }])
  })

  it('gets its pending deliveries once it is restored', async () => {
    const { owner, hook, endpoint, path } = await withRefusedDelivery(['role.created'])
    expect(await service().operator.delete(path)).toMatchObject({ status: 204 })
    service().clock.advance({ seconds: 61 })
    await service().deliverDueWebhooks()
    expect(hook.requests).toHaveLength(1)

    expect(await service().operator.post(`${path}/restore`)).toMatchObject({ status: 200 })
    await service().deliverDueWebhooks()
    expect(hook.requests).toHaveLength(2)
    const again = await service().given.signIn(owner.email)
    expect(await deliveryOf(again, endpoint.id)).toMatchObject({ event: 'role.created', status: 'delivered', attemptCount: 2 })
  })
})
