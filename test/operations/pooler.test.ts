import { randomBytes } from 'node:crypto'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { describe, expect, it, onTestFinished } from 'vitest'
import { openPostgres, type PostgresOptions } from '../../src/platform/database/postgres.ts'
import { freshPostgresUrl } from '../support/database.ts'
import { onServer } from '../support/database-server.ts'
import { freePort } from '../support/free-port.ts'
import { needsPgBouncer, startPgBouncer } from '../support/pgbouncer.ts'
import { tapPostgres } from '../support/postgres-wire.ts'
import { startTestService, type TestService } from '../support/service.ts'
import { processHome, ServiceProcess } from '../support/service-process.ts'

/** What two organisations do at the same time, each of it twice, as a statement gets a name when it runs for the second time. */
async function useService(service: TestService): Promise<void> {
  const organisations = await Promise.all([service.given.organisation(), service.given.organisation()])
  for (let round = 0; round < 3; round++) {
    await Promise.all(
      organisations.map(async ({ owner }) => {
        expect((await owner.patch('/v1/me/profile', { firstName: `Round ${round}` })).status).toBe(200)
        const { body } = await owner.get('/v1/admin/users')
        expect((body as { data: { email: string }[] }).data.map(({ email }) => email)).toEqual([owner.email])
        expect((await owner.get('/v1/admin/audit-logs?limit=5')).status).toBe(200)
      }),
    )
  }
  for (const { owner } of organisations) await service.anonymous.post('/v1/auth/password/forgot', { email: owner.email })
}

async function useBy(url: string, options: Omit<PostgresOptions, 'poolSize'>, secretKey = randomBytes(32)): Promise<TestService> {
  const service = await startTestService({ engine: openPostgres(url, { poolSize: 6, ...options }), secretKey })
  onTestFinished(() => service.stop())
  await useService(service)
  return service
}

describe('DATABASE_POOLER=transaction', () => {
  it('names no statement, and leaves nothing on the connection', async () => {
    const wire = await tapPostgres(await freshPostgresUrl())
    onTestFinished(() => wire.stop())

    await useBy(wire.url, { pooler: 'transaction' })

    expect(wire.texts.length).toBeGreaterThan(100)
    expect(wire.names).toEqual([])
    const outlivesTransaction = /^\s*(listen|unlisten|deallocate|prepare|set (?!local)|create temp|declare)/i
    expect(wire.texts.filter((text) => outlivesTransaction.test(text))).toEqual([])
    expect(wire.texts.filter((text) => /set_config\([^)]*false\s*\)|pg_advisory_lock/i.test(text))).toEqual([])
  })

  it('makes the difference', async () => {
    const wire = await tapPostgres(await freshPostgresUrl())
    onTestFinished(() => wire.stop())

    await useBy(wire.url, {})

    expect(wire.names.length).toBeGreaterThan(5)
    expect(wire.texts.filter((text) => /^listen/.test(text)).length).toBeGreaterThan(3)
    expect(wire.texts).toContain('set role gatehouse_tenant')
  })

  it('listens for every channel on one connection that goes past the pooler, where there is one', async () => {
    const direct = await freshPostgresUrl()
    const wire = await tapPostgres(direct)
    onTestFinished(() => wire.stop())

    const service = await useBy(wire.url, { pooler: 'transaction', listenUrl: direct })

    expect(wire.texts.filter((text) => /^listen/i.test(text))).toEqual([])
    const listening = await onServer(
      direct,
      `select query from pg_stat_activity where datname = current_database() and application_name = 'gatehouse listen'`,
    )
    expect(listening).toHaveLength(1)
    await expect.poll(() => service.mailbox.mails.length).toBeGreaterThanOrEqual(2)
  })

  it('serves through pgBouncer, with more clients than connections', needsPgBouncer, async () => {
    const home = await processHome()
    onTestFinished(() => home.remove())
    const { url, stop } = await startPgBouncer(home.environment.DATABASE_URL as string, 3)
    onTestFinished(stop)
    const secretKey = randomBytes(32)
    const service = await ServiceProcess.start({
      ...home.environment,
      DATABASE_URL: url,
      DATABASE_POOLER: 'transaction',
      SECRET_KEY: secretKey.toString('base64'),
      // The mails are those of the other one.
      ROLES: 'api',
    })
    onTestFinished(async () => void (await service.end()))
    await service.ready()

    const statuses = await Promise.all(
      Array.from({ length: 60 }, async (_, number) => {
        const { status } = await service.anonymous.post('/v1/auth/login', {
          email: `nobody-${number}@example.test`,
          password: 'wrong password',
        })
        return status
      }),
    )
    expect(new Set(statuses)).toEqual(new Set([401]))
    // The same from inside, where two organisations share the connections.
    const inside = await useBy(url, { pooler: 'transaction' }, secretKey)
    await expect.poll(() => inside.mailbox.mails.length).toBeGreaterThanOrEqual(2)
    const statements = await onServer(
      home.environment.DATABASE_URL as string,
      'select count(*)::text from pg_stat_activity where datname = current_database()',
    )
    expect(Number(statements[0]?.count)).toBeLessThanOrEqual(3 + 1)
    expect(service.output).not.toMatch(/"level":50/)
  })

  it(
    'responds 503 while pgBouncer cannot reach PostgreSQL, with one line in the log, and works as before once it can',
    needsPgBouncer,
    async () => {
      const direct = await freshPostgresUrl()
      const way = await openWay(direct)
      const pooler = await startPgBouncer(way.url, 3)
      onTestFinished(pooler.stop)
      const service = await startTestService({ engine: openPostgres(pooler.url, { poolSize: 6, pooler: 'transaction' }) })
      onTestFinished(() => service.stop())
      const { owner } = await service.given.organisation()
      const profile = () => owner.get('/v1/me/profile')

      way.leadTo(`postgres://127.0.0.1:${await freePort()}/`)
      // The first one may find the connection cut; to the others, the pooler says why it has none.
      const refused: Awaited<ReturnType<typeof profile>>[] = []
      for (let round = 0; round < 5; round++) refused.push(await profile())
      expect(refused.map(({ status }) => status)).toEqual([503, 503, 503, 503, 503])
      expect(await service.anonymous.get('/readyz')).toMatchObject({ status: 503 })

      way.leadTo(direct)
      await expect.poll(async () => (await profile()).status).toBe(200)
      const errors = service.logLines.filter((line) => line.includes('"level":50'))
      expect(errors).toEqual([expect.stringContaining('the database cannot be reached')])
    },
  )
})

describe('a start through pgBouncer while PostgreSQL starts', needsPgBouncer, () => {
  it('waits for it, says what the pooler says, and serves once it is there', async () => {
    const home = await processHome({ empty: true })
    onTestFinished(() => home.remove())
    const direct = home.environment.DATABASE_URL as string
    const way = await openWay(direct)
    way.leadTo(await startingServer())
    const pooler = await startPgBouncer(way.url, 3)
    onTestFinished(pooler.stop)
    const environment = { ...home.environment, DATABASE_URL: pooler.url, DATABASE_POOLER: 'transaction' }
    const service = await ServiceProcess.start({ ...environment, DATABASE_WAIT_SECONDS: '300' })
    onTestFinished(() => service.end('SIGKILL').then(() => {}))

    await service.printed(
      /"code":"database-away".*Waiting up to \d+ s for the database\. .*the pooler on \S+ says: the database system is starting up \(08P01\)/,
    )
    way.leadTo(direct)

    await service.ready()
    expect(await service.end()).toBe(0)
    expect(service.output).not.toMatch(/"level":50/)
  })

  it('ends with what the pooler says when the time is over', async () => {
    const home = await processHome({ empty: true })
    onTestFinished(() => home.remove())
    const way = await openWay(home.environment.DATABASE_URL as string)
    way.leadTo(await startingServer())
    const pooler = await startPgBouncer(way.url, 3)
    onTestFinished(pooler.stop)

    const service = await ServiceProcess.start({
      ...home.environment,
      DATABASE_URL: pooler.url,
      DATABASE_POOLER: 'transaction',
      DATABASE_WAIT_SECONDS: '1',
    })
    expect(await service.exitCode()).toBe(1)
    expect(service.output).toMatch(
      /DATABASE_URL is ".*": the pooler on \S+ says: the database system is starting up \(08P01\)\. Look into its log, and whether PostgreSQL runs behind it$/m,
    )
  })
})

describe('a pooler in transaction mode that DATABASE_POOLER does not name', () => {
  it('is refused by the start, before it has changed anything, with the line that mends it', needsPgBouncer, async () => {
    const home = await processHome({ empty: true })
    onTestFinished(() => home.remove())
    const direct = home.environment.DATABASE_URL as string
    const { url, stop } = await startPgBouncer(direct, 3)
    onTestFinished(stop)

    const service = await ServiceProcess.start({ ...home.environment, DATABASE_URL: url })
    expect(await service.exitCode()).toBe(1)
    expect(service.output).toMatch(
      /DATABASE_URL is "postgres:\/\/.*", which leads through a pooler\..* Set DATABASE_POOLER=transaction, and /,
    )
    expect(await onServer(direct, "select tablename from pg_tables where schemaname = 'public'")).toEqual([])
  })

  it('makes no right password wrong when it comes in between later: 503, also of /readyz, which says why', needsPgBouncer, async () => {
    const direct = await freshPostgresUrl()
    const pooler = await startPgBouncer(direct, 3)
    onTestFinished(pooler.stop)
    const way = await openWay(direct)
    const service = await startTestService({ engine: openPostgres(way.url, { poolSize: 6 }) })
    onTestFinished(() => service.stop())
    const { owner } = await service.given.organisation()
    const signIn = () => service.anonymous.post('/v1/auth/login', { email: owner.email, password: owner.password })
    expect((await signIn()).status).toBe(200)

    way.leadTo(pooler.url)
    for (let round = 0; round < 5; round++) {
      const answers = await Promise.all([signIn(), signIn(), owner.get('/v1/me/profile'), owner.get('/v1/admin/users')])
      expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([503]))
    }
    expect(await service.anonymous.get('/readyz')).toMatchObject({ status: 503, body: { code: 'pooler-not-named' } })
  })

  it('is no other than one in session mode, through which the service works', needsPgBouncer, async () => {
    const { url, stop } = await startPgBouncer(await freshPostgresUrl(), 20, 'session')
    onTestFinished(stop)
    await useBy(url, {})
  })
})

/** The address of a server that lets no connection in yet, as PostgreSQL while it starts. */
async function startingServer(): Promise<string> {
  const fields = Buffer.from('SFATAL\0VFATAL\0C57P03\0Mthe database system is starting up\0\0')
  const head = Buffer.alloc(5)
  head.write('E')
  head.writeInt32BE(fields.length + 4, 1)
  const server = createServer((socket) => {
    // A request for TLS has eight bytes.
    socket.on('error', () => {}).on('data', ({ length }) => (length === 8 ? socket.write('N') : socket.end(Buffer.concat([head, fields]))))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close())
  return `postgres://127.0.0.1:${(server.address() as AddressInfo).port}/`
}

/** An address of the database that can lead elsewhere, as after a change of a name. */
async function openWay(databaseUrl: string): Promise<{ url: string; leadTo(url: string): void }> {
  let target = new URL(databaseUrl)
  const open = new Set<Socket>()
  const server = createServer((client) => {
    const onward = connect(Number(target.port), target.hostname)
    for (const [one, other] of [
      [client, onward],
      [onward, client],
    ] as const) {
      open.add(one)
      one.on('error', () => other.destroy()).on('close', () => open.delete(one))
      one.pipe(other)
    }
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close())
  const url = new URL(databaseUrl)
  url.host = `127.0.0.1:${(server.address() as AddressInfo).port}`
  return {
    url: url.href,
    leadTo(next) {
      target = new URL(next)
      for (const socket of open) socket.destroy()
    },
  }
}
