import process from 'node:process'
import { Command, CommanderError, type Option } from 'commander'
import packageJson from '../../package.json' with { type: 'json' }
import { whyUnusable } from '../platform/system-errors.ts'
import { linesOfFailure } from './failures.ts'
import { print, printNotice, styled } from './print.ts'

const helpWidth = 110

interface Group {
  register(program: Command): void
}

const headings = {
  service: 'The service:',
  administration: 'Organisations and their users:',
  configuration: 'Configuration as code:',
  upkeep: 'The installation:',
  integration: 'Applications:',
  shell: 'The command itself:',
} as const

/** The groups of commands by their first words, in the order of the help. Each is loaded only when it is needed. */
const groups: readonly { words: readonly string[]; heading: keyof typeof headings; load: () => Promise<Group> }[] = [
  { words: ['serve', 'test-mode', 'first-steps', 'migrate'], heading: 'service', load: () => import('./service/commands.ts') },
  { words: ['doctor'], heading: 'service', load: () => import('./doctor/commands.ts') },
  { words: ['config'], heading: 'service', load: () => import('./config/commands.ts') },
  { words: ['organisation'], heading: 'administration', load: () => import('./organisation/commands.ts') },
  { words: ['user'], heading: 'administration', load: () => import('./user/commands.ts') },
  {
    words: ['client', 'role', 'permission', 'team', 'invitation', 'api-key', 'connection', 'directory', 'setup-link', 'domain', 'audit'],
    heading: 'administration',
    load: () => import('./records/commands.ts'),
  },
  { words: ['import'], heading: 'administration', load: () => import('./import/commands.ts') },
  { words: ['keys', 'secret-key'], heading: 'upkeep', load: () => import('./keys/commands.ts') },
  { words: ['explain'], heading: 'administration', load: () => import('./explain/commands.ts') },
  { words: ['verify'], heading: 'upkeep', load: () => import('./verify/commands.ts') },
  { words: ['database'], heading: 'upkeep', load: () => import('./database/commands.ts') },
  { words: ['create'], heading: 'integration', load: () => import('./examples/commands.ts') },
  { words: ['webhooks'], heading: 'integration', load: () => import('./webhooks/commands.ts') },
  { words: ['diff', 'plan', 'apply', 'export'], heading: 'configuration', load: () => import('./configuration/commands.ts') },
  // This group needs all commands.
  { words: [], heading: 'shell', load: () => import('./completion/commands.ts') },
]

/** Runs the command that the words name. Its exit status is 0, 1 when it failed, 2 when it was used wrongly. */
export async function runProgram(given: readonly string[]): Promise<void> {
  const words = withHelpAndVersion(given)
  // The reader of a pipe may end before us.
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code === 'EPIPE') process.exit()
    printNotice(`The output cannot be written: ${whyUnusable(error)}`)
    process.exit(1)
  })
  // A notice without a reader is no reason to end in the middle of a change.
  process.stderr.on('error', () => {})
  try {
    const program = await createProgram(words[0])
    await program.parseAsync(words, { from: 'user' })
  } catch (error) {
    if (error instanceof CommanderError) process.exitCode = error.exitCode === 0 ? 0 : 2
    else {
      printNotice(...linesOfFailure(error))
      process.exitCode = 1
    }
  }
}

/** Rewrites `help user block` to `user block --help`, `version` and `-v` to `--version`, and no words to `--help`. */
function withHelpAndVersion(words: readonly string[]): readonly string[] {
  const [first, ...others] = words
  if (first === undefined) return ['--help']
  if (first === 'help') return [...others, '--help']
  return first === 'version' || first === '-v' ? ['--version'] : words
}

/** @param word the first one; only the commands that begin with it are added, or all when none does */
export async function createProgram(word?: string): Promise<Command> {
  const program = new Command('gatehouse')
    .description('Starts, prepares and administers Gatehouse on the database that the environment names.')
    .version(packageJson.version, '-V, --version', 'print the release')
    .helpOption('-h, --help', 'show help')
    .helpCommand(false)
    .usage('[command]')
    .exitOverride()
    .showHelpAfterError('Run `gatehouse --help`.')
    .configureHelp({
      styleTitle: (title) => styled('bold', title),
      optionDescription: (option) => `${option.description}${option.mandatory ? ' (required)' : ''}${defaultOf(option)}`,
    })
    .configureOutput({
      // Except on a narrow terminal, the width is the same on every machine: a test compares the help with its document.
      getOutHelpWidth: () => Math.min(process.stdout.columns ?? helpWidth, helpWidth),
      getErrHelpWidth: () => helpWidth,
      // A mistake quotes what was typed, so this output must be cleaned, too.
      writeOut: (text) => print(text),
      writeErr: (text) => print(text, process.stderr),
      outputError: (text, write) => write(text.replace(/^error: (.)/, (_, first: string) => first.toUpperCase())),
    })
    .option(
      '--env-file <file>',
      'read variables from this file, as systemd and Docker do; the environment takes precedence, then the last file',
    )
    .addHelpText('after', '\nRun `gatehouse help <command>` for a command with its options and an example.')
  const asked = groups.filter(({ words }) => word !== undefined && words.includes(word))
  const loaded = await Promise.all((asked.length > 0 ? asked : groups).map(({ load }) => load()))
  loaded.forEach(({ register }, index) => {
    const before = program.commands.length
    register(program)
    const heading = (asked.length > 0 ? asked : groups)[index]?.heading
    if (heading) for (const command of program.commands.slice(before)) command.helpGroup(headings[heading])
  })
  return program
}

const defaultOf = ({ defaultValue }: Option): string =>
  ['string', 'number'].includes(typeof defaultValue) ? ` (default: ${JSON.stringify(defaultValue)})` : ''
