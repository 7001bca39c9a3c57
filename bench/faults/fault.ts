import { performance } from 'node:perf_hooks'
import { setTimeout as pause } from 'node:timers/promises'
import type { HttpClient } from '../../test/support/http-client.ts'
import { type FaultyService, Load, startFaultyService } from '../support/faulty-service.ts'
import { median } from '../support/percentiles.ts'

/** Longer than the first pause of a mail that failed. */
const patienceMilliseconds = 180_000

/** What one fault found. */
export interface Outcome {
  rows: Record<string, string>
  holds: boolean
  /** The lines of its table in docs/reliability.md, if this run writes them. */
  document?: string[]
}

/** Something that goes wrong, and what becomes of the service meanwhile. */
export type Fault = (asked: { minutes: number }) => Promise<Outcome>

interface Interruption {
  settings: Record<string, string>
  /** Whether the service keeps its database in `DATA_DIR`. */
  isEmbedded?: boolean
  /** Whether it reaches its database by a network that can fail. */
  byNetwork?: boolean
  /** Between two requests of the load. */
  pauseMilliseconds: number
  /** Who creates the users: the owner, by a session, unless said otherwise. */
  client?(service: FaultyService): Promise<HttpClient>
  /** @returns the milliseconds of each recovery, and from what to what they count */
  run(service: FaultyService, load: Load): Promise<{ recoveries: number[]; counted: string }>
}

/** Waits until something holds, or for as long as the slowest recovery may take. */
export async function until(holds: () => boolean): Promise<void> {
  const deadline = performance.now() + patienceMilliseconds
  while (!holds() && performance.now() < deadline) await pause(50)
}

/** A fault that takes away what the service depends on while users are created: none that was acknowledged may be missing. */
export const interruption =
  ({ settings, isEmbedded = false, byNetwork = false, pauseMilliseconds, client, run }: Interruption): Fault =>
  async () => {
    const service = await startFaultyService(settings, { isEmbedded, byNetwork })
    try {
      const load = new Load((await client?.(service)) ?? service.admin, pauseMilliseconds)
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
      const repeated = service.repeated()
      const lost = missing.users + missing.mails + missing.webhooks
      // Neither lost nor refused with a reason.
      const unexplained = [...statuses.keys()].filter((status) => !['201', '503'].includes(status))
      return {
        holds: lost === 0 && unexplained.length === 0,
        rows: {
          faults: String(recoveries.length),
          answers: [...statuses].map(([status, count]) => `${count} × ${status}`).join(', '),
          'longest answer': `${Math.round(longestMilliseconds)} ms`,
          missing: `${missing.users} users, ${missing.mails} mails, ${missing.webhooks} webhooks of ${acknowledged.size} acknowledged`,
          'arrived twice': `${repeated.mails} mails, ${repeated.webhooks} webhooks`,
          recovery: `median ${Math.round(median(recoveries))} ms, longest ${Math.round(Math.max(...recoveries))} ms: ${counted}`,
          memory: `${memory.now} MiB, at most ${memory.most} MiB`,
        },
      }
    } finally {
      await service.stop()
    }
  }
