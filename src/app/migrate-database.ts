import type { Actor } from '../activity/actor.ts'
import { recordForWholeDatabase } from '../activity/record-for-every-organisation.ts'
import type { Clock } from '../platform/clock.ts'
import { createDatabase } from '../platform/database/database.ts'
import type { Engine } from '../platform/database/engine.ts'
import { migrate } from '../platform/database/migrate.ts'

/**
 * Brings the schema up to date, which the audit log of each organisation then says.
 *
 * @returns the names of the migrations that were applied
 */
export async function migrateDatabase(engine: Engine, actor: Actor, clock: Clock): Promise<string[]> {
  const migrations = await migrate(engine)
  if (migrations.length > 0) {
    const record = { action: 'database.migrated', metadata: { migrations } } as const
    await createDatabase(engine, clock).systemTransaction((system) => recordForWholeDatabase(system, actor, record))
  }
  return migrations
}
