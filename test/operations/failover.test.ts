import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { explainError } from '../../src/app/explain-failure.ts'
import type { Thresholds } from '../../src/doctor/check.ts'
import { databaseChecks } from '../../src/doctor/check-database.ts'
import { examine } from '../../src/doctor/examine.ts'
import type { Engine } from '../../src/platform/database/engine.ts'
import { openPostgres } from '../../src/platform/database/postgres.ts'
import { onServer } from '../support/database-server.ts'
import { installation } from '../support/doctor.ts'
import type { Answer } from '../support/http-client.ts'
import { givenApplication, type TestApplication } from '../support/oauth.ts'
import { type Replica, type ReplicatedPostgres, startReplicatedPostgres } from '../support/replicated-postgres.ts'
import { startTestService, type TestService } from '../support/service.ts'
import { type SilentNetwork, silentNetwork } from '../support/silent-network.ts'

/** One address of several servers, as libpq takes it. */
function addressOf(...urls: string[]): string {
  const hosts = urls.map((url) => new URL(url).host).join()
  return `postgres://gatehouse:gatehouse@${hosts}/postgres?target_session_attrs=read-write`
}
const nameOf = (url: string) => new URL(url).host

let servers: ReplicatedPostgres
let second: Replica
let networkOfReplica: SilentNetwork
let databaseUrl: string
let service: TestService
let app: TestApplication

beforeAll(async () => {
  servers = await startReplicatedPostgres({ replicas: 2, isSynchronous: true })
  second = servers.second as Replica
  networkOfReplica = await silentNetwork(servers.replica.url)
  databaseUrl = addressOf(second.url, servers.primary.url, networkOfReplica.url)
  service = await startTestService({
    engine: openPostgres(databaseUrl, { poolSize: 6, silentMilliseconds: 1_000 }),
    environment: { RATE_LIMIT: 'off' },
  })
  app = await givenApplication(service)
})

afterAll(async () => {
  await service?.stop()
  networkOfReplica?.stop()
  await servers?.stop()
})

/** What a process has that starts now. */
function newEngine(url = databaseUrl): Engine {
  const engine = openPostgres(url, { poolSize: 2, takesRoles: false })
  onTestFinished(() => engine.close())
  return engine
}
const portOf = async (engine: Engine) =>
  (await engine.execute<{ port: number }>({ sql: 'select inet_server_port() as port', parameters: [] })).rows[0]?.port
const servedBy = ({ url }: { url: string }) => Number(new URL(url).port)

const doctor = async (thresholds: Partial<Thresholds> = {}) => {
  const { context } = await installation({ engine: service.engine, environment: { DATABASE_URL: databaseUrl }, thresholds })
  const { checks } = await examine(
    context,
    databaseChecks.filter(({ name }) => ['database-reachable', 'database-servers'].includes(name)),
  )
  return checks.find(({ name }) => name === 'database-servers')
}

const refreshes = () => app.signIn({ scope: 'openid offline_access' })

/** Requests, again while the database is away. */
async function whenServed(request: () => Promise<Answer>): Promise<Answer> {
  for (;;) {
    const answer = await request()
    if (answer.status !== 503) return answer
    expect(answer.headers.get('retry-after')).toMatch(/^\d+$/)
    await pause(10)
  }
}

/** Refreshes, code exchanges and changes by an administrator, until it is stopped. */
async function load() {
  const { owner } = app.organisation
  const spent: string[] = []
  const stored: string[] = []
  const redeemed = new Map<string, number>()
  const codes = await Promise.all(Array.from({ length: 24 }, () => app.code()))
  const chains = await Promise.all([refreshes(), refreshes(), refreshes()])
  let isOver = false
  let count = 0

  const refresh = async (token: string) => {
    for (let current = token; !isOver; ) {
      const { status, body } = await whenServed(() => app.refresh(current))
      expect([200, 400]).toContain(status)
      spent.push(current)
      // The response to an earlier attempt was lost, but not what it had done.
      if (status === 400) return
      current = body.refresh_token
      await pause(10)
    }
  }
  const redeem = async () => {
    for (const { code, verifier } of codes) {
      const { status } = await whenServed(() => app.redeem(code, verifier))
      expect([200, 400]).toContain(status)
      redeemed.set(code, (redeemed.get(code) ?? 0) + (status === 200 ? 1 : 0))
      await pause(50)
    }
  }
  const administer = async () => {
    while (!isOver) {
      const slug = `team-${count++}`
      const { status } = await owner.post('/v1/admin/teams', { name: slug, slug })
      expect([201, 503]).toContain(status)
      if (status === 201) stored.push(slug)
    }
  }
  const running = Promise.all([
    ...chains.map(({ refresh_token }) => refresh(refresh_token)),
    redeem(),
    redeem(),
    administer(),
    administer(),
  ])
  return {
    spent,
    stored,
    codes,
    redeemed,
    async stop() {
      isOver = true
      await running
    },
  }
}

describe('DATABASE_URL with several servers', () => {
  it('has the one written to that is the primary, in whatever order they stand', async () => {
    const isServed = servedBy(servers.primary)
    expect(await portOf(newEngine())).toBe(isServed)
    expect(await portOf(newEngine(addressOf(servers.primary.url, second.url)))).toBe(isServed)
    // With no rights but to log in, and with nothing that listens on the first.
    await onServer(servers.primary.url, "create role ordinary login password 'ordinary'")
    expect(
      await portOf(
        newEngine(addressOf('postgres://127.0.0.1:1', second.url, servers.primary.url).replace('gatehouse:gatehouse', 'ordinary:ordinary')),
      ),
    ).toBe(isServed)
    expect(await doctor()).toMatchObject({
      state: 'ok',
      code: 'servers-in-order',
      values: { primary: nameOf(servers.primary.url), isSynchronous: true },
      seen: expect.stringMatching(
        new RegExp(
          `^${nameOf(servers.primary.url)} is the primary; ${nameOf(second.url)} is a replica, .* behind; .* is a replica, .* behind; a commit waits for a replica$`,
        ),
      ),
    })
    expect(await doctor({ replicaBehindBytes: -1 })).toMatchObject({
      state: 'warning',
      code: 'servers-wrong',
      values: { servers: expect.arrayContaining([{ mistake: 'behind', server: nameOf(second.url), behindBytes: 0 }]) },
      seen: expect.stringContaining(`${nameOf(second.url)} is 0 bytes behind`),
      remedy: expect.stringContaining(`pg_stat_replication on ${nameOf(servers.primary.url)}`),
    })
  })

  it('says of each why it is not written to, where none can be', async () => {
    const urls = [second.url, servers.replica.url, 'postgres://127.0.0.1:1']
    const address = addressOf(...urls)
    const error = await portOf(newEngine(address)).catch((error) => error)
    expect(explainError(error, address)).toBe(
      `DATABASE_URL is "postgres://gatehouse@${urls.map(nameOf).join()}/postgres": none of its servers can be written to: ` +
        `${nameOf(second.url)}: it is a replica; ${nameOf(servers.replica.url)}: it is a replica; 127.0.0.1:1: nothing listens there (ECONNREFUSED) (NO_PRIMARY). ` +
        'Start the primary, promote a replica, or correct hosts and ports',
    )
    const password = addressOf(...urls.slice(0, 2)).replace(':gatehouse@', ':wrong@')
    expect(await portOf(newEngine(password)).catch((error) => error)).toMatchObject({ code: '28P01' })
  })

  it('looks again when the server takes no writes any more, also where it is the only one', async () => {
    const { owner } = app.organisation
    const alone = newEngine(servers.primary.url)
    const pidOf = async () => (await alone.execute({ sql: 'select pg_backend_pid() as pid', parameters: [] })).rows
    const before = await pidOf()
    const store = async () => (await owner.post('/v1/admin/teams', { name: 'Read-only', slug: 'read-only' })).status
    const setReadOnly = async (change: string) => {
      await onServer(servers.primary.url, `alter system ${change}`)
      await onServer(servers.primary.url, 'select pg_reload_conf()')
    }

    await setReadOnly('set default_transaction_read_only = on')
    await expect.poll(() => onServer(servers.primary.url, 'show transaction_read_only')).toEqual([{ transaction_read_only: 'on' }])
    for (let count = 0; count < 4; count++) expect(await store()).toBe(503)
    expect(JSON.parse(service.logLines.findLast((line) => line.includes('cannot be reached')) ?? '{}').reason).toMatch(/read-only/)
    await expect(alone.execute({ sql: 'create table t ()', parameters: [] })).rejects.toMatchObject({ code: '25006' })
    expect(await pidOf()).not.toEqual(before)

    await setReadOnly('reset default_transaction_read_only')
    await expect.poll(store).toBe(201)
  })

  it('loses nothing, redeems nothing twice and serves again when the primary is killed and a replica promoted', async () => {
    const { spent, stored, codes, redeemed, stop } = await load()
    await expect.poll(() => Math.min(stored.length, spent.length)).toBeGreaterThan(10)

    await servers.primary.kill()
    const before = stored.length
    await servers.replica.promote()
    await expect.poll(() => stored.length).toBeGreaterThan(before)
    await stop()

    const teams = await onServer(servers.replica.url, 'select slug from teams')
    expect(teams.map(({ slug }) => slug)).toEqual(expect.arrayContaining(stored))
    for (const { code, verifier } of codes) {
      const { status } = await app.redeem(code, verifier)
      expect(status).toBe(400)
      expect(redeemed.get(code)).toBeLessThanOrEqual(1)
    }
    for (const token of spent) expect((await app.refresh(token)).status).toBe(400)
    expect(new Set(spent).size).toBe(spent.length)
  })

  it('never has a former primary written to that is back, and does not know its successor', async () => {
    await servers.primary.startAlone()
    const former = servers.primary.url
    expect(await onServer(former, 'show transaction_read_only')).toMatchObject([{ transaction_read_only: 'off' }])

    expect(await portOf(newEngine())).toBe(servedBy(servers.replica))
    expect(await doctor()).toMatchObject({
      state: 'failure',
      code: 'servers-wrong',
      values: {
        servers: expect.arrayContaining([
          { mistake: 'no-replica', server: nameOf(former), why: { code: 'former-primary', values: { timeline: 1, newest: 2 } } },
        ]),
      },
      seen: expect.stringContaining(`${nameOf(former)} is no replica: it is a former primary, on time line 1, and 2 has begun`),
      remedy: expect.stringContaining('pg_rewind'),
    })
    const endConnections = () =>
      onServer(servers.replica.url, `select pg_terminate_backend(pid) from pg_stat_activity where application_name like 'gatehouse%'`)
    // All connections are opened anew.
    await endConnections()
    await expect
      .poll(() =>
        service.given.organisation().then(
          () => true,
          () => false,
        ),
      )
      .toBe(true)

    // Not even where it is the only one left.
    await endConnections()
    networkOfReplica.fail()
    const { owner } = app.organisation
    const answers = await Promise.all(
      Array.from({ length: 8 }, (_, index) => owner.post('/v1/admin/teams', { name: 'x', slug: `late-${index}` })),
    )
    for (const { status } of answers) expect(status).toBe(503)
    networkOfReplica.mend()
    await expect.poll(async () => (await owner.get('/v1/admin/teams')).status).toBe(200)
    for (const what of ['insert into', 'gatehouse_system']) expect([what, servers.primary.hasRead(what)]).toEqual([what, false])
  })

  it('serves again when the primary is cut off and another one promoted, and stays away from it when it is back', async () => {
    networkOfReplica.fail()
    await second.promote()
    const { owner } = app.organisation
    const isServed = async () => (await owner.post('/v1/admin/teams', { name: 'Promoted', slug: 'promoted' })).status
    await expect.poll(isServed).toBe(201)

    networkOfReplica.mend()
    const slugs = Array.from({ length: 8 }, (_, index) => `after-${index}`)
    for (const slug of slugs) expect(await owner.post('/v1/admin/teams', { name: slug, slug })).toMatchObject({ status: 201 })
    expect(await onServer(second.url, `select from teams where slug like 'after-%'`)).toHaveLength(slugs.length)
    expect(await onServer(servers.replica.url, `select from teams where slug like 'after-%' or slug = 'promoted'`)).toEqual([])
    expect(await portOf(newEngine())).toBe(servedBy(second))
  })
})
