import { createHmac } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import type { HttpClient } from '../support/http-client.ts'
import { type Hook, useReceiver } from '../support/receiver.ts'
import { useService } from '../support/service.ts'
import { createEndpoint, deliveryOf } from '../support/webhooks.ts'

const receiver = await useReceiver()
const service = useService({ environment: { WEBHOOK_ALLOW_PRIVATE_ADDRESSES: 'true' }, webhooks: receiver.reachable })

const cause = (admin: HttpClient, slug = 'auditor') => admin.post('/v1/admin/roles', { name: slug, slug })
const afterTheFirstWait = async () => {
  service().clock.advance({ seconds: 61 })
  await service().deliverDueWebhooks()
}

/** An organisation with an endpoint that refuses. */
async function withEndpoint() {
  const { owner } = await service().given.organisation()
  const hook = receiver.hook()
  hook.answer = () => ({ status: 500 })
  return { owner, hook, ...(await createEndpoint(owner, { url: hook.url, events: ['role.created'] })) }
}

/** Makes the receiver answer only when it is told to. */
function holdAnswers(hook: Hook): (status: number) => void {
  let answer: (status: number) => void = () => {}
  hook.answer = () => new Promise((resolve) => (answer = (status) => resolve({ status })))
  return (status) => answer(status)
}

describe('while an attempt is in flight', () => {
  it('its endpoint may be deleted', async () => {
    const { owner, hook, id } = await withEndpoint()
    const answer = holdAnswers(hook)
    await cause(owner)
    await hook.request()
    expect(await owner.delete(`/v1/admin/webhooks/${id}`)).toMatchObject({ status: 204 })
    answer(500)
    await service().deliverDueWebhooks()
    await afterTheFirstWait()

    expect(hook.requests).toHaveLength(1)
    const errors = service().logLines.filter((line) => JSON.parse(line).level >= 50)
    expect(errors).toEqual([])
  })

  it('its endpoint may be deactivated, which holds the next attempt until it is activated', async () => {
    const { owner, hook, id } = await withEndpoint()
    const answer = holdAnswers(hook)
    await cause(owner)
    await hook.request()
    expect(await owner.patch(`/v1/admin/webhooks/${id}`, { isActive: false })).toMatchObject({ status: 200 })
    answer(500)
    await service().deliverDueWebhooks()
    await afterTheFirstWait()
    expect(hook.requests).toHaveLength(1)
    expect(await deliveryOf(owner, id)).toMatchObject({ status: 'pending', attemptCount: 1, nextAttemptAt: null })

    hook.answer = () => ({ status: 200 })
    await owner.patch(`/v1/admin/webhooks/${id}`, { isActive: true })
    await service().deliverDueWebhooks()
    expect(hook.requests).toHaveLength(2)
  })
})

describe('while a delivery waits for its next attempt', () => {
  it('a rotated secret signs the attempts that follow', async () => {
    const { owner, hook, id } = await withEndpoint()
    await cause(owner)
    await service().deliverDueWebhooks()
    const { secret } = (await owner.post(`/v1/admin/webhooks/${id}/rotate-secret`)).body
    await afterTheFirstWait()

    const { headers, body } = await hook.request(2)
    expect(headers['x-svc-signature']).toBe(createHmac('sha256', secret).update(body).digest('hex'))
    expect(headers).not.toHaveProperty('x-svc-signature-previous')
  })

  it('a change of variant applies to later events', async () => {
    const { owner, hook, id } = await withEndpoint()
    await cause(owner)
    await service().deliverDueWebhooks()
    hook.answer = () => ({ status: 200 })
    expect(await owner.patch(`/v1/admin/webhooks/${id}`, { variant: 'A' })).toMatchObject({ status: 200, body: { variant: 'A' } })
    await cause(owner, 'reviewer')
    await service().deliverDueWebhooks()
    await afterTheFirstWait()

    const [first, later, again] = hook.requests
    expect(later?.headers).toMatchObject({ 'x-webhook-event': 'role.created', 'user-agent': 'Svc-IAM-Webhook/1.0' })
    expect(again?.body).toBe(first?.body)
    expect(again?.headers).toMatchObject({ 'x-svc-delivery': first?.headers['x-svc-delivery'], 'user-agent': 'Svc-Webhooks/1.0' })
  })

  it('a replay is a separate delivery, and the first one continues', async () => {
    const { owner, hook, id } = await withEndpoint()
    await cause(owner)
    await service().deliverDueWebhooks()
    const waiting = await deliveryOf(owner, id)
    hook.answer = () => ({ status: 200 })
    const { body } = await owner.post(`/v1/admin/webhooks/${id}/deliveries/${waiting.id}/replay`)
    await service().deliverDueWebhooks()
    await afterTheFirstWait()

    expect(hook.requests.map(({ headers }) => headers['x-svc-delivery'])).toEqual([waiting.id, body.deliveryId, waiting.id])
    expect(new Set(hook.requests.map((request) => request.body)).size).toBe(1)
  })
})
