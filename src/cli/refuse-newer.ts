import packageJson from '../../package.json' with { type: 'json' }
import type { MigrationState } from '../platform/database/migrate.ts'
import { CommandFailure } from './failures.ts'

/** @throws CommandFailure when the database has migrations that this release does not know */
export function refuseNewer({ unknown }: MigrationState): void {
  const [newer] = unknown
  if (newer === undefined) return
  throw new CommandFailure(
    `The database is of a newer release: it has the migration ${newer}, which Gatehouse ${packageJson.version} does not know. Use the command of that release`,
  )
}
