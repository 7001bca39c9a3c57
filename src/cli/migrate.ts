import process from 'node:process'
import { migrate } from '../platform/database/migrate.ts'
import { withDatabase } from './with-database.ts'

/** `gatehouse migrate`: brings the database up to date without starting the service. */
export const migrateCommand = () =>
  withDatabase(async (_config, engine) => {
    const applied = await migrate(engine)
    await engine.close()
    process.stdout.write(applied.length > 0 ? `Applied ${applied.join(', ')}\n` : 'Nothing to migrate\n')
  })
