import { once } from 'node:events'
import { createServer } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import { freePort } from '../../test/support/free-port.ts'
import { type Delivering, now } from './delivering.ts'
import { median, percentile } from './percentiles.ts'

const healthyEndpoints = 10
const changesPerRound = 200
const changesBeforeRound = 30
const millisecondsBetweenChanges = 20
const backlog = 2_000

/** The ways in which an endpoint can fail to respond, each with such an address. */
export async function unresponsiveAddresses(receiverUrl: string) {
  // Accepts connections and sends nothing: to an HTTPS client the same as a network that drops packets.
  const mute = createServer(() => {})
    .listen(0, '127.0.0.1')
    .unref()
  await once(mute, 'listening')
  const address = mute.address() as { port: number }
  return {
    refusing: `https://localhost:${await freePort()}/`,
    mute: `https://localhost:${address.port}/`,
    silent: `${receiverUrl}/silent`,
    failing: `${receiverUrl}/failing`,
  }
}

/**
 * The latencies of an organisation's ten healthy endpoints at a steady rate of changes: with an eleventh endpoint that does
 * not respond, and while that one is inactive. The endpoints, their connections and the rate are the same in both. A round has
 * 2,000 deliveries, of which the 20 slowest are beyond its p99.
 */
export async function measureBeside(delivering: Delivering, unresponsiveUrl: string, rounds: number) {
  const urls = Array.from({ length: healthyEndpoints }, (_, index) => `${delivering.receiverUrl}/${index}`)
  const organisationId = await delivering.organisationWith([...urls, unresponsiveUrl])
  const isUnresponsive = 'organisation_id = $1 and url = $2'

  /** As if the endpoint had been failing for hours: a long queue of deliveries that are due again. */
  async function bringIn(): Promise<void> {
    await delivering.sql(`update webhook_endpoints set is_active = true where ${isUnresponsive}`, organisationId, unresponsiveUrl)
    await delivering.sql(
      `insert into webhook_deliveries (organisation_id, id, endpoint_id, event_id, event, variant, body, next_attempt_at, created_at)
       select organisation_id, new_id('dlv', now()), id, 'evt_' || number, 'role.created', variant, '{}', now(), now()
       from webhook_endpoints, generate_series(1, ${backlog}) number where ${isUnresponsive}`,
      organisationId,
      unresponsiveUrl,
    )
  }

  async function takeAway(): Promise<void> {
    await delivering.sql(
      `update webhook_endpoints set is_active = false, failure_count = 0 where ${isUnresponsive}`,
      organisationId,
      unresponsiveUrl,
    )
    await delivering.sql(
      `delete from webhook_deliveries where organisation_id = $1 and endpoint_id in (select id from webhook_endpoints where ${isUnresponsive})`,
      organisationId,
      unresponsiveUrl,
    )
  }

  /** Makes changes at a steady rate, without waiting. @returns how long each delivery took from its commit to the receiver */
  async function steadily(changes: number): Promise<number[]> {
    const committed: Promise<number>[] = []
    const begun = now()
    for (let number = 0; number < changes; number++) {
      const wait = begun + number * millisecondsBetweenChanges - now()
      if (wait > 0) await pause(wait)
      committed.push(delivering.change(organisationId, number))
    }
    const arrivals = await delivering.arrivals(changes * healthyEndpoints)
    const commits = await Promise.all(committed)
    return arrivals.map(({ at, number }) => at - (commits[number] ?? Number.NaN))
  }

  async function round(): Promise<number[]> {
    // Activating and deactivating the endpoint has a cost that is not to be measured.
    await delivering.sql('vacuum analyze webhook_deliveries')
    await steadily(changesBeforeRound)
    return steadily(changesPerRound)
  }

  const without: number[][] = []
  const beside: number[][] = []
  const measureWithout = async () => without.push(await round())
  const measureBeside = async () => {
    await bringIn()
    beside.push(await round())
    await takeAway()
  }
  await takeAway()
  await round()
  // Alternate which comes first, so that other load of the machine affects both.
  for (let n = 0; n < rounds; n++) {
    for (const measure of n % 2 === 0 ? [measureWithout, measureBeside] : [measureBeside, measureWithout]) await measure()
  }
  return { without: summary(without), beside: summary(beside) }
}

function summary(rounds: number[][]) {
  const of = (share: number) => rounds.map((latencies) => percentile(latencies, share))
  return { p50: median(of(0.5)), p99: median(of(0.99)), p99s: of(0.99), pooledP99: percentile(rounds.flat(), 0.99) }
}
