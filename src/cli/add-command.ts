import { type Command, Option } from 'commander'

/** Options that commands share. */
export interface CommonOptions {
  json?: boolean
  dryRun?: boolean
}

export interface CommandDescription {
  /** What it does, in one sentence. */
  summary: string
  /** What a user types, one line each. */
  examples: readonly [string, ...string[]]
  /** Whether it changes something: then it has `--dry-run`. */
  changes?: boolean
  /** False for a command that runs until it is told to stop, or prints no records. */
  json?: boolean
}

/** Adds the first word that several commands share. */
export const addGroup = (program: Command, word: string, summary: string): Command =>
  program.command(word).description(summary).usage('<command>').helpCommand(false)

/** Adds a command with the options that all have. @param nameAndArguments such as `block <email>` */
export function addCommand(
  parent: Command,
  nameAndArguments: string,
  { summary, examples, changes, json = true }: CommandDescription,
): Command {
  const command = parent.command(nameAndArguments).description(summary).allowExcessArguments(false)
  if (json) command.addOption(new Option('--json', 'prints JSON: one document, or one for each line of a list'))
  if (changes) command.addOption(new Option('--dry-run', 'does it and undoes it: says what would happen, and changes nothing'))
  return command.addHelpText(
    'after',
    `\n${examples.length === 1 ? 'Example' : 'Examples'}:\n${examples.map((line) => `  ${line}`).join('\n')}`,
  )
}

/** Ends a command that was used wrongly, with 2. @param message names the option or argument */
export function wrongUse(command: Command, message: string): never {
  return command.error(message, { exitCode: 2 })
}
