import { describe, expect, it, vi } from 'vitest'
import type { HttpClient } from '../support/http-client.ts'
import { useReceiver } from '../support/receiver.ts'
import { useService } from '../support/service.ts'
import { createEndpoint, deliveryOf } from '../support/webhooks.ts'

const receiver = await useReceiver()
const service = useService({ environment: { WEBHOOK_ALLOW_PRIVATE_ADDRESSES: 'true' }, webhooks: receiver.reachable })

const cause = async (admin: HttpClient, times = 1) => {
  for (let n = 0; n < times; n++) await admin.post('/v1/admin/roles', { name: 'Role', slug: `r-${Math.random().toString(36).slice(2)}` })
  await service().deliverDueWebhooks()
}
const endpointOf = async (admin: HttpClient, id: string) => (await admin.get(`/v1/admin/webhooks/${id}`)).body

describe('an endpoint', () => {
  it('is deactivated after ten failed deliveries in a row, and the organisation gets a mail', async () => {
    const { owner, slug } = await service().given.organisation()
    const hook = receiver.hook()
    hook.answer = () => ({ status: 400 })
    const { id } = await createEndpoint(owner, { url: hook.url, events: ['role.created'], variant: 'A' })

    await cause(owner, 9)
    expect(await endpointOf(owner, id)).toMatchObject({ isActive: true, failureCount: 9 })
    await cause(owner)
    expect(await endpointOf(owner, id)).toMatchObject({ isActive: false, failureCount: 10 })

    await cause(owner)
    expect(hook.requests).toHaveLength(10)
    const { body } = await owner.get('/v1/admin/audit-logs?action=webhook.deactivated')
    expect(body.data).toMatchObject([
      { targetId: id, actorType: 'system', changes: { isActive: { from: true, to: false } }, metadata: { failureCount: 10 } },
    ])
    const mail = await service().mailbox.mailTo(`it@${slug}.test`, 'switched off')
    expect(mail.text).toContain(id)
  })

  it('that cannot be deactivated holds up the deliveries of no other one', async () => {
    const { owner } = await service().given.organisation()
    const hook = receiver.hook()
    hook.answer = () => ({ status: 400 })
    const { id } = await createEndpoint(owner, { url: hook.url, events: ['role.created'], variant: 'A' })
    const asOwner = (text: string) => service().engine.ownerTransaction((one) => one.execute({ sql: text, parameters: [] }))
    await asOwner(`alter table webhook_endpoints add constraint webhook_endpoints_stays check (id <> '${id}' or is_active)`)

    await cause(owner, 10)
    const logged = () => service().logLines.filter((line) => line.includes(id) || line.includes('could not be recorded'))
    await vi.waitFor(() => expect(logged().join()).toContain('a failing webhook endpoint could not be deactivated'))
    expect(logged().join()).not.toContain('could not be recorded')
    expect(await endpointOf(owner, id)).toMatchObject({ isActive: true, failureCount: 10 })

    await asOwner('alter table webhook_endpoints drop constraint webhook_endpoints_stays')
    await cause(owner)
    expect(await endpointOf(owner, id)).toMatchObject({ isActive: false, failureCount: 11 })
  })

  it('is deactivated with a mail in English, because no user’s request causes it', async () => {
    const { owner, slug } = await service().given.organisation()
    const hook = receiver.hook()
    hook.answer = () => ({ status: 400 })
    const asking = owner.with({ 'accept-language': 'de' })
    await createEndpoint(asking, { url: hook.url, events: ['role.created'], variant: 'A' })

    await cause(asking, 10)

    const mail = await service().mailbox.mailTo(`it@${slug}.test`, 'switched off')
    expect(mail).toMatchObject({ language: 'en', text: expect.stringContaining('has failed 10 deliveries in a row') })
  })

  it('is deactivated in variant B too, where a delivery fails after six attempts', async () => {
    const organisation = await service().given.organisation()
    const hook = receiver.hook()
    hook.answer = () => ({ status: 500 })
    const { id } = await createEndpoint(organisation.owner, { url: hook.url, events: ['role.created'], variant: 'B' })
    await cause(organisation.owner, 10)
    for (const minutes of [1, 5, 15, 60, 360]) {
      service().clock.advance({ minutes, seconds: 30 })
      await service().deliverDueWebhooks()
    }

    expect(hook.requests).toHaveLength(60)
    const again = await service().given.signIn(organisation.owner.email)
    expect(await endpointOf(again, id)).toMatchObject({ isActive: false, failureCount: 10 })
  })

  it('resets its failure count after a success', async () => {
    const { owner } = await service().given.organisation()
    const hook = receiver.hook()
    hook.answer = () => ({ status: 400 })
    const { id } = await createEndpoint(owner, { url: hook.url, events: ['role.created'], variant: 'A' })
    await cause(owner, 9)
    hook.answer = () => ({ status: 200 })
    await cause(owner)

    expect(await endpointOf(owner, id)).toMatchObject({ isActive: true, failureCount: 0 })
  })

  it('resets its failure count when it is activated, and gets its held deliveries', async () => {
    const { owner } = await service().given.organisation()
    const hook = receiver.hook()
    hook.answer = () => ({ status: 500 })
    const { id } = await createEndpoint(owner, { url: hook.url, events: ['role.created'] })
    await cause(owner)
    await owner.patch(`/v1/admin/webhooks/${id}`, { isActive: false })
    service().clock.advance({ seconds: 61 })
    await service().deliverDueWebhooks()
    expect(hook.requests).toHaveLength(1)
    expect(await deliveryOf(owner, id)).toMatchObject({ status: 'pending', nextAttemptAt: null })

    hook.answer = () => ({ status: 200 })
    expect(await owner.patch(`/v1/admin/webhooks/${id}`, { isActive: true })).toMatchObject({ body: { isActive: true, failureCount: 0 } })
    await service().deliverDueWebhooks()

    expect(hook.requests).toHaveLength(2)
    expect(await deliveryOf(owner, id)).toMatchObject({ status: 'delivered', attemptCount: 2 })
  })
})

describe('a test event', () => {
  it('has the usual envelope of variant B, and is sent even to an inactive endpoint that does not subscribe to it', async () => {
    const { owner, id: organisationId } = await service().given.organisation()
    const hook = receiver.hook()
    const { id } = await createEndpoint(owner, { url: hook.url, events: ['role.created'] })
    await owner.patch(`/v1/admin/webhooks/${id}`, { isActive: false })

    expect(await owner.post(`/v1/admin/webhooks/${id}/test`)).toMatchObject({ status: 200, body: { message: expect.any(String) } })
    const { body, headers } = await hook.request()

    expect(headers['x-svc-event']).toBe('webhook.test')
    expect(JSON.parse(body)).toEqual({
      id: expect.stringMatching(/^evt_/),
      type: 'webhook.test',
      createdAt: expect.any(String),
      organisationId,
      data: { message: expect.any(String), webhookId: id },
    })
    await service().deliverDueWebhooks()
    expect(await endpointOf(owner, id)).toMatchObject({ isActive: false })
  })

  it('of a chosen name carries the example data of the catalogue', async () => {
    const { owner, id: organisationId } = await service().given.organisation()
    const hook = receiver.hook()
    const { id } = await createEndpoint(owner, { url: hook.url, events: ['role.created'], variant: 'A' })
    const catalogue = (await owner.get('/v1/admin/events')).body.data

    expect(await owner.post('/v1/admin/webhooks/test', { webhookId: id, event: 'user.login' })).toMatchObject({ status: 200 })
    const { body } = await hook.request()
    expect(JSON.parse(body)).toEqual({
      event: 'user.login',
      timestamp: expect.any(String),
      organisationId,
      data: catalogue.find(({ name }: { name: string }) => name === 'user.login').data,
    })

    await owner.post('/v1/admin/webhooks/test', { webhookId: id })
    expect(JSON.parse((await hook.request(2)).body)).toMatchObject({ event: 'webhook.test', data: { webhookId: id } })
  })

  it('requires an endpoint and a known event name', async () => {
    const { owner } = await service().given.organisation()
    const { id } = await createEndpoint(owner, { url: receiver.hook().url, events: ['*'] })

    expect(await owner.post('/v1/admin/webhooks/test', { webhookId: 'wh_unknown' })).toMatchObject({
      status: 404,
      body: { detail: 'Webhook not found' },
    })
    expect(await owner.post('/v1/admin/webhooks/test', {})).toMatchObject({ status: 400, body: { errors: [{ path: ['webhookId'] }] } })
    expect(await owner.post('/v1/admin/webhooks/test', { webhookId: id, event: 'user.exploded' })).toMatchObject({
      status: 400,
      body: { errors: [{ path: ['event'], code: 'invalid_enum_value' }] },
    })
  })
})
