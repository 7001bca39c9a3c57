import { randomBytes } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { openCollector } from '../support/collector.ts'
import { runProcess } from '../support/command.ts'
import { onServer, urlOf } from '../support/database-server.ts'
import { cookieOf } from '../support/given.ts'
import type { HttpClient } from '../support/http-client.ts'
import { type ReplicatedPostgres, startReplicatedPostgres } from '../support/replicated-postgres.ts'
import { processHome, ServiceProcess } from '../support/service-process.ts'

const systemApiKey = randomBytes(32).toString('hex')
const secretKey = randomBytes(32).toString('base64')
const owner = { email: 'owner@acme.test', password: 'correct horse battery' }

let servers: ReplicatedPostgres
beforeAll(async () => {
  servers = await startReplicatedPostgres()
})
afterAll(() => servers?.stop())

interface Started {
  service: ServiceProcess
  administrator: HttpClient
  operator: HttpClient
}

/** The built service on the two servers. @param atEnd takes what ends it */
async function start(
  environment: Record<string, string> = {},
  atEnd: (end: () => Promise<void>) => void = onTestFinished,
): Promise<Started> {
  const home = await processHome()
  atEnd(() => home.remove())
  const service = await ServiceProcess.start({
    ...home.environment,
    SECRET_KEY: secretKey,
    SYSTEM_API_KEY: systemApiKey,
    BOOTSTRAP_OWNER_EMAIL: owner.email,
    BOOTSTRAP_OWNER_PASSWORD: owner.password,
    DATABASE_URL: servers.primary.url,
    DATABASE_REPLICA_URL: servers.replica.url,
    // Jobs would write at any time.
    ROLES: 'api',
    ...environment,
  })
  atEnd(async () => void (await service.end('SIGKILL')))
  await service.ready()
  const login = await service.anonymous.post('/v1/auth/login', owner)
  expect(login.status).toBe(200)
  return {
    service,
    administrator: service.anonymous.with({ cookie: cookieOf(login), 'x-csrf-token': login.body.csrfToken, connection: 'close' }),
    operator: service.anonymous.with({ authorization: `Bearer ${systemApiKey}`, connection: 'close' }),
  }
}

/** Which of the servers reads what a request asks for, told by a value that no other request has. */
async function readerOf(read: (value: string) => Promise<{ status: number }>): Promise<'primary' | 'replica'> {
  const value = `x${randomBytes(12).toString('hex')}`
  expect((await read(value)).status).toBe(200)
  let reader: 'primary' | 'replica' | undefined
  // The log of a server arrives a moment later.
  await expect
    .poll(() => (reader = servers.primary.hasRead(value) ? 'primary' : servers.replica.hasRead(value) ? 'replica' : undefined))
    .toBeDefined()
  return reader as 'primary' | 'replica'
}

const listOf = (client: HttpClient) => (value: string) => client.get(`/v1/admin/teams?q=${value}`)

/** How many processes have read the replica. */
async function processesWithReplica({ anonymous }: ServiceProcess): Promise<number> {
  const { body } = await anonymous.get('/metrics')
  const counts = [...(body as string).matchAll(/^gatehouse_list_reads_total\{from="replica".*\} (\d+)$/gm)]
  return counts.filter(([, count]) => Number(count) > 0).length
}

/** Resolves when every process reads the replica. */
async function replicaIsRead({ service, administrator }: Started, workers: number): Promise<void> {
  const isRead = async () => {
    // At once, so that the connections are spread over the processes.
    const readers = await Promise.all(Array.from({ length: 2 * workers }, () => readerOf(listOf(administrator))))
    return readers.every((reader) => reader === 'replica') && (await processesWithReplica(service)) === workers
  }
  await expect.poll(isRead).toBe(true)
}

/** What the service prints from now on. */
function outputFromNow(service: ServiceProcess): () => string {
  const { length } = service.output
  return () => service.output.slice(length)
}

const passedOver = /"code":"replica-passed-over","msg":"([^\n]*)"\}/g
const readAgain = /"msg":"lists are read from the replica again"/g

describe.each([1, 2])('DATABASE_REPLICA_URL with WORKERS=%i', (workers) => {
  // One service for all of these sentences, whose last one stops it.
  let started: Started
  const ends: (() => Promise<void>)[] = []
  beforeAll(async () => {
    started = await start({ WORKERS: String(workers) }, (end) => ends.push(end))
  })
  afterAll(async () => {
    for (const end of ends.reverse()) await end()
  })

  it('has lists, exports and the audit log read from the replica', async () => {
    const { administrator, operator } = started
    for (const read of [
      listOf(administrator),
      (value: string) => administrator.get(`/v1/admin/users?q=${value}`),
      (value: string) => administrator.get(`/v1/admin/users/export?format=csv&q=${value}`),
      (value: string) => administrator.get(`/v1/admin/audit-logs?actorId=${value}`),
      (value: string) => administrator.get(`/v1/admin/search?q=${value}`),
      (value: string) => operator.get(`/v1/system/organisations?q=${value}`),
    ])
      await expect.poll(() => readerOf(read)).toBe('replica')

    await replicaIsRead(started, workers)
  })

  it('reads the primary while the replica is behind, and says so once it has been for 5 s', async () => {
    const { service, administrator } = started
    await replicaIsRead(started, workers)
    const output = outputFromNow(service)
    const printedWhileReading = (pattern: RegExp) =>
      service.until(async () => (await readerOf(listOf(administrator))) && (pattern.exec(output()) ?? undefined))
    await servers.replica.pause()
    onTestFinished(() => servers.replica.resume())

    const slug = `team-${randomBytes(4).toString('hex')}`
    expect((await administrator.post('/v1/admin/teams', { name: slug, slug })).status).toBe(201)
    // Whichever process is asked shows what was written, which the replica does not have.
    for (let count = 0; count < 2 * workers; count++) {
      const { body } = await administrator.get('/v1/admin/teams')
      expect(body.data.map((team: { slug: string }) => team.slug)).toContain(slug)
    }
    expect(await onServer(servers.replica.url, `select from teams where slug = '${slug}'`)).toEqual([])
    expect(await readerOf(listOf(administrator))).toBe('primary')
    const [, message] = await printedWhileReading(new RegExp(passedOver, ''))
    expect(message).toMatch(
      /^Lists are read from the primary\. DATABASE_REPLICA_URL is \\"postgres:\/\/gatehouse@127\.0\.0\.1:\d+\/postgres\\": it is behind: after 100 ms it has not replayed /,
    )

    await servers.replica.resume()
    await replicaIsRead(started, workers)
    await printedWhileReading(new RegExp(readAgain, ''))
  })

  it('fails no request while the replica goes and comes back', async () => {
    const { service, administrator } = started
    await replicaIsRead(started, workers)
    const output = outputFromNow(service)
    let isOver = false
    const statuses = new Set<number>()
    const load = Array.from({ length: 4 }, async () => {
      // With short pauses: of the four, one asks at any moment.
      for (; !isOver; await pause(10)) {
        for (const path of ['/v1/admin/teams', '/v1/admin/users/export?format=csv', '/v1/admin/audit-logs'])
          statuses.add((await administrator.get(path)).status)
      }
    })

    await servers.replica.stop()
    expect(await readerOf(listOf(administrator))).toBe('primary')
    const [, message] = await service.until(async () => new RegExp(passedOver, '').exec(output()) ?? undefined)
    expect(message).toMatch(/: nothing listens on 127\.0\.0\.1:\d+ \(ECONNREFUSED\)\. Start PostgreSQL there, or correct host and port$/)
    await servers.replica.start()
    await replicaIsRead(started, workers)
    await service.until(async () => new RegExp(readAgain, '').test(output()))
    isOver = true
    await Promise.all(load)

    expect([...statuses]).toEqual([200])
    // Once by each process that has noticed, however many requests have.
    expect(output().match(passedOver)?.length).toBeLessThanOrEqual(workers)
    expect(service.output).not.toMatch(/"level":50/)
  })

  it('stops in time while the replica is gone without a word', async () => {
    const { service, administrator } = started
    await replicaIsRead(started, workers)
    const backends = await onServer(servers.replica.url, `select pid::text from pg_stat_activity where application_name = 'gatehouse'`)
    const signal = (name: NodeJS.Signals) => {
      for (const { pid } of backends) process.kill(Number(pid), name)
    }
    signal('SIGSTOP')
    onTestFinished(() => signal('SIGCONT'))

    expect(await readerOf(listOf(administrator))).toBe('primary')
    expect(await service.end()).toBe(0)
    expect(service.output).not.toContain('by force')
  })
})

describe('a statement on the replica', () => {
  it('is a span of the request like any other', async () => {
    const collector = await openCollector()
    onTestFinished(() => collector.close())
    const { administrator } = await start({ OTEL_EXPORTER_OTLP_ENDPOINT: collector.url, OTEL_BSP_SCHEDULE_DELAY: '100' })

    const statementsOfList = async () => {
      await readerOf(listOf(administrator))
      const list = collector.spans.find(({ name }) => name === 'GET /v1/admin/teams')
      return collector.spans
        .filter(({ parentSpanId }) => parentSpanId === list?.spanId)
        .map(({ attributes }) => String(attributes['db.query.text']))
    }
    await expect.poll(statementsOfList).toContainEqual(expect.stringContaining('from "teams"'))
  })

  it('is what a command lists by', async () => {
    const home = await processHome()
    onTestFinished(() => home.remove())
    const environment = {
      ...home.environment,
      SECRET_KEY: secretKey,
      DATABASE_URL: servers.primary.url,
      DATABASE_REPLICA_URL: servers.replica.url,
    }
    const list = async (value: string) => {
      const { status } = await runProcess(environment, `organisation list --search ${value}`)
      return { status: status === 0 ? 200 : 500 }
    }
    await expect.poll(() => readerOf(list)).toBe('replica')
  })
})

describe('a DATABASE_REPLICA_URL that is wrong', () => {
  const password = 'very-secret'
  it.each<[string, () => string, RegExp]>([
    [
      'where nothing listens',
      () => `postgres://gatehouse:${password}@127.0.0.1:1/postgres`,
      /^DATABASE_REPLICA_URL is "postgres:\/\/gatehouse@127\.0\.0\.1:1\/postgres": nothing listens on 127\.0\.0\.1:1 \(ECONNREFUSED\)\. Start PostgreSQL there, or correct host and port$/,
    ],
    [
      'with a wrong password',
      () => Object.assign(new URL(servers.replica.url), { password }).href,
      /: PostgreSQL refuses the password of the role gatehouse \(28P01\)\. Correct the user and the password, or run there: /,
    ],
    [
      'that names the primary',
      () => servers.primary.url,
      /": it is no replica, it takes writes itself\. Name a streaming replica of DATABASE_URL$/,
    ],
    [
      'that names another database',
      () => urlOf(servers.replica.url, 'template1'),
      /": it is a replica of another database\. Name a streaming replica of DATABASE_URL, with the same database$/,
    ],
  ])('%s is named in one line, and the service reads the primary', async (_, url, expected) => {
    const { service, administrator } = await start({ DATABASE_REPLICA_URL: url() })

    expect(await readerOf(listOf(administrator))).toBe('primary')
    const [line] = await service.printed(new RegExp(passedOver, ''))
    const { msg } = JSON.parse(`{${line}`)
    expect(msg).toMatch(/^Lists are read from the primary\. /)
    expect(msg.replace(/^Lists are read from the primary\. /, '')).toMatch(expected)
    expect(service.output).not.toContain(password)
  })

  it('and is no URL of PostgreSQL is refused in one line', async () => {
    const home = await processHome()
    onTestFinished(() => home.remove())
    const service = await ServiceProcess.start({ ...home.environment, DATABASE_REPLICA_URL: `mysql://gatehouse:${password}@127.0.0.1/x` })

    expect(await service.exitCode()).toBe(1)
    expect(service.output).toBe(
      'DATABASE_REPLICA_URL is not usable and must be a URL such as postgres://user:password@host:5432/database\n',
    )
  })
})
