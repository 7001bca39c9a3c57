import type { Command } from 'commander'
import { addCommand, addGroup } from '../add-command.ts'

/** `gatehouse serve` and `gatehouse migrate`. Without parameters they bypass this: see `gatehouse.ts`. */
export function register(program: Command): void {
  addCommand(program, 'serve', {
    summary: 'Starts the service, and runs it until you stop it',
    examples: ['DATABASE_URL=postgres://gatehouse:…@localhost/gatehouse gatehouse serve'],
    json: false,
  }).action(async () => (await import('../serve.ts')).serveCommand())

  addCommand(program, 'first-steps', {
    summary: 'Prints again where the service is and how to sign in for the first time, as long as the first password is in use',
    examples: ['gatehouse first-steps'],
  }).action(async (options) => (await import('./first-steps.ts')).firstSteps(options))

  // Without a word it bypasses this, and does the same as `up`.
  const migrate = addGroup(program, 'migrate', 'The schema of the database; without a subcommand the same as `migrate up`')
  addCommand(migrate, 'up', {
    summary: 'Migrates the database without starting the service',
    examples: ['gatehouse migrate up'],
    changes: true,
  }).action(async (options) => (await import('./migrate.ts')).migrateUp(options))

  addCommand(migrate, 'status', {
    summary: 'Lists the applied and pending migrations, and whether pending ones are safe while the former release still runs',
    examples: ['gatehouse migrate status', 'gatehouse migrate status --pending', 'gatehouse migrate status --rehearse'],
  })
    .option('--pending', 'only pending ones')
    .option('--rehearse', 'applies pending ones to a copy of the schema, and says how long each took and which tables it locked')
    .action(async (options) => (await import('./migrate.ts')).migrateStatus(options))
}
