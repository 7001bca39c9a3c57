import { describe, expect, it } from 'vitest'
import type { HttpClient } from '../support/http-client.ts'
import { useReceiver } from '../support/receiver.ts'
import { useService } from '../support/service.ts'
import { createEndpoint, deliveryOf } from '../support/webhooks.ts'

const receiver = await useReceiver()
const environment = { WEBHOOK_ALLOW_PRIVATE_ADDRESSES: 'true' }
const service = useService({ environment, webhooks: receiver.reachable })
/** One that waits so briefly that a test can wait for it to give up. */
const impatient = useService({ environment, webhooks: { ca: receiver.ca, timeoutMilliseconds: { A: 300, B: 300 } } })

interface Attempt {
  at: string
  durationMs: number
}

const cause = (admin: HttpClient) => admin.post('/v1/admin/roles', { name: 'Auditor', slug: `r-${Math.random().toString(36).slice(2)}` })
const wait = ({ nextAttemptAt, attempts }: { nextAttemptAt: string; attempts: Attempt[] }) => {
  const last = attempts.at(-1) as Attempt
  return (Date.parse(nextAttemptAt) - Date.parse(last.at) - last.durationMs) / 1_000
}

describe('a delivery that fails', () => {
  it.each([
    ['A', [2, 4]],
    ['B', [60, 300, 900, 3_600, 21_600]],
  ] as const)('is tried again by the schedule of variant %s, with the same bytes, and then fails for good', async (variant, waits) => {
    const { owner, id: organisationId } = await service().given.organisation()
    const hook = receiver.hook()
    hook.answer = () => ({ status: 503 })
    const { id } = await createEndpoint(owner, { url: hook.url, events: ['role.created'], variant })
    await cause(owner)
    await service().deliverDueWebhooks()
    const tenant = () => service().database.tenant(organisationId)
    const stored = () => tenant().selectFrom('webhookDeliveries').selectAll().executeTakeFirstOrThrow()
    const attempts = () => tenant().selectFrom('webhookAttempts').selectAll().orderBy('number').execute()

    for (const [index, seconds] of waits.entries()) {
      const { nextAttemptAt, status } = await stored()
      const last = (await attempts()).at(-1)
      expect(status).toBe('pending')
      expect(((nextAttemptAt?.getTime() ?? 0) - (last?.at.getTime() ?? 0) - (last?.durationMilliseconds ?? 0)) / 1_000).toBe(seconds)

      // Short of a second before it is due nothing leaves; the waits of variant A are too short to look into them.
      if (seconds > 10) {
        service().clock.advance({ seconds: seconds - 10 })
        await service().deliverDueWebhooks()
        expect(hook.requests).toHaveLength(index + 1)
        service().clock.advance({ seconds: 10 })
      } else service().clock.advance({ seconds })
      await service().deliverDueWebhooks()
      expect(hook.requests).toHaveLength(index + 2)
    }

    expect(await stored()).toMatchObject({ status: 'failed', nextAttemptAt: null, attemptCount: waits.length + 1, lastStatusCode: 503 })
    service().clock.advance({ days: 2 })
    await service().deliverDueWebhooks()
    expect(hook.requests).toHaveLength(waits.length + 1)
    expect(new Set(hook.requests.map(({ body }) => body)).size).toBe(1)
    expect(new Set(hook.requests.map(({ headers }) => headers['x-svc-delivery'])).size).toBe(1)
    expect(await attempts()).toHaveLength(waits.length + 1)
    const again = await service().given.signIn(owner.email)
    expect((await again.get(`/v1/admin/webhooks/${id}`)).body).toMatchObject({ failureCount: 1, isActive: true })
  })

  it('waits as long as a 503 asks', async () => {
    const { owner } = await service().given.organisation()
    const hook = receiver.hook()
    hook.answer = () => ({ status: 503, headers: { 'retry-after': '600' } })
    const { id } = await createEndpoint(owner, { url: hook.url, events: ['role.created'] })

    await cause(owner)
    await service().deliverDueWebhooks()

    expect(wait(await deliveryOf(owner, id))).toBe(600)
  })

  it.each(['A', 'B'] as const)('with no response in time has no status (variant %s)', async (variant) => {
    const { owner } = await impatient().given.organisation()
    const hook = receiver.hook()
    hook.answer = () => new Promise(() => {})
    const { id } = await createEndpoint(owner, { url: hook.url, events: ['role.created'], variant })

    await cause(owner)
    await impatient().deliverDueWebhooks()

    const delivery = await deliveryOf(owner, id)
    expect(delivery).toMatchObject({ status: 'pending', lastStatusCode: null })
    expect(delivery.attempts[0]).toMatchObject({ status: null, error: 'No response within 300 ms', response: null })
  })

  it('with a refused connection has no status', async () => {
    const { owner } = await service().given.organisation()
    const { id } = await createEndpoint(owner, { url: 'https://localhost:1/', events: ['role.created'] })

    await cause(owner)
    await service().deliverDueWebhooks()

    const delivery = await deliveryOf(owner, id)
    expect(delivery).toMatchObject({
      status: 'pending',
      lastStatusCode: null,
      attempts: [{ status: null, error: expect.stringContaining('ECONNREFUSED') }],
    })
  })

  it('is sent to the new address with the new secret once they have changed', async () => {
    const { owner } = await service().given.organisation()
    const [former, current] = [receiver.hook(), receiver.hook()]
    former.answer = () => ({ status: 500 })
    const { id } = await createEndpoint(owner, { url: former.url, events: ['role.created'] })
    await cause(owner)
    await service().deliverDueWebhooks()

    await owner.patch(`/v1/admin/webhooks/${id}`, { url: current.url })
    service().clock.advance({ seconds: 61 })
    await service().deliverDueWebhooks()

    expect(current.requests.map(({ body }) => body)).toEqual(former.requests.map(({ body }) => body))
    expect(former.requests).toHaveLength(1)
  })
})

describe('an endpoint that does not respond', () => {
  it('gets each attempt that is due, however often it has refused the connection', async () => {
    const { owner, id: organisationId } = await service().given.organisation()
    await createEndpoint(owner, { url: 'https://localhost:1/', events: ['role.created'] })
    for (let n = 0; n < 15; n++) await cause(owner)
    await service().deliverDueWebhooks()
    service().clock.advance({ seconds: 61 })
    await service().deliverDueWebhooks()

    const tenant = service().database.tenant(organisationId)
    const deliveries = await tenant.selectFrom('webhookDeliveries').select(['status', 'attemptCount']).execute()
    expect(deliveries).toEqual(Array.from({ length: 15 }, () => ({ status: 'pending', attemptCount: 2 })))
  })

  it('does not delay the others, however long its queue is', async () => {
    const { owner } = await service().given.organisation()
    const [silent, lively] = [receiver.hook(), receiver.hook()]
    const hanging: (() => void)[] = []
    silent.answer = () => new Promise((resolve) => hanging.push(() => resolve({ status: 200 })))
    await createEndpoint(owner, { url: silent.url, events: ['role.created'] })
    for (let n = 0; n < 30; n++) await cause(owner)
    await silent.request(10)

    await createEndpoint(owner, { url: lively.url, events: ['role.created'] })
    await cause(owner)
    await lively.request()

    // Ten slots are in use, and the receiver has not responded: the others are queued.
    expect(silent.requests).toHaveLength(10)
    silent.answer = () => ({ status: 200 })
    for (const answer of hanging) answer()
    await silent.request(31)
  })
})
