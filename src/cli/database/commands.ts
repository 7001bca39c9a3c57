import type { Command } from 'commander'
import { addCommand, addGroup } from '../add-command.ts'

/** `gatehouse database`. */
export function register(program: Command): void {
  const database = addGroup(program, 'database', 'The database as a whole')

  addCommand(database, 'move', {
    summary:
      'Copies the database to an empty PostgreSQL, compares both, and says what to change in the environment; the service must be stopped',
    examples: [
      'gatehouse database move --to postgres://gatehouse:…@db.internal/gatehouse',
      'gatehouse database move --to postgres://gatehouse:…@db.internal/gatehouse --dry-run',
    ],
    changes: true,
  })
    .requiredOption('--to <url>', 'the database that takes it, such as postgres://user:password@host:5432/name')
    .action(async (options, command) => (await import('./move.ts')).moveDatabase(command, options))

  addCommand(database, 'backup <file>', {
    summary: 'Writes a backup of the embedded database, while the service runs or not',
    examples: ['gatehouse database backup gatehouse.backup', 'gatehouse database backup /backups/today.backup --force'],
  })
    .option('--force', 'replaces the file')
    .action(async (file, options) => (await import('./backup.ts')).backUpDatabase(file, options))

  addCommand(database, 'restore <file>', {
    summary: 'Checks a backup of the embedded database and puts it in the place of the present one; a service that runs starts again on it',
    examples: ['gatehouse database restore gatehouse.backup --dry-run', 'gatehouse database restore gatehouse.backup --replace'],
    changes: true,
  })
    .option('--replace', 'takes the place of the database that is there, which is kept beside it')
    .action(async (file, options) => (await import('./restore.ts')).restoreDatabase(file, options))
}
