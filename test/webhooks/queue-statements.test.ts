import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { freshEngine } from '../support/database.ts'
import type { HttpClient } from '../support/http-client.ts'
import { useReceiver } from '../support/receiver.ts'
import { type RecordingEngine, recordingEngine } from '../support/recording-engine.ts'
import { startTestService, type TestService } from '../support/service.ts'
import { createEndpoint, deliveryOf } from '../support/webhooks.ts'

const receiver = await useReceiver()
let engine: RecordingEngine
let service: TestService

beforeAll(async () => {
  engine = recordingEngine(await freshEngine())
  service = await startTestService({ engine, environment: { WEBHOOK_ALLOW_PRIVATE_ADDRESSES: 'true' }, webhooks: receiver.reachable })
})
afterAll(() => service?.stop())

const createRole = (admin: HttpClient, slug: string) => admin.post('/v1/admin/roles', { name: slug, slug })

describe('a delivery that is attempted while it is read', () => {
  it('is shown as of one moment: its state matches its attempts', async () => {
    const { owner } = await service.given.organisation()
    const hook = receiver.hook()
    hook.answer = () => ({ status: 503 })
    const { id } = await createEndpoint(owner, { url: hook.url, events: ['role.created'] })
    await createRole(owner, 'auditor')
    await service.deliverDueWebhooks()
    const path = `/v1/admin/webhooks/${id}/deliveries`
    const deliveryId = (await owner.get(path)).body.data[0].id

    // Requests that read attempts wait; the next attempt is recorded meanwhile.
    const release = engine.holdBack('webhook_attempts', { ofRequests: true })
    const reading = owner.get(`${path}/${deliveryId}`)
    await release.reached
    service.clock.advance({ minutes: 2 })
    await service.deliverDueWebhooks()
    release()

    const { body } = await reading
    expect(body.attempts).toHaveLength(body.attemptCount)
    expect(body.attempts.at(-1).error).toBe(body.lastError)
  })
})

describe('a delivery whose endpoint is activated while it is about to be held', () => {
  it('stays due', async () => {
    const { owner } = await service.given.organisation()
    const hook = receiver.hook()
    hook.answer = () => ({ status: 503 })
    const { id } = await createEndpoint(owner, { url: hook.url, events: ['role.created'] })
    await createRole(owner, 'auditor')
    await service.deliverDueWebhooks()
    await owner.patch(`/v1/admin/webhooks/${id}`, { isActive: false })

    // The engine has claimed it for an inactive endpoint.
    const release = engine.holdBack('with refusing as')
    service.clock.advance({ minutes: 2 })
    const delivering = service.deliverDueWebhooks()
    await release.reached
    hook.answer = () => ({ status: 200 })
    expect(await owner.patch(`/v1/admin/webhooks/${id}`, { isActive: true })).toMatchObject({ status: 200 })
    release()
    await delivering
    await service.deliverDueWebhooks()

    expect(hook.requests).toHaveLength(2)
    expect(await deliveryOf(owner, id)).toMatchObject({ status: 'delivered', attemptCount: 2 })
  })
})

describe('the delivery engine', () => {
  it('forgets failing endpoints, even deleted ones', async () => {
    const { owner } = await service.given.organisation()
    const hook = receiver.hook()
    hook.answer = () => ({ status: 400 })
    const failing = await createEndpoint(owner, { url: hook.url, events: ['role.created'], variant: 'A' })
    await createRole(owner, 'auditor')
    await service.deliverDueWebhooks()
    expect(await namesInNextClaim()).toContain(failing.id)

    await owner.delete(`/v1/admin/webhooks/${failing.id}`)
    service.clock.advance({ minutes: 11 })
    await service.deliverDueWebhooks()

    expect(await namesInNextClaim()).not.toContain(failing.id)
  })

  /** The parameters of the engine's next claim, as one text. */
  async function namesInNextClaim(): Promise<string> {
    engine.statements.length = 0
    await service.deliverDueWebhooks()
    const claims = engine.statements.filter(({ query }) => query.sql.includes('endpoint_limits'))
    expect(claims).not.toEqual([])
    return JSON.stringify(claims.flatMap(({ query }) => query.parameters))
  }
})
