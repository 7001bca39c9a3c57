import { describe, expect, it, onTestFinished, type TestOptions, vi } from 'vitest'
import { noticeClockSetBack } from '../../src/app/clock-set-back.ts'
import { openPostgres } from '../../src/platform/database/postgres.ts'
import { runDueTasks, type Task } from '../../src/platform/jobs/tasks.ts'
import { countInDatabase } from '../../src/platform/rate-limits/database-counters.ts'
import { countInProcess } from '../../src/platform/rate-limits/process-counters.ts'
import { countInRedis } from '../../src/platform/rate-limits/redis-counters.ts'
import { databaseKind, freshPostgresUrl } from '../support/database.ts'
import { insertConnection, verifiedDomain } from '../support/domains.ts'
import { unique } from '../support/given.ts'
import { claimsOf, givenApplication } from '../support/oauth.ts'
import { useReceiver } from '../support/receiver.ts'
import { needsRedis, RedisServer } from '../support/redis-server.ts'
import { startTestService, type TestService, type TestServiceOptions } from '../support/service.ts'
import { TestClock } from '../support/test-clock.ts'
import { createEndpoint } from '../support/webhooks.ts'

const receiver = await useReceiver()
/** `vi.waitFor` waits for a second only. */
const slowly = { timeout: 60_000 }
const environment = { WEBHOOK_ALLOW_PRIVATE_ADDRESSES: 'true' }

async function aService(options: TestServiceOptions = {}): Promise<TestService> {
  const service = await startTestService({ environment, webhooks: receiver.reachable, ...options })
  onTestFinished(() => service.stop())
  return service
}

/** A service whose clock is an hour ahead. Its tasks have run by it. */
async function anHourAhead(options: TestServiceOptions = {}): Promise<TestService> {
  const clock = new TestClock()
  clock.advance({ hours: 1 })
  const service = await aService({ clock, ...options })
  const hasRun = async () => {
    const task = await service.database.system().selectFrom('tasks').select('lastRunAt').where('name', '=', notice.name).executeTakeFirst()
    expect(task?.lastRunAt).toBeTruthy()
  }
  await vi.waitFor(hasRun, slowly)
  return service
}

const notice = noticeClockSetBack(30)
const runTasks = ({ database }: TestService, ...tasks: Task[]) =>
  runDueTasks(database, tasks, (error) => {
    throw error
  })

describe('a clock that is set back by an hour', () => {
  it('does not hold up the tasks until it has reached that time again', async () => {
    const service = await aService()
    service.clock.advance({ hours: 1 })
    let runs = 0
    const task: Task = { name: `task-${unique()}`, everySeconds: 10, run: async () => ++runs < 0 }
    await runTasks(service, task)
    await runTasks(service, task)
    expect(runs).toBe(1)

    service.clock.advance({ hours: -1 })
    await runTasks(service, task)
    expect(runs).toBe(2)
    await runTasks(service, task)
    expect(runs).toBe(2)
  })

  it('does not hold up a task whose process died while it was ahead', async () => {
    const service = await aService()
    service.clock.advance({ hours: 1 })
    const task: Task = { name: `task-${unique()}`, everySeconds: 10, run: async () => false }
    const claimedUntil = new Date(service.clock.now().getTime() + 600_000)
    await service.database.system().insertInto('tasks').values({ name: task.name, nextRunAt: service.clock.now(), claimedUntil }).execute()

    service.clock.advance({ hours: -1 })
    await runTasks(service, task)
    const stored = await service.database.system().selectFrom('tasks').selectAll().where('name', '=', task.name).executeTakeFirst()
    expect(stored).toMatchObject({ claimedUntil: null, lastRunAt: expect.any(Date) })
  })

  it('does not hold up the retries of webhooks, and each delivery arrives once', async () => {
    const service = await anHourAhead()
    const { owner } = await service.given.organisation()
    const hook = receiver.hook()
    hook.answer = () => ({ status: 503 })
    await createEndpoint(owner, { url: hook.url, events: ['user.created'], variant: 'B' })
    // The service delivers by itself as well, and may have some of them under way.
    const attempted = (times: number) =>
      vi.waitFor(async () => {
        const deliveries = await service.database
          .system()
          .selectFrom('webhookDeliveries')
          .select(['attemptCount', 'claimedUntil'])
          .execute()
        expect(deliveries).toEqual(users.map(() => ({ attemptCount: times, claimedUntil: null })))
        expect(hook.requests).toHaveLength(times * users.length)
      }, slowly)
    const users = await Promise.all(Array.from({ length: 5 }, () => service.given.user(owner)))
    await service.deliverDueWebhooks()
    await attempted(1)

    hook.answer = () => ({ status: 200 })
    service.clock.advance({ hours: -1 })
    await runTasks(service, notice)
    await service.deliverDueWebhooks()
    // The wait after the first attempt is respected.
    expect(hook.requests).toHaveLength(users.length)
    service.clock.advance({ minutes: 2 })
    await service.deliverDueWebhooks()
    await attempted(2)
    service.clock.advance({ hours: 2 })
    await service.deliverDueWebhooks()
    expect(hook.requests).toHaveLength(2 * users.length)
    const [endpoint] = await service.database.system().selectFrom('webhookEndpoints').select('lastTriggeredAt').execute()
    expect(endpoint?.lastTriggeredAt?.getTime()).toBeLessThanOrEqual(service.clock.now().getTime() - 7_200_000)
  })

  it('does not hold up the checks of domains and connections, also when a part of that fails at first', async () => {
    const service = await anHourAhead()
    const { owner, id } = await service.given.organisation()
    const domain = await verifiedDomain(service, owner)
    const connection = await insertConnection(service, id)
    const tenant = service.database.tenant(id)
    await tenant.updateTable('connections').set({ documentsCheckedAt: tenant.now }).where('id', '=', connection).execute()
    const asOwner = (text: string) => service.engine.ownerTransaction((one) => one.execute({ sql: text, parameters: [] }))
    const ahead = tenant.now.toISOString()
    await asOwner(
      `alter table organisation_domains add constraint organisation_domains_stays check (id <> '${domain.id}' or checked_at > '${ahead}'::timestamptz - interval '1 minute')`,
    )
    const isAhead = async () => {
      const { checkedAt } = await tenant.selectFrom('organisationDomains').select('checkedAt').executeTakeFirstOrThrow()
      const { documentsCheckedAt } = await tenant.selectFrom('connections').select('documentsCheckedAt').executeTakeFirstOrThrow()
      return [checkedAt, documentsCheckedAt].map((time) => time !== null && time > service.clock.now())
    }
    /** Runs the task, unless the service's own worker does. */
    const run = () => runDueTasks(service.database, [notice], () => {})

    service.clock.advance({ hours: -1 })
    await run()
    await vi.waitFor(async () => expect(await isAhead()).toEqual([true, false]), slowly)
    await asOwner('alter table organisation_domains drop constraint organisation_domains_stays')
    await vi.waitFor(async () => {
      service.clock.advance({ seconds: 11 })
      await run()
      expect(await isAhead()).toEqual([false, false])
    }, slowly)
  })

  it('does not hold up what was queued while it was ahead, nor what a process that died had claimed', async () => {
    const sent: string[] = []
    const service = await anHourAhead({
      environment: { ...environment, WEBHOOK_LEASE_SECONDS: '30' },
      mailTransport: {
        send: async ({ to }) => {
          if (sent.push(to) <= 2) throw new Error('The server is down')
        },
        close: async () => {},
      },
    })
    const { owner, id } = await service.given.organisation()
    const hook = receiver.hook()
    hook.answer = () => ({ status: 503 })
    await createEndpoint(owner, { url: hook.url, events: ['user.created'], variant: 'B' })
    const [one, other] = [await service.given.user(owner), await service.given.user(owner)]
    await service.deliverDueWebhooks()
    await vi.waitFor(() => expect(new Set(sent)).toEqual(new Set([one.email, other.email])), slowly)
    // As if a process had queued one of each and another had claimed the others, before both died.
    const tenant = service.database.tenant(id)
    const recorded = { attemptCount: 1, claimedUntil: null }
    await vi.waitFor(async () => {
      const deliveries = await tenant.selectFrom('webhookDeliveries').select(['attemptCount', 'claimedUntil']).execute()
      expect(deliveries).toEqual([recorded, recorded])
    }, slowly)
    const [first] = await tenant.selectFrom('webhookDeliveries').select('id').orderBy('id').execute()
    await vi.waitFor(
      async () => expect(await tenant.selectFrom('mails').select('id').where('claimedUntil', 'is not', null).execute()).toEqual([]),
      slowly,
    )
    const inLease = new Date(tenant.now.getTime() + 30_000)
    await tenant
      .updateTable('webhookDeliveries')
      .set({ attemptCount: 0, nextAttemptAt: tenant.now })
      .where('id', '=', first?.id ?? '')
      .execute()
    await tenant
      .deleteFrom('webhookAttempts')
      .where('deliveryId', '=', first?.id ?? '')
      .execute()
    await tenant.updateTable('webhookDeliveries').set({ claimedUntil: inLease }).execute()
    await tenant.updateTable('mails').set({ claimedUntil: inLease }).execute()

    hook.answer = () => ({ status: 200 })
    service.clock.advance({ hours: -1 })
    await runTasks(service, notice)
    service.clock.advance({ minutes: 3 })
    await service.deliverDueWebhooks()
    expect(hook.requests).toHaveLength(4)
    const unsent = () => tenant.selectFrom('mails').select('id').where('sentAt', 'is', null).execute()
    await vi.waitFor(async () => expect(await unsent()).toEqual([]), slowly)
    expect(sent.toSorted()).toEqual([one.email, one.email, other.email, other.email].toSorted())
  })

  it('leaves sessions and tokens valid, and signs new ones', async () => {
    const service = await anHourAhead()
    const app = await givenApplication(service)
    const before = await app.signIn({ scope: 'openid offline_access' })
    service.clock.advance({ hours: -1 })

    expect(await app.organisation.owner.get('/v1/me/profile')).toMatchObject({ status: 200 })
    expect((await app.introspect(before.access_token)).body).toMatchObject({ active: true })
    const refreshed = await app.refresh(before.refresh_token)
    expect(refreshed).toMatchObject({ status: 200 })
    expect((await app.introspect(refreshed.body.access_token)).body).toMatchObject({ active: true })
    const { iat, exp } = claimsOf(refreshed.body.access_token)
    expect(iat * 1_000).toBeLessThanOrEqual(service.clock.now().getTime())
    expect(exp).toBeGreaterThan(iat)
    expect(await service.given.signIn(app.organisation.owner.email)).toBeTruthy()
  })
})

describe('a clock that is set forward by an hour', () => {
  it('delivers nothing twice that is being delivered', async () => {
    const service = await aService()
    const { owner } = await service.given.organisation()
    const hook = receiver.hook()
    const responses: (() => void)[] = []
    hook.answer = () => new Promise((resolve) => responses.push(() => resolve({ status: 200 })))
    await createEndpoint(owner, { url: hook.url, events: ['user.created'] })
    await service.given.user(owner)
    await hook.request()

    service.clock.advance({ hours: 1 })
    const again = await service.given.signIn(owner.email)
    const other = receiver.hook()
    await createEndpoint(again, { url: other.url, events: ['role.created'] })
    await service.given.role(again)
    // The claim that found this one has found the other, too: its lease has ended.
    await other.request()
    for (const respond of responses) respond()
    hook.answer = () => ({ status: 200 })
    await service.deliverDueWebhooks()
    expect(hook.requests).toHaveLength(1)
  })

  it('ends what has a time and nothing else: who signs in again works as before', async () => {
    const service = await aService()
    const app = await givenApplication(service)
    const before = await app.signIn({ scope: 'openid offline_access' })
    const email = `nobody-${unique()}@example.test`
    for (let number = 0; number < 10; number++) await service.anonymous.post('/v1/auth/login', { email, password: 'wrong password' })
    expect(await service.anonymous.post('/v1/auth/login', { email, password: 'wrong password' })).toMatchObject({ status: 429 })

    service.clock.advance({ hours: 1, minutes: 1 })
    expect((await app.introspect(before.access_token)).body).toEqual({ active: false })
    expect(await app.refresh(before.refresh_token)).toMatchObject({ status: 200 })
    expect(await service.anonymous.post('/v1/auth/login', { email, password: 'wrong password' })).toMatchObject({ status: 401 })
    const again = await service.given.signIn(app.organisation.owner.email)
    expect(await again.get('/v1/me/profile')).toMatchObject({ status: 200 })
  })
})

describe('a limit that is used up when the clock is set back', () => {
  const limit = { max: 2, windowSeconds: 300 }

  const where: Record<string, TestOptions> = { process: {}, database: { skip: databaseKind() !== 'postgres' }, redis: needsRedis }
  for (const [place, options] of Object.entries(where))
    it(`lasts no longer than its window, counted in the ${place}`, options, async () => {
      const clock = new TestClock()
      clock.advance({ hours: 1 })
      const open = async () => {
        if (place === 'process') return countInProcess(clock)
        if (place === 'database') {
          const service = await aService({ clock, engine: openPostgres(await freshPostgresUrl(), { poolSize: 5 }) })
          return countInDatabase(service.database)
        }
        const redis = await RedisServer.start()
        onTestFinished(() => redis.stop())
        return countInRedis(redis.url, clock, () => {})
      }
      const counters = await open()
      onTestFinished(() => counters.close())
      const key = unique()
      await counters.take(key, limit)
      await counters.take(key, limit)

      clock.advance({ hours: -1 })
      // No client gains an attempt.
      const until = await counters.fullUntil(key, limit)
      expect(until?.getTime()).toBeLessThanOrEqual(clock.now().getTime() + 300_000)
      expect(until?.getTime()).toBeGreaterThan(clock.now().getTime() + 290_000)
      expect(await counters.take(key, limit)).toEqual({ fullUntil: expect.any(Date) })
      clock.advance({ seconds: 301 })
      expect(await counters.fullUntil(key, limit)).toBeUndefined()
      expect(await counters.take(key, limit)).toEqual({ count: 1 })
    })
})
