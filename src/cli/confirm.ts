import process from 'node:process'
import { createInterface } from 'node:readline/promises'
import type { Command } from 'commander'
import { type ConfirmOptions, wrongUse } from './add-command.ts'
import { CommandFailure } from './failures.ts'
import { printNotice, styled } from './print.ts'

/** A change with consequences that a command is about to make. */
export interface Consequential {
  /** The consequences, in numbers: a sentence each, without its full stop. */
  consequences: readonly string[]
  /** How to take the change back, and what stays lost: a sentence without its full stop; undefined if it cannot be undone. */
  undoneBy?: string
  /** The name that the user types to confirm: the slug of an organisation, the address of a user. */
  name: string
}

/**
 * Asks for confirmation of a change with consequences: on a terminal the user types the name, elsewhere `--yes` is needed. A dry run
 * asks nothing.
 *
 * @throws CommandFailure when another name is typed, and ends the command with 2 when it cannot ask
 */
export async function confirm(command: Command, { yes, dryRun }: ConfirmOptions, consequential: Consequential): Promise<void> {
  if (yes || dryRun) return
  const { consequences, name, undoneBy = 'This cannot be undone' } = consequential
  if (!process.stdin.isTTY || !process.stderr.isTTY)
    wrongUse(command, `--yes is missing, and no terminal can ask: ${consequences.join('. ')}. ${undoneBy}`)
  printNotice(...consequences, styled('bold', `${undoneBy}.`))
  const typed = await ask(`Type ${name} to continue: `)
  if (typed !== name)
    throw new CommandFailure(`Nothing was changed: ${typed === undefined ? 'nothing' : `"${typed}"`} was typed, not "${name}"`)
}

/** @returns undefined when the input ends, or is interrupted */
async function ask(question: string): Promise<string | undefined> {
  const lines = createInterface({ input: process.stdin, output: process.stderr })
  try {
    const ended = new Promise<undefined>((resolve) => lines.once('close', () => resolve(undefined)))
    return (await Promise.race([lines.question(question), ended]))?.trim()
  } finally {
    lines.close()
  }
}
