import { describe, expect, it, onTestFinished, vi } from 'vitest'
import type { Engine } from '../../src/platform/database/engine.ts'
import { channels } from '../../src/platform/database/locks-and-channels.ts'
import { openPostgres, type PostgresOptions } from '../../src/platform/database/postgres.ts'
import { databaseKind, freshPostgresUrl } from '../support/database.ts'
import { onServer } from '../support/database-server.ts'
import { needsPgBouncer, startPgBouncer } from '../support/pgbouncer.ts'
import { startTestService } from '../support/service.ts'
import { type SilentNetwork, silentNetwork } from '../support/silent-network.ts'

const silentMilliseconds = 400

async function aNetwork(): Promise<SilentNetwork & { direct: string }> {
  const direct = await freshPostgresUrl()
  const network = await silentNetwork(direct)
  onTestFinished(network.stop)
  return { ...network, direct }
}

function anEngine(url: string, options: Partial<PostgresOptions> = {}): Engine {
  const engine = openPostgres(url, { poolSize: 4, silentMilliseconds, ...options })
  onTestFinished(() => engine.close())
  return engine
}

async function aService(url: string) {
  const service = await startTestService({ engine: openPostgres(url, { poolSize: 6, silentMilliseconds }) })
  onTestFinished(() => service.stop())
  const { owner } = await service.given.organisation()
  return { service, owner }
}

describe.runIf(databaseKind() === 'postgres')('a service whose network to the database fails without a word', () => {
  it('responds 503 to the requests that were under way, and continues on new connections', async () => {
    const network = await aNetwork()
    const { service, owner } = await aService(network.url)
    const paths = ['/v1/me/profile', '/v1/admin/users', '/v1/admin/roles', '/readyz']
    await Promise.all(paths.map((path) => owner.get(path)))

    network.loseConnections()
    for (const { status } of await Promise.all([...paths, ...paths, ...paths].map((path) => owner.get(path)))) {
      expect([200, 503]).toContain(status)
    }

    await expect.poll(async () => (await owner.get('/v1/admin/users')).status).toBe(200)
    for (const path of paths) expect([path, await owner.get(path)]).toMatchObject([path, { status: 200 }])
    expect(await service.given.user(owner)).toMatchObject({ roles: [{ slug: 'member' }] })
    const reasons = service.logLines.map((line) => JSON.parse(line).reason)
    expect(reasons).toContain('connection terminated: it has brought no answer for 0.4 seconds')
  })

  it('responds 503 as long as nothing arrives, and then works as before', async () => {
    const network = await aNetwork()
    const { service, owner } = await aService(network.url)

    network.fail()
    const answers = await Promise.all(['/readyz', '/v1/me/profile', '/v1/admin/users'].map((path) => owner.get(path)))
    expect(answers.map(({ status }) => status)).toEqual([503, 503, 503])
    network.mend()

    await expect.poll(async () => (await owner.get('/v1/admin/users')).status).toBe(200)
    expect(await service.given.user(owner)).toMatchObject({ roles: [{ slug: 'member' }] })
  })

  it('lets no second request wait for a connection that is lost as well', async () => {
    const network = await aNetwork()
    const engine = anEngine(network.url)
    const one = { sql: 'select 1 as one', parameters: [] }
    await Promise.all([1, 2].map(() => engine.transaction((work) => work.execute(one))))

    network.loseConnections()
    await expect(engine.execute(one)).rejects.toThrow('connection terminated')
    for (let count = 0; count < 4; count++) expect(await engine.execute(one)).toMatchObject({ rows: [{ one: 1 }] })
  })

  it('goes by the time alone through a pooler in transaction mode, which cannot be asked', async () => {
    const network = await aNetwork()
    const engine = anEngine(network.url, { pooler: 'transaction' })
    const one = { sql: 'select 1 as one', parameters: [] }
    await engine.execute(one)

    network.loseConnections()
    await expect(engine.execute(one)).rejects.toThrow('connection terminated')
    expect(await engine.execute(one)).toMatchObject({ rows: [{ one: 1 }] })
    await expect(engine.execute(sleepingFor(6 * silentMilliseconds))).rejects.toThrow('connection terminated')
  })

  it('hears of what happens again', async () => {
    const network = await aNetwork()
    const engine = anEngine(network.url)
    let heard = 0
    await engine.listen(channels.mails, () => heard++)

    network.loseConnections()
    // It may have missed one.
    await vi.waitFor(() => expect(heard).toBe(1), { timeout: 60_000 })
    await onServer(network.direct, `notify ${channels.mails}`)
    await vi.waitFor(() => expect(heard).toBe(2), { timeout: 60_000 })
  })

  it('holds no lock of a transaction that was lost', async () => {
    const network = await aNetwork()
    const engine = anEngine(network.url)
    const insert = { sql: `insert into tasks (name, next_run_at) values ('a-test', now())`, parameters: [] }

    const lost = engine.transaction(async (one) => {
      await one.execute(insert)
      network.loseConnections()
      await one.execute({ sql: 'select 1', parameters: [] })
    })
    await expect(lost).rejects.toThrow('connection terminated: it has brought no answer for 0.4 seconds')
    // It would wait for the end of the other, which has inserted the same.
    expect(await engine.execute(insert)).toMatchObject({ numAffectedRows: 1n })
  })

  it('waits for a statement that takes its time', async () => {
    const network = await aNetwork()
    expect(await anEngine(network.url).execute(sleepingFor(6 * silentMilliseconds))).toMatchObject({ rows: [{ slept: 'so long' }] })
  })

  it('waits for one through pgBouncer in session mode, which hides who works on it', needsPgBouncer, async () => {
    const { url, stop } = await startPgBouncer(await freshPostgresUrl(), 5, 'session')
    onTestFinished(stop)
    expect(await anEngine(url).execute(sleepingFor(6 * silentMilliseconds))).toMatchObject({ rows: [{ slept: 'so long' }] })
  })

  it('waits for one that waits for another', async () => {
    const network = await aNetwork()
    const engine = anEngine(network.url)
    const insert = { sql: `insert into tasks (name, next_run_at) values ('a-test', now()) on conflict do nothing`, parameters: [] }
    const done = await Promise.all([
      engine.transaction(async (one) => {
        await one.execute(insert)
        await one.execute(sleepingFor(6 * silentMilliseconds))
      }),
      engine.execute(insert),
    ])
    expect(done).toHaveLength(2)
  })
})

const sleepingFor = (milliseconds: number) => ({
  sql: `select 'so long' as slept from pg_sleep($1::float8 / 1000)`,
  parameters: [milliseconds],
})
