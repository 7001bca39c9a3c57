import type { Command } from 'commander'
import { addCommand, addGroup, yesOption } from '../add-command.ts'

/** `gatehouse database`. */
export function register(program: Command): void {
  const database = addGroup(program, 'database', 'The database as a whole')

  addCommand(database, 'move', {
    summary:
      'Copies the database to an empty PostgreSQL, compares both, and says what to change in the environment; the service must be stopped',
    examples: [
      'gatehouse database move --to postgres://gatehouse@db.internal/gatehouse --dry-run',
      'gatehouse database move --to postgres://gatehouse@db.internal/gatehouse',
    ],
    changes: true,
  })
    .option(
      '--to <url>',
      'the target database, such as postgres://user@host:5432/name, with the password in PGPASSWORD; or the whole URL in DATABASE_MOVE_TO',
    )
    .action(async (options, command) => (await import('./move.ts')).moveDatabase(command, options))

  addCommand(database, 'backup <file>', {
    summary: 'Writes a backup of the embedded database, whether or not the service runs',
    examples: ['gatehouse database backup gatehouse.backup', 'gatehouse database backup /backups/today.backup --force'],
  })
    .option('--force', 'replaces the file')
    .action(async (file, options) => (await import('./backup.ts')).backUpDatabase(file, options))

  addCommand(database, 'restore <file>', {
    summary: 'Checks a backup of the embedded database and replaces the current database with it; a running service restarts on it',
    examples: ['gatehouse database restore gatehouse.backup --dry-run', 'gatehouse database restore gatehouse.backup --replace --yes'],
    changes: true,
  })
    .option('--replace', 'replaces an existing database, which stays beside it')
    .option(...yesOption)
    .action(async (file, options, command) => (await import('./restore.ts')).restoreDatabase(file, options, command))
}
