import { migrateDatabase } from '../app/migrate-database.ts'
import { systemClock } from '../platform/clock.ts'
import { migrationState } from '../platform/database/migrate.ts'
import { whenReachable } from '../platform/database/when-reachable.ts'
import { cliActor } from './actor.ts'
import { print } from './print.ts'
import { refuseNewer } from './refuse-newer.ts'
import { sayWaiting } from './say-waiting.ts'
import { textOfApplied } from './text-of-applied.ts'
import { withDatabase } from './with-database.ts'

/** `gatehouse migrate`: brings the database up to date without starting the service. */
export const migrateCommand = () =>
  withDatabase(async (config, engine) => {
    const waiting = { seconds: config.databaseWaitSeconds, ...sayWaiting(config) }
    refuseNewer(await whenReachable(() => migrationState(engine), waiting))
    const applied = await migrateDatabase(engine, cliActor(), systemClock, waiting)
    await engine.close()
    print(applied.length > 0 ? `${textOfApplied(applied)}\n` : 'Nothing to migrate\n')
  })
