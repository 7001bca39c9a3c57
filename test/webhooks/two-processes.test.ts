import { randomBytes } from 'node:crypto'
import { describe, expect, it, onTestFinished } from 'vitest'
import { openPostgres } from '../../src/platform/database/postgres.ts'
import { freshPostgresUrl } from '../support/database.ts'
import { useReceiver } from '../support/receiver.ts'
import { startTestService, type TestService } from '../support/service.ts'
import { TestClock } from '../support/test-clock.ts'
import { createEndpoint } from '../support/webhooks.ts'

const receiver = await useReceiver()

describe('two processes', () => {
  it('send each delivery once, also when both find all of them due at the same moment', async () => {
    const url = await freshPostgresUrl()
    const shared = { secretKey: randomBytes(32), clock: new TestClock(), webhooks: receiver.reachable }
    const environment = { WEBHOOK_ALLOW_PRIVATE_ADDRESSES: 'true' }
    const start = () => startTestService({ ...shared, environment, engine: openPostgres(url, { poolSize: 10 }) })
    const services = [await start(), await start()] as [TestService, TestService]
    onTestFinished(() => Promise.all(services.map((service) => service.stop())).then(() => {}))
    const { owner } = await services[0].given.organisation()
    const hook = receiver.hook()
    hook.answer = () => ({ status: 503 })
    for (let count = 0; count < 5; count++) await createEndpoint(owner, { url: hook.url, events: ['role.created'] })
    for (let count = 0; count < 10; count++) await owner.post('/v1/admin/roles', { name: `Role ${count}`, slug: `role-${count}` })
    const deliver = () => Promise.all(services.map((service) => service.deliverDueWebhooks()))
    await deliver()
    await hook.request(50)
    await deliver()
    expect(hook.requests).toHaveLength(50)

    hook.answer = () => ({ status: 200 })
    shared.clock.advance({ minutes: 2 })
    await deliver()
    await hook.request(100)
    await deliver()

    const ids = hook.requests.map(({ headers }) => headers['x-svc-delivery'])
    expect([ids.length, new Set(ids.slice(0, 50)).size, new Set(ids.slice(50)).size]).toEqual([100, 50, 50])
  })
})
