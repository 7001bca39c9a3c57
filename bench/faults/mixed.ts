import { performance } from 'node:perf_hooks'
import process from 'node:process'
import { setTimeout as pause } from 'node:timers/promises'
import { Agent, setGlobalDispatcher } from 'undici'
import { onServer } from '../../test/support/database-server.ts'
import { FailoverLoad } from '../../test/support/failover-load.ts'
import { type FaultyService, Load, startFaultyService } from '../support/faulty-service.ts'
import { median, percentile } from '../support/percentiles.ts'
import { memoryOf } from '../support/process-status.ts'
import { type Fault, until } from './fault.ts'

const minute = 60_000
/** Before the quiet minute, so that the compilers of JavaScript are done. */
const warmUpMilliseconds = 20_000
/** A new process starts, and new connections are opened. */
const affectedMilliseconds = 5_000
/** Connections are opened anew so often that a replaced process gets its share of them. */
const requestsPerConnection = 20
const quietTimes = 3
const growthMax = 0.1
/** How a request ends whose process was killed. */
const resets = new Set(['ECONNRESET', 'UND_ERR_SOCKET', 'EPIPE'])

/** The faults of each minute, by its second. */
const everyMinute: Record<number, (service: FaultyService, killNewer: () => Promise<void>) => unknown> = {
  5: ({ postgres }) => postgres.restart(),
  12: ({ redis }) => redis.stop(),
  20: (_, killNewer) => killNewer(),
  22: ({ redis }) => redis.start(),
  26: ({ mailGate }) => mailGate.close(),
  32: ({ webhookGate }) => webhookGate.close(),
  40: (_, killNewer) => killNewer(),
  47: ({ webhookGate }) => webhookGate.open(),
  51: ({ mailGate }) => mailGate.open(),
  60: (_, killNewer) => killNewer(),
}
/** The seconds of those that no request can pass unaffected. */
const interrupting = new Set([5, 20, 40, 60])

/** When requests were interrupted. */
interface Interruption {
  from: number
  to: number
}

/** Everything at once: two processes under a mixed load, while all that they depend on fails in turn. */
export const mixed: Fault = async ({ minutes }) => {
  const service = await startFaultyService({ WORKERS: '2' })
  // A request without a response for a minute has failed.
  setGlobalDispatcher(new Agent({ maxRequestsPerClient: requestsPerConnection, headersTimeout: minute }))
  try {
    while ((await service.workers()).length < 2) await pause(100)
    const [elder = 0] = await service.workers()
    const load = await FailoverLoad.prepare(service.origin, service.owner, service.receiver)
    const running = load.start()
    const users = new Load(service.admin, 250)
    await pause(warmUpMilliseconds)
    const quietFrom = performance.now()
    await pause(minute)
    const quietUntil = performance.now()

    const memory: number[] = []
    const samples = setInterval(async () => memory.push((await memoryOf(elder)).now), 1_000)
    const interruptions = await disturb(service, elder, minutes)
    clearInterval(samples)
    const disturbedUntil = performance.now()

    await users.stop()
    const { acknowledged, statuses } = users
    await until(() => [...acknowledged].every(([id, email]) => service.mailed.has(email) && service.delivered.has(id)))
    const teams = async () => new Set((await onServer(service.databaseUrl, 'select slug from teams')).map(({ slug }) => String(slug)))
    const { requests, unavailable, otherFailures, lostWrites, lostWebhooks, usedTwice } = await running.stop(teams)
    const userIds = await service.userIds()
    const missing = {
      users: [...acknowledged.keys()].filter((id) => !userIds.has(id)).length,
      mails: [...acknowledged.values()].filter((email) => !service.mailed.has(email)).length,
      webhooks: [...acknowledged.keys()].filter((id) => !service.delivered.has(id)).length,
    }

    const ends = [...otherFailures, ...[...statuses].flatMap(([status, count]) => Array<string>(count).fill(status))]
    const count = (isMeant: (end: string) => boolean) => ends.filter(isMeant).length
    const unexplained = ends.filter((end) => !resets.has(end) && end !== '201' && end !== '503')
    const timed = [...running.timed, ...users.timed.map((one) => ({ ...one, kind: 'new user' }))]
    const isAffected = ({ at, milliseconds }: (typeof timed)[number]) =>
      interruptions.some(({ from, to }) => at + milliseconds > from && at < to + affectedMilliseconds)
    const latencies = [...Map.groupBy(timed, ({ kind }) => kind)].map(([kind, all]) => {
      const during = (from: number, to: number) => all.filter(({ at }) => at >= from && at < to)
      const p99 = (some: typeof all) =>
        percentile(
          some.map(({ milliseconds }) => milliseconds),
          0.99,
        )
      const disturbed = during(quietUntil, disturbedUntil)
      return {
        kind,
        quiet: p99(during(quietFrom, quietUntil)),
        unaffected: p99(disturbed.filter((one) => !isAffected(one))),
        all: p99(disturbed),
      }
    })
    const byMinute = Array.from({ length: minutes }, (_, index) => median(memory.slice(index * 60, (index + 1) * 60)))
    // The heap of young objects grows and shrinks by tens of MiB: what counts is whether its highest level rises.
    const half = Math.ceil(minutes / 2)
    const growth = Math.max(...byMinute.slice(half)) / Math.max(...byMinute.slice(0, half)) - 1

    const lost = lostWrites.length + lostWebhooks + usedTwice + missing.users + missing.mails + missing.webhooks
    const areFast = latencies.every(({ quiet, unaffected }) => unaffected <= quietTimes * quiet)
    for (const what of new Set([...lostWrites, ...unexplained])) process.stderr.write(`${what}\n`)
    const repeated = service.repeated()
    const inWords = {
      faults: `in each of ${minutes} minutes three killed processes and a restart of PostgreSQL; Redis away for 10 s, mail server hanging for 25 s, a receiver of webhooks for 15 s`,
      requests: `${requests + sum(statuses.values())}: ${unavailable + count((end) => end === '503')} × 503 with Retry-After, ${count((end) => resets.has(end))} connections reset, ${unexplained.length} failed in any other way`,
      'acknowledged and missing': `${lostWrites.length} sessions, teams, codes and tokens, ${missing.users} users, ${missing.mails} mails, ${missing.webhooks + lostWebhooks} webhooks; ${acknowledged.size} users had been acknowledged`,
      'codes and refresh tokens that worked twice': String(usedTwice),
      'arrived twice': `${repeated.mails} mails, ${repeated.webhooks} webhooks`,
      'memory of the process that lived through it, in each minute': `${byMinute.join(', ')} MiB`,
    }
    const inMilliseconds = (value: number) => `${value.toFixed(value < 10 ? 1 : 0)} ms`
    return {
      holds: lost === 0 && unexplained.length === 0 && !(growth > growthMax) && areFast,
      rows: {
        ...inWords,
        ...Object.fromEntries(
          latencies.map(({ kind, quiet, unaffected, all }) => [
            kind,
            `p99 ${inMilliseconds(quiet)} quiet, ${inMilliseconds(unaffected)} between the interruptions (${(unaffected / quiet).toFixed(1)}), ${inMilliseconds(all)} of all`,
          ]),
        ),
      },
      document: [
        '| | |',
        '| --- | --- |',
        ...Object.entries(inWords).map(([what, value]) => `| ${what} | ${value} |`),
        '',
        '| | p99 in a quiet minute | p99 between the interruptions | p99 of all |',
        '| --- | --- | --- | --- |',
        ...latencies.map(
          ({ kind, quiet, unaffected, all }) =>
            `| ${kind} | ${inMilliseconds(quiet)} | ${inMilliseconds(unaffected)} | ${inMilliseconds(all)} |`,
        ),
      ],
    }
  } finally {
    await service.stop()
  }
}

/**
 * Runs the faults of each minute.
 *
 * @param elder the process that is not killed, so that its memory can be watched
 * @returns when requests were interrupted
 */
async function disturb(service: FaultyService, elder: number, minutes: number): Promise<Interruption[]> {
  const interruptions: Interruption[] = []
  const killNewer = async () => {
    for (const worker of await service.workers()) if (worker !== elder) process.kill(worker, 'SIGKILL')
  }
  const from = performance.now()
  for (let passed = 0; passed < minutes; passed++) {
    for (const [second, fail] of Object.entries(everyMinute)) {
      await pause(from + passed * minute + Number(second) * 1_000 - performance.now())
      const began = performance.now()
      await fail(service, killNewer)
      if (interrupting.has(Number(second))) interruptions.push({ from: began, to: performance.now() })
    }
  }
  await pause(affectedMilliseconds)
  return interruptions
}

const sum = (values: Iterable<number>) => [...values].reduce((total, value) => total + value, 0)
