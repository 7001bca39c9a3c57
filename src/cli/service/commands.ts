import type { Command } from 'commander'
import { addCommand, addGroup } from '../add-command.ts'

/** `gatehouse serve` and `gatehouse migrate`. Without parameters they bypass this: see `gatehouse.ts`. */
export function register(program: Command): void {
  addCommand(program, 'serve', {
    summary: 'Starts the service, and runs it until it is told to stop',
    examples: ['DATABASE_URL=postgres://gatehouse:…@localhost/gatehouse gatehouse serve'],
    json: false,
  }).action(async () => (await import('../serve.ts')).serveCommand())

  addCommand(program, 'first-steps', {
    summary: 'Says again where the service is and how to sign in for the first time, as long as the first password is in use',
    examples: ['gatehouse first-steps'],
  }).action(async (options) => (await import('./first-steps.ts')).firstSteps(options))

  // Without a word it bypasses this, and does the same as `up`.
  const migrate = addGroup(program, 'migrate', 'The schema of the database; alone it brings it up to date, as `migrate up` does')
  addCommand(migrate, 'up', {
    summary: 'Brings the database up to date without starting the service: applies what is pending, all of it or nothing',
    examples: ['gatehouse migrate up'],
    changes: true,
  }).action(async (options) => (await import('./migrate.ts')).migrateUp(options))

  addCommand(migrate, 'status', {
    summary: 'Lists the migrations: which are applied, which pending, and whether those are safe while the former release still runs',
    examples: ['gatehouse migrate status', 'gatehouse migrate status --pending', 'gatehouse migrate status --rehearse'],
  })
    .option('--pending', 'only those that are pending')
    .option('--rehearse', 'applies those to a copy of the schema, and says how long each took and which tables it locked')
    .action(async (options) => (await import('./migrate.ts')).migrateStatus(options))
}
