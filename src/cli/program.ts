import process from 'node:process'
import { Command, CommanderError } from 'commander'
import packageJson from '../../package.json' with { type: 'json' }
import { linesOfFailure } from './failures.ts'

interface Group {
  register(program: Command): void
}

/** The groups of commands, by the words that their commands begin with, in the order of the help. Each is loaded only when it is asked for. */
const groups: readonly { words: readonly string[]; load: () => Promise<Group> }[] = [
  { words: ['serve', 'migrate'], load: () => import('./service/commands.ts') },
  { words: ['doctor'], load: () => import('./doctor/commands.ts') },
  { words: ['config'], load: () => import('./config/commands.ts') },
  { words: ['organisation'], load: () => import('./organisation/commands.ts') },
  { words: ['user'], load: () => import('./user/commands.ts') },
  { words: ['import'], load: () => import('./import/commands.ts') },
  { words: ['keys', 'secret-key'], load: () => import('./keys/commands.ts') },
  { words: ['explain'], load: () => import('./explain/commands.ts') },
  { words: ['verify'], load: () => import('./verify/commands.ts') },
  { words: ['database'], load: () => import('./database/commands.ts') },
  { words: ['webhooks'], load: () => import('./webhooks/commands.ts') },
  { words: ['diff', 'plan', 'apply', 'export'], load: () => import('./configuration/commands.ts') },
  // It has to know them all.
  { words: [], load: () => import('./completion/commands.ts') },
]

/** Runs the command that the words name. Its exit status is 0, 1 when it failed, 2 when it was used wrongly. */
export async function runProgram(words: readonly string[]): Promise<void> {
  // The reader of a pipe may end before us.
  process.stdout.on('error', (error: NodeJS.ErrnoException) => process.exit(error.code === 'EPIPE' ? 0 : 1))
  try {
    const program = await createProgram(words[0])
    await program.parseAsync(words, { from: 'user' })
  } catch (error) {
    if (error instanceof CommanderError) process.exitCode = error.exitCode === 0 ? 0 : 2
    else {
      process.stderr.write((await linesOfFailure(error)).map((line) => `${line}\n`).join(''))
      process.exitCode = 1
    }
  }
}

/** @param word the first one; only the commands that begin with it are there, or all when none does */
export async function createProgram(word?: string): Promise<Command> {
  const program = new Command('gatehouse')
    .description('Starts, prepares and administers Gatehouse on the database that the environment names.')
    .version(packageJson.version, '-V, --version', 'prints the release')
    .helpOption('-h, --help', 'shows this')
    .helpCommand(false)
    .usage('[command]')
    .exitOverride()
    .showHelpAfterError('--help says how it is used.')
    .configureOutput({
      // The same on every machine: the help is compared with its document.
      getOutHelpWidth: () => 110,
      getErrHelpWidth: () => 110,
      outputError: (text, write) => write(text.replace(/^error: (.)/, (_, first: string) => first.toUpperCase())),
    })
    .addHelpText('after', '\nWithout a command it starts the service. `gatehouse <command> --help` says more.')
  const asked = groups.filter(({ words }) => word !== undefined && words.includes(word))
  const loaded = await Promise.all((asked.length > 0 ? asked : groups).map(({ load }) => load()))
  for (const { register } of loaded) register(program)
  return program
}
