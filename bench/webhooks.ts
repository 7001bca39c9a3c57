/**
 * How fast webhooks leave: deliveries a second to a local receiver, the time from commit to first attempt with many
 * endpoints, compared with a bare HTTP client, and the effect of one failing endpoint on the others. One process, a real
 * PostgreSQL (`DATABASE_URL` names another), a real HTTPS receiver in another thread:
 * `npm run bench:webhooks -- --only throughput,latency,unresponsive --unresponsive refusing,silent --rounds 7`.
 *
 * For the failing endpoint, rounds with and without it alternate, and the medians of their p99s are compared. It has failed
 * for hours, with 2,000 deliveries that are due again, in two ways by default. `refusing` refuses connections: it costs most,
 * because each attempt ends at once and the next can start. `silent` accepts connections and never responds: it occupies its
 * slot for as long as an attempt may take. `mute` (not even TLS) and `failing` (responds 500) are available, too.
 */
import process from 'node:process'
import { parseArgs } from 'node:util'
import { Agent, request } from 'undici'
import { role } from '../src/activity/example-objects.ts'
import { now, startDelivering } from './support/delivering.ts'
import { median, percentile } from './support/percentiles.ts'
import { measureBeside, unresponsiveAddresses } from './support/unresponsive-endpoint.ts'
import type { Arrival } from './support/webhook-receiver.ts'

const { values: options } = parseArgs({
  options: {
    only: { type: 'string', default: 'throughput,latency,unresponsive' },
    unresponsive: { type: 'string', default: 'refusing,silent' },
    rounds: { type: 'string', default: '7' },
  },
})
const parts = options.only.split(',')
const unresponsiveRounds = Number(options.rounds)
const latencyRounds = (count: number) => Math.max(12, Math.min(60, 6_000 / count))
const bareBody = JSON.stringify(role)

const delivering = await startDelivering()
const { receiverUrl } = delivering
const endpointUrls = (count: number) => Array.from({ length: count }, (_, index) => `${receiverUrl}/${index}`)

/** CPU time of this thread, without the receiver's. */
function cpuMicroseconds(): number {
  const { user, system } = process.threadCpuUsage()
  return user + system
}

const rounded = (milliseconds: number) => `${milliseconds.toFixed(1)} ms`
const print = (what: string, value: string) => process.stdout.write(`${what}: ${value}\n`)
const timesOf = (arrivals: Arrival[]) => arrivals.map(({ at }) => at).sort((left, right) => left - right)

async function throughput(): Promise<void> {
  const organisationId = await delivering.organisationWith(endpointUrls(100))
  // As in any database in use: the planner has statistics, and connections are open.
  for (let n = 0; n < 50; n++) await delivering.change(organisationId)
  await delivering.arrivals(5_000)
  await delivering.finishDueWork()
  await delivering.sql('analyze')
  const started = now()
  const cpuBefore = cpuMicroseconds()
  for (let n = 0; n < 200; n++) await delivering.change(organisationId)
  const times = timesOf(await delivering.arrivals(20_000))
  await delivering.finishDueWork()
  const seconds = ((times.at(-1) ?? 0) - started) / 1_000
  const cpu = `${Math.round((cpuMicroseconds() - cpuBefore) / 20_000)} µs CPU each`
  print('deliveries per second (100 endpoints, 20,000 deliveries)', `${Math.round(20_000 / seconds)}; ${cpu}`)
}

/**
 * Prints the time in which this many requests reached the receiver after a start, and the sending thread's CPU time per
 * request. The median round counts, since in some the database vacuums. The worst is printed, too.
 */
async function measureLatency(what: string, count: number, send: () => Promise<{ begun: number; end(): Promise<unknown> }>): Promise<void> {
  const rounds: number[][] = []
  let cpu = 0
  for (let round = 0; round < latencyRounds(count); round++) {
    const cpuBefore = cpuMicroseconds()
    const { begun, end } = await send()
    const times = timesOf(await delivering.arrivals(count)).map((time) => time - begun)
    await end()
    // The first round opens the connections.
    if (round === 0) continue
    cpu += cpuMicroseconds() - cpuBefore
    rounds.push(times)
  }
  const of = (share: number) => rounds.map((times) => percentile(times, share))
  const described = Object.entries({ first: of(0), p50: of(0.5), p99: of(0.99), last: of(1) }).map(
    ([name, values]) => `${name} ${rounded(median(values))} (worst ${rounded(Math.max(...values))})`,
  )
  print(what, `${described.join(', ')}; ${Math.round(cpu / (rounds.length * count))} µs CPU each`)
}

async function latency(endpoints: number): Promise<void> {
  const organisationId = await delivering.organisationWith(endpointUrls(endpoints))
  await measureLatency(`commit to first attempt, ${endpoints} endpoints`, endpoints, async () => {
    return { begun: await delivering.change(organisationId), end: delivering.finishDueWork }
  })
}

/** The cost of HTTP alone: the same number of requests, with the same concurrency, by the same client. */
async function bareLatency(requests: number): Promise<void> {
  const agent = new Agent({ connect: { ca: delivering.ca }, pipelining: 1 })
  const atATime = 300
  const sendSome = async (from: number) => {
    for (let n = from; n < requests; n += atATime) {
      const answer = await request(`${receiverUrl}/bare/${n}`, { dispatcher: agent, method: 'POST', body: bareBody })
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

async function unresponsiveEndpoint(): Promise<void> {
  const addresses: Record<string, string> = await unresponsiveAddresses(receiverUrl)
  for (const manner of options.unresponsive.split(',')) {
    const { without, beside } = await measureBeside(delivering, addresses[manner] ?? manner, unresponsiveRounds)
    for (const [arm, { p50, p99, p99s, pooledP99 }] of Object.entries({ without, beside })) {
      print(
        `${arm} a ${manner} endpoint`,
        `p50 ${rounded(p50)}, p99 ${rounded(p99)} (of all ${rounded(pooledP99)}; ${p99s.map(rounded).join(', ')})`,
      )
    }
    print('difference of the p99s', `${((beside.p99 / without.p99 - 1) * 100).toFixed(1)} %`)
  }
}

try {
  if (parts.includes('throughput')) await throughput()
  if (parts.includes('latency')) {
    for (const endpoints of [10, 100, 1_000]) await latency(endpoints)
    await bareLatency(1_000)
  }
  if (parts.includes('unresponsive')) await unresponsiveEndpoint()
} finally {
  await delivering.stop()
}
