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
      'the database that takes it, such as postgres://user@host:5432/name, with the password in PGPASSWORD; or all of it in DATABASE_MOVE_TO',
    )
    .action(async (options, command) => (await import('./move.ts')).moveDatabase(command, options))

  addCommand(database, 'backup <file>', {
    summary: 'Writes a backup of the embedded database, while the service runs or not',
    examples: ['gatehouse database backup gatehouse.backup', 'gatehouse database backup /backups/today.backup --force'],
  })
    .option('--force', 'replaces the file')
    .action(async (file, options) => (await import('./backup.ts')).backUpDatabase(file, options))

  addCommand(database, 'restore <file>', {
    summary: 'Checks a backup of the embedded database and puts it in the place of the present one; a service that runs starts again on it',
    examples: ['gatehouse database restore gatehouse.backup --dry-run', 'gatehouse database restore gatehouse.backup --replace --yes'],
    changes: true,
  })
    .option('--replace', 'takes the place of the database that is there, which is kept beside it')
    .option(...yesOption)
    .action(async (file, options, command) => (await import('./restore.ts')).restoreDatabase(file, options, command))
}
