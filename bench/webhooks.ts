/**
 * How fast webhooks leave: deliveries a second to a local receiver, the time from commit to first attempt with many
 * endpoints, beside what a bare HTTP client achieves, and what one dead endpoint does to the others. One process, a real
 * PostgreSQL (`DATABASE_URL` names another), a real HTTPS receiver in another thread: `npm run bench:webhooks`.
 */
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { performance } from 'node:perf_hooks'
import process from 'node:process'
import { setTimeout as pause } from 'node:timers/promises'
import { Worker } from 'node:worker_threads'
import pg from 'pg'
import { pino } from 'pino'
import { Agent, request } from 'undici'
import { theService } from '../src/activity/actor.ts'
import { role } from '../src/activity/example-objects.ts'
import { record } from '../src/activity/record.ts'
import { createKeyring } from '../src/platform/crypto/keyring.ts'
import { createDatabase } from '../src/platform/database/database.ts'
import { migrate } from '../src/platform/database/migrate.ts'
import { openPostgres } from '../src/platform/database/postgres.ts'
import { createOutbox } from '../src/platform/mail/outbox.ts'
import { deliveryChannel, startDeliverer } from '../src/webhooks/deliver.ts'
import { createSender } from '../src/webhooks/send.ts'
import { startPostgres } from '../test/support/postgres-server.ts'

const server = process.env.DATABASE_URL ? undefined : await startPostgres({ durable: true })
const serverUrl = process.env.DATABASE_URL ?? (server?.url as string)
const name = `bench_webhooks_${Date.now()}`
const admin = new pg.Client({ connectionString: serverUrl })
await admin.connect()
await admin.query(`create database ${name}`)
const url = new URL(serverUrl)
url.pathname = `/${name}`
const measuring = new pg.Client({ connectionString: url.href })
await measuring.connect()

const engine = openPostgres(url.href, { poolSize: 10 })
await migrate(engine)
const clock = { now: () => new Date() }
const database = createDatabase(engine, clock)
const keyring = createKeyring(randomBytes(32))

const receiver = new Worker(new URL('./support/webhook-receiver.ts', import.meta.url))
const [{ port, ca }] = (await once(receiver, 'message')) as [{ port: number; ca: string }]
const arrivals = async (): Promise<number[]> => {
  receiver.postMessage('arrivals')
  return (await once(receiver, 'message'))[0]
}

const logger = pino({ level: 'error' })
const deliverer = startDeliverer({
  database,
  keyring,
  outbox: createOutbox(keyring),
  sender: createSender({ clock, allowPrivateAddresses: true, ca }),
  logger,
  leaseSeconds: 30,
})
await engine.listen(deliveryChannel, deliverer.wake)

const deadRounds = 9
const changesPerTurn = 100
const bareBody = JSON.stringify(role)

/** Of this thread: the receiver's is another. */
function cpuMicroseconds(): number {
  const { user, system } = process.threadCpuUsage()
  return user + system
}

let organisations = 0
/** An organisation with so many endpoints. */
async function organisationWith(endpoints: number, deadEndpoints = 0): Promise<string> {
  const id = `org_${String(++organisations).padStart(26, '0')}`
  await database.transaction(id, async (tenant) => {
    await tenant
      .insertInto('organisations')
      .values({ id, name: id, slug: id.replace('_', '-'), email: `${id}@bench.test`, createdAt: tenant.now, updatedAt: tenant.now })
      .execute()
    await tenant
      .insertInto('webhookEndpoints')
      .values(
        Array.from({ length: endpoints + deadEndpoints }, (_, index) => {
          const endpointId = `wh_${organisations}_${index}`
          return {
            id: endpointId,
            url: `https://localhost:${port}/${index < endpoints ? endpointId : 'dead'}`,
            events: ['role.created'],
            variant: 'B' as const,
            secretEncrypted: keyring.encrypt('whsec_bench', endpointId),
            createdAt: tenant.now,
            updatedAt: tenant.now,
          }
        }),
      )
      .execute()
  })
  return id
}

const change = (organisationId: string) =>
  database.transaction(organisationId, (tenant) => record(tenant, theService, { action: 'role.created', role }))

const percentile = (sorted: number[], share: number) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN
const median = (values: number[]) =>
  percentile(
    values.toSorted((left, right) => left - right),
    0.5,
  )
const rounded = (milliseconds: number) => `${milliseconds.toFixed(1)} ms`
const now = () => performance.timeOrigin + performance.now()

async function arrived(count: number): Promise<number[]> {
  const all: number[] = []
  while (all.length < count) {
    all.push(...(await arrivals()))
    await pause(5)
  }
  return all.sort((left, right) => left - right)
}

async function throughput(): Promise<void> {
  const organisationId = await organisationWith(100)
  // As in any database that has been in use: plans know the table, connections are open.
  for (let n = 0; n < 50; n++) await change(organisationId)
  await arrived(5_000)
  await deliverer.finishDueWork()
  await measuring.query('analyze')
  const started = now()
  for (let n = 0; n < 200; n++) await change(organisationId)
  const times = await arrived(20_000)
  await deliverer.finishDueWork()
  const seconds = ((times.at(-1) ?? 0) - started) / 1_000
  print('deliveries per second (100 endpoints, 20,000 deliveries)', Math.round(20_000 / seconds).toString())
}

const latencyRounds = 8

/** Prints when, after a beginning, so many requests reached the receiver, and what one took of the sending thread. */
async function measureLatency(what: string, count: number, send: () => Promise<{ begun: number; end(): Promise<unknown> }>): Promise<void> {
  const first: number[] = []
  const all: number[] = []
  let cpu = 0
  for (let round = 0; round < latencyRounds; round++) {
    const cpuBefore = cpuMicroseconds()
    const { begun, end } = await send()
    const times = (await arrived(count)).map((time) => time - begun)
    await end()
    // The first round opens the connections.
    if (round === 0) continue
    cpu += cpuMicroseconds() - cpuBefore
    first.push(times[0] ?? Number.NaN)
    all.push(...times)
  }
  all.sort((left, right) => left - right)
  const latencies = `first ${rounded(Math.max(...first))}, p50 ${rounded(percentile(all, 0.5))}, p99 ${rounded(percentile(all, 0.99))}, last ${rounded(all.at(-1) ?? 0)}`
  print(what, `${latencies}; ${Math.round(cpu / all.length)} µs CPU each`)
}

async function latency(endpoints: number): Promise<void> {
  const organisationId = await organisationWith(endpoints)
  await measureLatency(`commit to first attempt, ${endpoints} endpoints`, endpoints, async () => {
    await change(organisationId)
    return { begun: now(), end: deliverer.finishDueWork }
  })
}

/** What is left when everything but HTTP is taken away: as many requests, as many at a time, by the same client. */
async function bareLatency(requests: number): Promise<void> {
  const agent = new Agent({ connect: { ca }, pipelining: 1 })
  const atATime = 300
  const sendSome = async (from: number) => {
    for (let n = from; n < requests; n += atATime) {
      const answer = await request(`https://localhost:${port}/bare/${n}`, { dispatcher: agent, method: 'POST', body: bareBody })
      await answer.body.dump()
    }
  }
  await measureLatency(`a bare client, ${requests} requests`, requests, async () => {
    const begun = now()
    const sent = Promise.all(Array.from({ length: atATime }, (_, from) => sendSome(from)))
    return { begun, end: () => sent }
  })
  await agent.close()
}

/** The p99 of one endpoint's latencies while changes come steadily, with or without a dead endpoint beside it. */
async function steady(organisationId: string, rounds: number): Promise<number[]> {
  const latencies: number[] = []
  for (let n = 0; n < rounds; n++) {
    await change(organisationId)
    const committed = now()
    latencies.push(...(await arrived(10)).map((time) => time - committed))
  }
  return latencies
}

async function deadEndpoint(): Promise<void> {
  const [healthy, burdened] = [await organisationWith(10), await organisationWith(10, 1)]
  const p99 = async (organisationId: string) =>
    percentile(
      (await steady(organisationId, changesPerTurn)).sort((left, right) => left - right),
      0.99,
    )
  const [without, beside]: [number[], number[]] = [[], []]
  await p99(healthy)
  await p99(burdened)
  // By turns, each the first in every other round: what else the machine does meanwhile meets both.
  for (let round = 0; round < deadRounds; round++) {
    if (round % 2 === 0) without.push(await p99(healthy))
    beside.push(await p99(burdened))
    if (round % 2 === 1) without.push(await p99(healthy))
  }
  const of = (values: number[]) => `median of ${deadRounds} rounds ${rounded(median(values))} (${values.map(rounded).join(', ')})`
  print('p99 without a dead endpoint', of(without))
  print('p99 beside a dead endpoint', of(beside))
  print('difference of the medians', `${((median(beside) / median(without) - 1) * 100).toFixed(1)} %`)
}

function print(what: string, value: string): void {
  process.stdout.write(`${what}: ${value}\n`)
}

try {
  await throughput()
  for (const endpoints of [10, 100, 1_000]) await latency(endpoints)
  await bareLatency(1_000)
  await deadEndpoint()
} finally {
  await deliverer.stop()
  await receiver.terminate()
  await Promise.all([engine.close(), measuring.end()])
  await admin.query(`drop database ${name} with (force)`)
  await admin.end()
  await server?.stop()
}
