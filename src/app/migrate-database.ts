import type { Actor } from '../activity/actor.ts'
import { recordForWholeDatabase } from '../activity/record-for-every-organisation.ts'
import type { Clock } from '../platform/clock.ts'
import { createDatabase } from '../platform/database/database.ts'
import type { Engine } from '../platform/database/engine.ts'
import { migrate } from '../platform/database/migrate.ts'

type Retry = <T>(work: () => Promise<T>) => Promise<T>

/**
 * Brings the schema up to date, which the audit log of each organisation then says.
 *
 * @param retry runs each of the two steps, for example until the database can be reached. A retry of both would find nothing to apply,
 *   and record nothing
 * @returns the names of the migrations that were applied
 */
export async function migrateDatabase(engine: Engine, actor: Actor, clock: Clock, retry: Retry = (work) => work()): Promise<string[]> {
  const migrations = await retry(() => migrate(engine))
  if (migrations.length > 0) {
    const record = { action: 'database.migrated', metadata: { migrations } } as const
    const database = createDatabase(engine, clock)
    await retry(() => database.systemTransaction((system) => recordForWholeDatabase(system, actor, record)))
  }
  return migrations
}
