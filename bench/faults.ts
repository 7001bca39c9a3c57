/**
 * Takes away what the service depends on while a client creates users, and prints what became of them: nothing that was
 * acknowledged may be missing, neither the user nor the mail nor the webhook, and the service recovers by itself.
 * `npm run bench:faults` for all, `npm run bench:faults -- database` for one: `database`, `mail`, `redis`.
 */
import { performance } from 'node:perf_hooks'
import process from 'node:process'
import { setTimeout as pause } from 'node:timers/promises'
import { Redis } from 'ioredis'
import { type FaultyService, Load, startFaultyService } from './support/faulty-service.ts'
import { median } from './support/percentiles.ts'

const restarts = 20
const outageMilliseconds = 10_000
/** Longer than the first pause of a mail that failed. */
const patienceMilliseconds = 180_000

interface Fault {
  settings: Record<string, string>
  /** Between two requests of the load. */
  pauseMilliseconds: number
  /** @returns the milliseconds of each recovery, and from what to what they count */
  run(service: FaultyService, load: Load): Promise<{ recoveries: number[]; counted: string }>
}

const faults: Record<string, Fault> = {
  database: {
    settings: { RATE_LIMIT: 'off' },
    pauseMilliseconds: 40,
    async run({ postgres }, load) {
      const recoveries: number[] = []
      for (let round = 0; round < restarts; round++) {
        await load.nextAcknowledged()
        await pause(500)
        await postgres.restart()
        recoveries.push(await load.nextAcknowledged())
      }
      return { recoveries, counted: 'PostgreSQL accepts connections to the next acknowledged write' }
    },
  },
  mail: {
    settings: { RATE_LIMIT: 'off' },
    pauseMilliseconds: 100,
    async run({ smtp, startSmtp, mailed }, load) {
      await load.nextAcknowledged()
      await smtp.stop()
      await pause(outageMilliseconds)
      await startSmtp(smtp.port)
      const from = performance.now()
      const missing = new Set([...load.acknowledged.values()].filter((email) => !mailed.has(email)))
      await until(() => [...missing].every((email) => mailed.has(email)))
      return { recoveries: [performance.now() - from], counted: `the server is back to the last of the ${missing.size} waiting mails` }
    },
  },
  redis: {
    settings: {},
    pauseMilliseconds: 250,
    async run({ redis }, load) {
      await load.nextAcknowledged()
      await redis.stop()
      await pause(outageMilliseconds)
      await redis.start()
      const from = performance.now()
      const reader = new Redis(redis.url)
      while ((await reader.keys('gatehouse:limit:*')).length === 0) await pause(20)
      reader.disconnect()
      return { recoveries: [performance.now() - from], counted: 'Redis accepts connections to the first request counted in it' }
    },
  },
}

async function until(holds: () => boolean): Promise<void> {
  const deadline = performance.now() + patienceMilliseconds
  while (!holds() && performance.now() < deadline) await pause(50)
}

async function measure(name: string, { settings, pauseMilliseconds, run }: Fault): Promise<void> {
  const service = await startFaultyService(settings)
  try {
    const load = new Load(service.admin, pauseMilliseconds)
    const { recoveries, counted } = await run(service, load)
    await load.stop()
    const { acknowledged, statuses, longestMilliseconds } = load
    await until(() => [...acknowledged].every(([id, email]) => service.mailed.has(email) && service.delivered.has(id)))
    const userIds = await service.userIds()
    const missing = {
      users: [...acknowledged.keys()].filter((id) => !userIds.has(id)).length,
      mails: [...acknowledged.values()].filter((email) => !service.mailed.has(email)).length,
      webhooks: [...acknowledged.keys()].filter((id) => !service.delivered.has(id)).length,
    }
    const memory = await service.memory()
    const lost = missing.users + missing.mails + missing.webhooks
    // Neither lost nor refused with a reason.
    const unexplained = [...statuses.keys()].filter((status) => !['201', '503'].includes(status))
    const rows = {
      faults: recoveries.length,
      answers: [...statuses].map(([status, count]) => `${count} × ${status}`).join(', '),
      'longest answer': `${Math.round(longestMilliseconds)} ms`,
      missing: `${missing.users} users, ${missing.mails} mails, ${missing.webhooks} webhooks of ${acknowledged.size} acknowledged`,
      recovery: `median ${Math.round(median(recoveries))} ms, longest ${Math.round(Math.max(...recoveries))} ms: ${counted}`,
      memory: `${memory.now} MiB, at most ${memory.most} MiB`,
      verdict: lost > 0 || unexplained.length > 0 ? 'DOES NOT HOLD' : 'holds',
    }
    process.stdout.write(
      `${name}\n${Object.entries(rows)
        .map(([what, value]) => `  ${what}: ${value}\n`)
        .join('')}`,
    )
    if (rows.verdict !== 'holds') process.exitCode = 1
  } finally {
    await service.stop()
  }
}

const [asked] = process.argv.slice(2)
if (asked && !faults[asked]) throw new Error(`There is no fault called ${asked}: ${Object.keys(faults).join(', ')}`)
for (const [name, fault] of Object.entries(faults)) if (!asked || asked === name) await measure(name, fault)
process.exit()
