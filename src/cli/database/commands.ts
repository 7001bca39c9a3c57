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
}
