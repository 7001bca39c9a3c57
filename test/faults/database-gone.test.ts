import { randomInt } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { channels } from '../../src/platform/database/locks-and-channels.ts'
import { openPostgres } from '../../src/platform/database/postgres.ts'
import { databaseKind, freshPostgresUrl } from '../support/database.ts'
import { onServer, urlOf } from '../support/database-server.ts'
import { recordingEngine } from '../support/recording-engine.ts'
import { startTestService } from '../support/service.ts'
import { processHome, ServiceProcess } from '../support/service-process.ts'

// That of the tasks.
const longestPauseMilliseconds = 10_000

describe.runIf(databaseKind() === 'postgres')('a service whose database goes away', () => {
  it('responds 503 until it is back, and then works as before', async () => {
    const databaseUrl = await freshPostgresUrl()
    const name = new URL(databaseUrl).pathname.slice(1)
    const administrators = urlOf(databaseUrl, 'postgres')
    const service = await startTestService({ engine: openPostgres(databaseUrl, { poolSize: 5 }) })
    onTestFinished(() => service.stop())
    const { owner } = await service.given.organisation()
    const measured = async () => (await service.anonymous.get('/metrics')).body as string
    const [isUp, isDown, queue] = [/^gatehouse_database_up 1$/m, /^gatehouse_database_up 0$/m, /^gatehouse_queue_\w+\{/m]
    expect(await measured()).toMatch(isUp)
    expect(await measured()).toMatch(queue)

    await onServer(administrators, `alter database ${name} allow_connections false`)
    await onServer(administrators, `select pg_terminate_backend(pid) from pg_stat_activity where datname = '${name}'`)
    const asked = ['/readyz', '/v1/me/profile', '/v1/admin/users', '/v1/admin/roles']
    for (const path of asked) {
      const answer = await owner.get(path)
      expect([path, answer]).toMatchObject([path, { status: 503, body: { title: 'Service Unavailable', instance: path } }])
      expect(answer.headers.get('retry-after')).toMatch(/^\d+$/)
      expect(JSON.stringify(answer.body)).not.toMatch(/connect|postgres|terminat/i)
    }
    expect(await service.anonymous.get('/healthz')).toMatchObject({ status: 200 })
    // What was measured before would pass for the state of now.
    expect(await measured()).toMatch(isDown)
    expect(await measured()).not.toMatch(queue)

    await onServer(administrators, `alter database ${name} allow_connections true`)
    for (const path of asked) expect([path, await owner.get(path)]).toMatchObject([path, { status: 200 }])
    expect(await measured()).toMatch(isUp)
    expect(await service.given.user(owner)).toMatchObject({ roles: [{ slug: 'member' }] })
  })

  it('responds 503 where a timeout that the operator has set ends a statement', async () => {
    const databaseUrl = await freshPostgresUrl()
    await onServer(databaseUrl, `alter database ${new URL(databaseUrl).pathname.slice(1)} set lock_timeout = '50ms'`)
    const service = await startTestService({ engine: openPostgres(databaseUrl, { poolSize: 5 }) })
    onTestFinished(() => service.stop())
    const { id, owner } = await service.given.organisation()
    const role = await service.given.role(owner)
    const rename = () => owner.patch(`/v1/admin/roles/${role.id}`, { name: 'Clerk' })

    await service.database.transaction(id, async (tenant) => {
      await tenant.selectFrom('roles').select('id').where('id', '=', role.id).forUpdate().execute()
      const refused = await rename()
      expect(refused).toMatchObject({ status: 503, body: { code: 'service-unavailable' } })
      expect(refused.headers.get('retry-after')).toMatch(/^\d+$/)
    })
    expect(await rename()).toMatchObject({ status: 200 })
  })

  it('starts, and stays, while its connections are dropped again and again', async () => {
    const home = await processHome()
    onTestFinished(() => home.remove())
    const { DATABASE_URL: databaseUrl = '' } = home.environment
    const administrators = urlOf(databaseUrl, 'postgres')
    const drop = `select pg_terminate_backend(pid) from pg_stat_activity where datname = '${new URL(databaseUrl).pathname.slice(1)}'`
    for (let start = 0; start < 8; start++) {
      const service = await ServiceProcess.start({ ...home.environment, DATABASE_WAIT_SECONDS: '600' })
      onTestFinished(() => void service.end('SIGKILL'))
      let isOver = false
      const dropping = (async () => {
        while (!isOver) {
          await onServer(administrators, drop)
          await pause(randomInt(20, 150))
        }
      })()
      // The last of its start.
      await service.printed(/"code":"(superuser|set-up-not-examined)"/).finally(() => (isOver = true))
      await dropping

      const signIn = () => service.anonymous.post('/v1/auth/login', { email: 'nobody@acme.test', password: 'no password' })
      await expect.poll(async () => (await signIn()).status).toBe(401)
      expect(await service.end()).toBe(0)
    }
  })

  it('logs one line when it is gone and one when it is back, however many statements fail meanwhile', async () => {
    const databaseUrl = await freshPostgresUrl()
    const name = new URL(databaseUrl).pathname.slice(1)
    const administrators = urlOf(databaseUrl, 'postgres')
    const engine = recordingEngine(openPostgres(databaseUrl, { poolSize: 5 }))
    // The pauses of the workers and tasks, and nothing else.
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
    onTestFinished(() => void vi.useRealTimers())
    const service = await startTestService({ engine })
    onTestFinished(() => service.stop())
    const { owner } = await service.given.organisation()
    await service.settled()
    const logged = () => service.logLines.map((line) => JSON.parse(line)).filter(({ msg }) => msg !== 'request completed')
    const before = logged().length

    await onServer(administrators, `alter database ${name} allow_connections false`)
    await onServer(administrators, `select pg_terminate_backend(pid) from pg_stat_activity where datname = '${name}'`)
    engine.statements.length = 0
    const triesOf = (table: string) => engine.statements.filter(({ ofRequest, query }) => !ofRequest && query.sql.includes(table)).length
    const tries = () => ['mails', 'tasks', 'webhook_deliveries'].map(triesOf)
    // A worker retries after a failure.
    while (Math.min(...tries()) < 4) {
      vi.advanceTimersByTime(longestPauseMilliseconds)
      for (const path of ['/readyz', '/v1/me/profile', '/v1/admin/users']) expect(await owner.get(path)).toMatchObject({ status: 503 })
      await service.anonymous.post('/v1/auth/login', { email: owner.email, password: owner.password })
    }
    await onServer(administrators, `alter database ${name} allow_connections true`)
    expect(await owner.get('/readyz')).toMatchObject({ status: 200 })

    expect(logged().slice(before)).toEqual([
      expect.objectContaining({ level: 50, msg: 'the database cannot be reached', reason: expect.stringMatching(/./) }),
      expect.objectContaining({ level: 30, msg: 'the database can be reached again', milliseconds: expect.any(Number) }),
    ])
    expect(service.logLines.join('')).not.toContain('"stack"')
  })

  it('hears of every channel again on one connection', async () => {
    const databaseUrl = await freshPostgresUrl()
    const name = new URL(databaseUrl).pathname.slice(1)
    const service = await startTestService({ engine: openPostgres(databaseUrl, { poolSize: 5 }) })
    onTestFinished(() => service.stop())
    const ofListeners = `from pg_stat_activity where datname = '${name}' and application_name = 'gatehouse listen'`
    const listening = () => onServer(databaseUrl, `select pid::text as pid ${ofListeners}`)
    const [first, ...others] = await listening()
    expect(others).toEqual([])
    const heard = { mails: 0, deliveries: 0 }
    await service.engine.listen(channels.mails, () => heard.mails++)
    await service.engine.listen(channels.deliveries, () => heard.deliveries++)

    await onServer(databaseUrl, `select pg_terminate_backend(pid) ${ofListeners}`)
    // Both learn that they may have missed notifications.
    await vi.waitFor(() => expect(heard).toEqual({ mails: 1, deliveries: 1 }), { timeout: 60_000 })
    await onServer(databaseUrl, `notify ${channels.mails}`)
    await vi.waitFor(() => expect(heard).toEqual({ mails: 2, deliveries: 1 }), { timeout: 60_000 })
    await onServer(databaseUrl, `notify ${channels.deliveries}`)
    await vi.waitFor(() => expect(heard).toEqual({ mails: 2, deliveries: 2 }), { timeout: 60_000 })

    const again = await listening()
    expect(again).toHaveLength(1)
    expect(again).not.toEqual([first])
  })

  it('loses no more than the requests that were under way when its connections are cut', async () => {
    const databaseUrl = await freshPostgresUrl()
    const name = new URL(databaseUrl).pathname.slice(1)
    const service = await startTestService({ engine: openPostgres(databaseUrl, { poolSize: 5 }) })
    onTestFinished(() => service.stop())
    const { owner } = await service.given.organisation()

    const asked = Array.from({ length: 40 }, () => owner.get('/v1/admin/users'))
    await Promise.race(asked)
    await onServer(urlOf(databaseUrl, 'postgres'), `select pg_terminate_backend(pid) from pg_stat_activity where datname = '${name}'`)

    for (const { status } of await Promise.all(asked)) expect([200, 503]).toContain(status)
    expect(await owner.get('/v1/admin/users')).toMatchObject({ status: 200 })
  })

  it('holds on to no connection that the database ends in the middle of a transaction', async () => {
    const engine = openPostgres(await freshPostgresUrl(), { poolSize: 4, takesRoles: false })
    const ended = () => engine.transaction((one) => one.execute({ sql: 'select pg_terminate_backend(pg_backend_pid())', parameters: [] }))
    // More than it may open. Each tries to roll back in the turn in which the connection ends.
    for (let count = 0; count < 10; count++) await expect(ended()).rejects.toThrow()
    expect(await engine.execute({ sql: 'select 1 as one', parameters: [] })).toMatchObject({ rows: [{ one: 1 }] })
    await engine.close()
  })
})
