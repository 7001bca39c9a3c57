import { type Command, Option } from 'commander'

export interface CommonOptions {
  json?: boolean
  dryRun?: boolean
}

/** Options of a command that asks for confirmation before an irreversible change. */
export interface ConfirmOptions extends CommonOptions {
  yes?: boolean
}

/** The option that skips the confirmation. */
export const yesOption = ['--yes', 'do not ask for confirmation; needed where there is no terminal'] as const

export interface CommandDescription {
  summary: string
  examples: readonly [string, ...string[]]
  /** Whether the command changes something: then it has `--dry-run`. */
  changes?: boolean
  /** False for a command that runs until it is told to stop, or prints no records. */
  json?: boolean
}

/** Adds the first word of several commands. */
export const addGroup = (program: Command, word: string, summary: string): Command =>
  withHint(program.command(word).description(summary).usage('<command>').helpCommand(false))

/** Adds a command with the options that all commands have. @param nameAndArguments such as `block <email>` */
export function addCommand(
  parent: Command,
  nameAndArguments: string,
  { summary, examples, changes, json = true }: CommandDescription,
): Command {
  const command = withHint(parent.command(nameAndArguments).description(summary).allowExcessArguments(false))
  if (json) command.addOption(new Option('--json', 'print JSON: one document, or one per line for a list'))
  if (changes) command.addOption(new Option('--dry-run', 'show what would happen without changing anything'))
  return command.addHelpText(
    'after',
    `\n${examples.length === 1 ? 'Example' : 'Examples'}:\n${examples.map((line) => `  ${line}`).join('\n')}`,
  )
}

/** Adds options that several commands have, in this order. */
export const withOptions = (command: Command, options: readonly (readonly [flags: string, description: string])[]): Command =>
  options.reduce((one, [flags, description]) => one.option(flags, description), command)

/** Makes a command name the relevant help after a mistake. */
function withHint(command: Command): Command {
  const words: string[] = []
  for (let one: Command | null = command; one; one = one.parent) words.unshift(one.name())
  return command.showHelpAfterError(`Run \`${words.join(' ')} --help\`.`)
}

/** Ends a command that was used wrongly, with exit status 2. @param message names the option or argument */
export function wrongUse(command: Command, message: string): never {
  return command.error(message, { exitCode: 2 })
}
