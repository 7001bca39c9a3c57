import { randomBytes } from 'node:crypto'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'
import { afterAll, describe, expect, it } from 'vitest'
import { databaseKind, freshPostgresUrl } from '../support/database.ts'
import { cookieOf } from '../support/given.ts'
import { HttpClient } from '../support/http-client.ts'
import { type ReceivedRequest, useReceiver } from '../support/receiver.ts'
import { ServiceProcess } from '../support/service-process.ts'
import { createEndpoint } from '../support/webhooks.ts'

const receiver = await useReceiver()
const changes = 2_000
const concurrency = 8

describe.runIf(databaseKind() === 'postgres')('two processes that are killed at random', () => {
  let folder = ''
  const processes: ServiceProcess[] = []
  afterAll(async () => {
    await Promise.all(processes.map((process) => process.end('SIGKILL')))
    await rm(folder, { recursive: true, force: true })
  })

  it('deliver every committed change at least once and no other, and leave nothing claimed', async () => {
    folder = await mkdtemp(join(tmpdir(), 'gatehouse-chaos-'))
    await writeFile(join(folder, 'ca.pem'), receiver.ca)
    const databaseUrl = await freshPostgresUrl()
    const owner = { email: 'owner@chaos.test', password: randomBytes(12).toString('hex') }
    const environment = {
      DATABASE_URL: databaseUrl,
      DATA_DIR: folder,
      SECRET_KEY: randomBytes(32).toString('base64'),
      SYSTEM_API_KEY: randomBytes(32).toString('hex'),
      BOOTSTRAP_OWNER_EMAIL: owner.email,
      BOOTSTRAP_OWNER_PASSWORD: owner.password,
      WEBHOOK_ALLOW_PRIVATE_ADDRESSES: 'true',
      WEBHOOK_LEASE_SECONDS: '2',
      NODE_EXTRA_CA_CERTS: join(folder, 'ca.pem'),
    }
    const start = async () => (await ServiceProcess.start(environment)).ready()
    processes.push(await start(), await start())
    const anyProcess = () => processes[Math.floor(Math.random() * processes.length)] as ServiceProcess

    const login = await new HttpClient(anyProcess().origin).post('/v1/auth/login', owner)
    const headers = { cookie: cookieOf(login), 'x-csrf-token': login.body.csrfToken }
    const hook = receiver.hook()
    await createEndpoint(new HttpClient(anyProcess().origin, headers), { url: hook.url, events: ['role.created'], variant: 'A' })

    // Half of the attempts fail, but at most two of the three attempts of a delivery.
    const failures = new Map<string, number>()
    const delivered = new Set<string>()
    hook.answer = ({ body }: ReceivedRequest) => {
      const failed = failures.get(body) ?? 0
      if (failed < 2 && Math.random() < 0.5) {
        failures.set(body, failed + 1)
        return { status: 500 }
      }
      delivered.add(JSON.parse(body).data.role.slug)
      return { status: 200 }
    }

    let begun = 0
    let changing = true
    const change = async () => {
      while (begun < changes) {
        const slug = `r-${begun++}`
        // A request that failed may have been committed: then its retry is refused because the slug is taken.
        const create = () => new HttpClient(anyProcess().origin, headers).post('/v1/admin/roles', { name: slug, slug })
        while (![201, 409].includes((await create().catch(() => pause(20, { status: 0 }))).status));
      }
    }
    let kills = 0
    const kill = async () => {
      while (changing) {
        // By what was done, not by the time it took: a slow machine must not see more of them.
        const next = begun + 100 + Math.random() * 300
        while (changing && begun < next) await pause(10)
        const victim = Math.floor(Math.random() * processes.length)
        await processes[victim]?.end('SIGKILL')
        kills++
        processes[victim] = await start()
      }
    }
    const killing = kill()
    await Promise.all(Array.from({ length: concurrency }, change))
    changing = false
    await killing

    const database = new pg.Client({ connectionString: databaseUrl })
    await database.connect()
    const count = async (condition: string) =>
      (await database.query(`select count(*)::int from webhook_deliveries where ${condition}`)).rows[0].count
    while ((await count(`status = 'pending'`)) > 0) await pause(100)

    const { rows } = await database.query(`select slug from roles where slug like 'r-%'`)
    const committed = rows.map(({ slug }) => slug).sort()
    expect(kills).toBeGreaterThan(2)
    expect(committed).toHaveLength(changes)
    expect([...delivered].sort()).toEqual(committed)
    expect(await count('claimed_until is not null')).toBe(0)
    expect(await count(`status <> 'delivered'`)).toBe(0)
    await database.end()
    expect(await Promise.all(processes.splice(0).map((process) => process.end()))).toEqual([0, 0])
    // Half a minute on an idle machine.
  })
})
