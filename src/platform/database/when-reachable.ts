import { setTimeout as pause } from 'node:timers/promises'
import type { BlockedMigration } from './contended-migration.ts'
import { isDatabaseAway } from './outage.ts'

const tryEveryMilliseconds = 500
const tellEveryMilliseconds = 5_000

export interface Waiting {
  /** The longest time to wait; 0 does not wait. */
  seconds: number
  /** Called at once and every five seconds. */
  onAway(error: unknown, secondsLeft: number): void
  /** Called when the database is reachable after all. */
  onBack(): void
  /** Called when a migration gives way to a transaction that holds its tables. */
  onBlocked?(blocked: BlockedMigration): void
}

/** Runs work on a database that may be unreachable for a moment, as when both are started together. The work must be safe to repeat. */
export async function whenReachable<T>(work: () => Promise<T>, { seconds, onAway, onBack }: Waiting): Promise<T> {
  const startedAt = performance.now()
  let toldAt: number | undefined
  for (;;) {
    try {
      const value = await work()
      if (toldAt !== undefined) onBack()
      return value
    } catch (error) {
      const now = performance.now()
      const left = seconds * 1_000 - (now - startedAt)
      if (!isDatabaseAway(error) || left <= 0) throw error
      if (toldAt === undefined || now - toldAt >= tellEveryMilliseconds) {
        toldAt = now
        onAway(error, Math.ceil(left / 1_000))
      }
      await pause(Math.min(tryEveryMilliseconds, left))
    }
  }
}
