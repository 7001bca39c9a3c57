import { type Command, InvalidArgumentError } from 'commander'
import { addCommand, addGroup } from '../add-command.ts'

/** `gatehouse serve` and `gatehouse migrate`. Without parameters they bypass this: see `gatehouse.ts`. */
export function register(program: Command): void {
  addCommand(program, 'serve', {
    summary: 'Starts the service, and runs it until you stop it',
    examples: ['DATABASE_URL=postgres://gatehouse:…@localhost/gatehouse gatehouse serve', 'gatehouse serve --seed acme.yaml'],
    json: false,
  })
    .option(
      '--seed <file>',
      'in development, an organisation to make in an empty database, as a document with users; can be repeated',
      collected,
      [],
    )
    .action(async ({ seed }) =>
      seed.length > 0 ? (await import('../serve-with-seeds.ts')).serveWithSeeds(seed) : (await import('../serve.ts')).serveCommand(),
    )

  addCommand(program, 'test-mode', {
    summary: 'Starts the service for the tests of an application: in memory, with its clock, mails and faults in the hands of the tests',
    examples: ['gatehouse test-mode --port 4000', 'gatehouse test-mode --seed acme.yaml'],
    json: false,
  })
    .option('--port <port>', 'where it listens, on this machine alone; 0 is any free port', portOf, 0)
    .option('--seed <file>', 'an organisation that is there from the start, as a document with users; can be repeated', collected, [])
    .option('--repeatable', 'identifiers, secrets, signing keys and the first time are the same ones in each run')
    .option('--json', 'print where it is as JSON, and stop when the standard input ends')
    .action(async (options) => (await import('./test-mode.ts')).testModeCommand(options))

  addCommand(program, 'first-steps', {
    summary:
      'Prints again where the service is and how to sign in for the first time, as long as the first password is in use; of the password only a hash is stored, so it is not printed again',
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

const collected = (file: string, files: string[]) => [...files, file]

function portOf(text: string): number {
  const port = Number(text)
  if (!/^\d{1,5}$/.test(text) || port > 65_535) throw new InvalidArgumentError('It must be a port, from 0 to 65535.')
  return port
}
