import process from 'node:process'
import { migrateDatabase } from '../app/migrate-database.ts'
import { systemClock } from '../platform/clock.ts'
import { whenReachable } from '../platform/database/when-reachable.ts'
import { cliActor } from './actor.ts'
import { sayWaiting } from './say-waiting.ts'
import { withDatabase } from './with-database.ts'

/** `gatehouse migrate`: brings the database up to date without starting the service. */
export const migrateCommand = () =>
  withDatabase(async (config, engine) => {
    const waiting = { seconds: config.databaseWaitSeconds, ...sayWaiting(config) }
    const applied = await migrateDatabase(engine, cliActor(), systemClock, (work) => whenReachable(work, waiting))
    await engine.close()
    process.stdout.write(applied.length > 0 ? `Applied ${applied.join(', ')}\n` : 'Nothing to migrate\n')
  })
