import { createHmac } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import type { HttpClient } from '../support/http-client.ts'
import { useReceiver } from '../support/receiver.ts'
import { useService } from '../support/service.ts'
import { createEndpoint, deliveryOf } from '../support/webhooks.ts'

const receiver = await useReceiver()
const service = useService({ environment: { WEBHOOK_ALLOW_PRIVATE_ADDRESSES: 'true' }, webhooks: receiver.reachable })

/** A service that does not trust the receiver's authority. */
const strict = useService({ environment: { WEBHOOK_ALLOW_PRIVATE_ADDRESSES: 'true' }, webhooks: {} })

const hmac = (body: string, secret: string) => createHmac('sha256', secret).update(body).digest('hex')
const createRole = (admin: HttpClient, slug: string) => admin.post('/v1/admin/roles', { name: `Röle ${slug} 🎉`, slug })

/** A role as an event shows it: how many users have it is a matter of the list. */
function inEvent({ userCount, ...role }: Record<string, unknown>) {
  expect(userCount).toBe(0)
  return role
}

describe('an event', () => {
  it('reaches a variant B endpoint with its envelope, headers and a signature over the raw bytes', async () => {
    const { owner, id: organisationId } = await service().given.organisation()
    const hook = receiver.hook()
    const { secret } = await createEndpoint(owner, { url: hook.url, events: ['role.created'] })

    const { body: role } = await createRole(owner, 'auditor')
    const { headers, body } = await hook.request()

    expect(JSON.parse(body)).toEqual({
      id: expect.stringMatching(/^evt_[0-9a-z]{26}$/),
      type: 'role.created',
      createdAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
      organisationId,
      data: { role: inEvent(role), actor: { id: owner.id, type: 'user', email: owner.email } },
    })
    expect(headers).toMatchObject({
      'content-type': 'application/json',
      'user-agent': 'Svc-Webhooks/1.0',
      'x-svc-event': 'role.created',
      'x-svc-delivery': expect.stringMatching(/^dlv_[0-9a-z]{26}$/),
      'x-svc-signature': hmac(body, secret),
    })
    expect(headers).not.toHaveProperty('x-svc-signature-previous')
    expect(headers).not.toHaveProperty('x-webhook-signature')
  })

  it('reaches a variant A endpoint with its envelope, headers and a signature over the raw bytes', async () => {
    const { owner, id: organisationId } = await service().given.organisation()
    const hook = receiver.hook()
    const { secret } = await createEndpoint(owner, { url: hook.url, events: ['role.created'], variant: 'A' })

    const { body: role } = await createRole(owner, 'auditor')
    const { headers, body } = await hook.request()

    expect(JSON.parse(body)).toEqual({
      event: 'role.created',
      timestamp: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
      organisationId,
      data: { role: inEvent(role), actor: { id: owner.id, type: 'user', email: owner.email } },
    })
    expect(headers).toMatchObject({
      'content-type': 'application/json',
      'user-agent': 'Svc-IAM-Webhook/1.0',
      'x-webhook-event': 'role.created',
      'x-webhook-signature': hmac(body, secret),
    })
    expect(headers).not.toHaveProperty('x-svc-delivery')
  })

  it('is sent only to active endpoints that subscribe to it, once for each name', async () => {
    const { owner } = await service().given.organisation()
    const stranger = await service().given.organisation()
    const [all, logins, others, inactive, foreign] = [1, 2, 3, 4, 5].map(() => receiver.hook()) as [Hook, Hook, Hook, Hook, Hook]
    await createEndpoint(owner, { url: all.url, events: ['*'] })
    await createEndpoint(owner, { url: logins.url, events: ['user.login', 'login.success'] })
    await createEndpoint(owner, { url: others.url, events: ['role.created'] })
    const { id } = await createEndpoint(owner, { url: inactive.url, events: ['*'] })
    await owner.patch(`/v1/admin/webhooks/${id}`, { isActive: false })
    await createEndpoint(stranger.owner, { url: foreign.url, events: ['*'] })

    await service().given.signIn(owner.email)
    await service().deliverDueWebhooks()

    const namesOf = (hook: Hook) => hook.requests.map(({ headers }) => headers['x-svc-event']).sort()
    expect(namesOf(all)).toEqual(['auth.login', 'login.success', 'session.created', 'user.login'])
    expect(namesOf(logins)).toEqual(['login.success', 'user.login'])
    expect([others, inactive, foreign].flatMap(namesOf)).toEqual([])
    const ids = all.requests.map(({ body }) => JSON.parse(body).id)
    expect(new Set(ids).size).toBe(4)
  })

  it('of a client is sent to the endpoints that are bound to it, and other events are not', async () => {
    const { owner } = await service().given.organisation()
    const registerClient = async (name: string) =>
      (await owner.post('/v1/admin/clients', { name, clientType: 'confidential', redirectUris: ['https://app.example.com/'] })).body
    const [client, otherClient] = [await registerClient('One'), await registerClient('Two')]
    const hook = receiver.hook()
    await createEndpoint(owner, { url: hook.url, events: ['*'], clientId: client.id })

    await owner.patch(`/v1/admin/clients/${otherClient.id}`, { name: 'Other' })
    await createRole(owner, 'auditor')
    await owner.patch(`/v1/admin/clients/${client.id}`, { name: 'Mine' })
    await service().deliverDueWebhooks()

    expect(hook.requests.map(({ body }) => JSON.parse(body))).toMatchObject([
      { type: 'client.updated', data: { client: { id: client.id, name: 'Mine' } } },
    ])
  })

  it('of a refused change is never sent', async () => {
    const { owner } = await service().given.organisation()
    const hook = receiver.hook()
    const { id } = await createEndpoint(owner, { url: hook.url, events: ['*'] })

    expect(await createRole(owner, 'owner')).toMatchObject({ status: 409 })
    await service().deliverDueWebhooks()

    expect(hook.requests).toEqual([])
    expect((await owner.get(`/v1/admin/webhooks/${id}/deliveries`)).body).toEqual({ data: [], nextCursor: null })
  })
})

describe('a delivery', () => {
  it('shows its request and every attempt, and moves the endpoint’s lastTriggeredAt', async () => {
    const { owner } = await service().given.organisation()
    const hook = receiver.hook()
    hook.answer = () => ({ status: 202, body: 'é'.repeat(3_000) })
    const { id, secret } = await createEndpoint(owner, { url: hook.url, events: ['role.created'] })

    await createRole(owner, 'auditor')
    await service().deliverDueWebhooks()

    const delivery = await deliveryOf(owner, id)
    expect(delivery).toEqual({
      id: expect.stringMatching(/^dlv_/),
      webhookId: id,
      eventId: expect.stringMatching(/^evt_/),
      event: 'role.created',
      status: 'delivered',
      attemptCount: 1,
      nextAttemptAt: null,
      lastStatusCode: 202,
      lastError: null,
      createdAt: expect.any(String),
      deliveredAt: expect.any(String),
      request: { headers: expect.objectContaining({ 'X-Svc-Signature': expect.any(String) }), body: hook.requests[0]?.body },
      attempts: [{ at: expect.any(String), status: 202, durationMs: expect.any(Number), error: null, response: 'é'.repeat(1_024) }],
    })
    expect(delivery.request.headers['X-Svc-Signature']).toBe(hmac(delivery.request.body, secret))
    expect((await owner.get(`/v1/admin/webhooks/${id}`)).body.lastTriggeredAt).toBe(delivery.attempts[0].at)
  })

  it('shows its signatures only to callers who may replay it', async () => {
    const { owner } = await service().given.organisation()
    const hook = receiver.hook()
    const { id, secret: former } = await createEndpoint(owner, { url: hook.url, events: ['role.created'], standardSignature: true })
    const { secret } = (await owner.post(`/v1/admin/webhooks/${id}/rotate-secret`, { gracePeriodSeconds: 3_600 })).body
    const reader = await service().given.userWith(owner, ['webhooks:read'])
    await createRole(owner, 'auditor')
    await service().deliverDueWebhooks()

    const { id: deliveryId, request } = await deliveryOf(owner, id)
    const shown = (await reader.get(`/v1/admin/webhooks/${id}/deliveries/${deliveryId}`)).body.request
    expect(shown.body).toBe(request.body)
    expect(shown.headers).toEqual({
      ...request.headers,
      'X-Svc-Signature': `${hmac(request.body, secret).slice(0, 8)}***`,
      'X-Svc-Signature-Previous': `${hmac(request.body, former).slice(0, 8)}***`,
      'webhook-timestamp': expect.stringMatching(/^\d+$/),
      'webhook-signature': expect.stringMatching(/^v1,[^ ]{8}\*\*\* v1,[^ ]{8}\*\*\*$/),
    })
    expect(request.headers['X-Svc-Signature-Previous']).toBe(hmac(request.body, former))
  })

  it('does not follow a redirect, which counts as a failure', async () => {
    const { owner } = await service().given.organisation()
    const [hook, target] = [receiver.hook(), receiver.hook()]
    hook.answer = () => ({ status: 307, headers: { location: target.url } })
    const { id } = await createEndpoint(owner, { url: hook.url, events: ['role.created'] })

    await createRole(owner, 'auditor')
    await service().deliverDueWebhooks()

    expect(target.requests).toEqual([])
    expect(await deliveryOf(owner, id)).toMatchObject({
      status: 'pending',
      lastStatusCode: 307,
      attempts: [{ status: 307, error: 'Response status 307' }],
    })
  })

  it('is not sent to a server whose certificate cannot be verified', async () => {
    const { owner } = await service().given.organisation()
    // The certificate is for other names.
    const hook = receiver.hook('other.localhost')
    const { id } = await createEndpoint(owner, { url: hook.url, events: ['role.created'] })

    await createRole(owner, 'auditor')
    await service().deliverDueWebhooks()

    expect(hook.requests).toEqual([])
    expect(await deliveryOf(owner, id)).toMatchObject({
      attempts: [{ status: null, error: expect.stringMatching(/altnames|certificate/i) }],
    })
  })

  it('names the setting that adds the authority of an unknown certificate', async () => {
    const { owner } = await strict().given.organisation()
    const { id } = await createEndpoint(owner, { url: receiver.hook().url, events: ['role.created'] })

    await createRole(owner, 'auditor')
    await strict().deliverDueWebhooks()

    const { lastError } = await deliveryOf(owner, id)
    expect(lastError).toMatch(/^\w+: .*certificate.*: NODE_EXTRA_CA_CERTS=<file of its authority>$/)
  })

  it('is listed by status and by event, newest first', async () => {
    const { owner } = await service().given.organisation()
    const hook = receiver.hook()
    hook.answer = ({ headers }) => ({ status: headers['x-webhook-event'] === 'role.created' ? 400 : 200 })
    const { id } = await createEndpoint(owner, { url: hook.url, events: ['role.created', 'role.updated'], variant: 'A' })
    const { body: role } = await createRole(owner, 'auditor')
    await owner.patch(`/v1/admin/roles/${role.id}`, { name: 'Auditors' })
    await service().deliverDueWebhooks()

    const path = `/v1/admin/webhooks/${id}/deliveries`
    const eventsOf = async (query: string) => (await owner.get(`${path}?${query}`)).body.data.map(({ event }: { event: string }) => event)
    expect(await eventsOf('')).toEqual(['role.updated', 'role.created'])
    expect(await eventsOf('status=failed')).toEqual(['role.created'])
    expect(await eventsOf('event=role.updated')).toEqual(['role.updated'])
    const first = await owner.get(`${path}?limit=1`)
    expect(await eventsOf(`limit=1&cursor=${first.body.nextCursor}`)).toEqual(['role.created'])
    expect(await owner.get(`${path}?status=lost`)).toMatchObject({ status: 400, body: { errors: [{ path: ['status'] }] } })
    expect(await owner.get(`${path}/dlv_unknown`)).toMatchObject({ status: 404, body: { detail: 'Delivery not found' } })
  })
})

describe('a delivery that keeps failing', () => {
  it('is listed as failing, with the last error, before it has failed for good', async () => {
    const { owner } = await service().given.organisation()
    const hook = receiver.hook()
    hook.answer = () => ({ status: 503 })
    const { id } = await createEndpoint(owner, { url: hook.url, events: ['role.created'] })
    const path = `/v1/admin/webhooks/${id}`
    await createRole(owner, 'auditor')
    await service().deliverDueWebhooks()
    hook.answer = () => ({ status: 200 })
    await createRole(owner, 'editor')
    await service().deliverDueWebhooks()

    const { data: failing } = (await owner.get(`${path}/deliveries?status=failing`)).body
    expect(failing).toMatchObject([{ status: 'pending', attemptCount: 1, lastStatusCode: 503, lastError: 'Response status 503' }])
    expect((await owner.get(`${path}/deliveries?status=failed`)).body.data).toEqual([])
    expect((await owner.get(`${path}/deliveries?status=pending`)).body.data).toEqual(failing)
    expect((await owner.get(`${path}/deliveries?status=delivered`)).body.data).toMatchObject([{ lastError: null }])
    const { attempts, lastError } = (await owner.get(`${path}/deliveries/${failing[0].id}`)).body
    expect(lastError).toBe('Response status 503')

    const { lastFailureAt, lastTriggeredAt } = (await owner.get(path)).body
    expect(lastFailureAt).toBe(attempts[0].at)
    expect(lastTriggeredAt > lastFailureAt).toBe(true)
    expect((await owner.get('/v1/admin/webhooks')).body.data).toMatchObject([{ lastFailureAt }])
  })

  it('is not listed as failing before its first attempt', async () => {
    const { owner } = await service().given.organisation()
    const { id } = await createEndpoint(owner, { url: receiver.hook().url, events: ['role.created'] })
    await createRole(owner, 'auditor')
    await owner.patch(`/v1/admin/webhooks/${id}`, { isActive: false })
    await service().deliverDueWebhooks()

    expect((await owner.get(`/v1/admin/webhooks/${id}/deliveries?status=failing`)).body.data).toEqual([])
  })
})

describe('a rotated secret', () => {
  it('signs together with the previous one until the grace period ends', async () => {
    const { owner } = await service().given.organisation()
    const hooks = { A: receiver.hook(), B: receiver.hook() }
    const headers = { A: 'x-webhook-signature', B: 'x-svc-signature' }
    for (const variant of ['A', 'B'] as const) {
      const { id, secret: former } = await createEndpoint(owner, { url: hooks[variant].url, events: ['role.created'], variant })
      const { body } = await owner.post(`/v1/admin/webhooks/${id}/rotate-secret`, { gracePeriodSeconds: 3_600 })

      await createRole(owner, `during-${variant.toLowerCase()}`)
      const during = await hooks[variant].request()
      expect(during.headers[headers[variant]]).toBe(hmac(during.body, body.secret))
      expect(during.headers[`${headers[variant]}-previous`]).toBe(hmac(during.body, former))
    }

    service().clock.advance({ seconds: 3_601 })
    const again = await service().given.signIn(owner.email)
    await createRole(again, 'after')
    for (const variant of ['A', 'B'] as const) {
      const after = (await hooks[variant].request(variant === 'A' ? 3 : 2)).headers
      expect(after).not.toHaveProperty(`${headers[variant]}-previous`)
    }
  })

  it('signs alone without a grace period', async () => {
    const { owner } = await service().given.organisation()
    const hook = receiver.hook()
    const { id } = await createEndpoint(owner, { url: hook.url, events: ['role.created'] })
    const { body } = await owner.post(`/v1/admin/webhooks/${id}/rotate-secret`)

    await createRole(owner, 'auditor')
    const { headers, body: bytes } = await hook.request()

    expect(headers['x-svc-signature']).toBe(hmac(bytes, body.secret))
    expect(headers).not.toHaveProperty('x-svc-signature-previous')
  })
})

type Hook = ReturnType<typeof receiver.hook>
