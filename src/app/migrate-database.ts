import type { Actor } from '../activity/actor.ts'
import { recordForWholeDatabase } from '../activity/record-for-every-organisation.ts'
import type { Clock } from '../platform/clock.ts'
import { createDatabase } from '../platform/database/database.ts'
import type { Engine } from '../platform/database/engine.ts'
import { migrate } from '../platform/database/migrate.ts'
import { type Waiting, whenReachable } from '../platform/database/when-reachable.ts'

const notWaiting: Waiting = { seconds: 0, onAway() {}, onBack() {} }

/**
 * Brings the schema up to date and records that in the audit log of each organisation, including what was applied before a failure.
 *
 * @returns the names of the migrations that were applied
 */
export async function migrateDatabase(engine: Engine, actor: Actor, clock: Clock, waiting: Waiting = notWaiting): Promise<string[]> {
  const { seconds, onBlocked } = waiting
  const migrations: string[] = []
  const options = { seconds, ...(onBlocked && { onBlocked }), onApplied: (name: string) => void migrations.push(name) }
  const record = async () => {
    if (migrations.length === 0) return
    const database = createDatabase(engine, clock)
    const entry = { action: 'database.migrated', metadata: { migrations } } as const
    await whenReachable(() => database.systemTransaction((system) => recordForWholeDatabase(system, actor, entry)), waiting)
  }
  try {
    await whenReachable(() => migrate(engine, options), waiting)
  } catch (error) {
    // After half of a release, the tables may lack what an entry needs.
    await record().catch(() => {})
    throw error
  }
  await record()
  return migrations
}
