import { access, readFile } from 'node:fs/promises'
import type { Command } from 'commander'
import { whyUnusable } from '../../platform/system-errors.ts'
import { UnusableKey } from '../../system/transfer/recipient.ts'
import { wrongUse } from '../add-command.ts'
import { CommandFailure } from '../failures.ts'

/** @throws CommandFailure when one of the files exists */
export async function refuseExisting(...files: readonly string[]): Promise<void> {
  for (const file of files) {
    const exists = await access(file).then(
      () => true,
      () => false,
    )
    if (exists) throw new CommandFailure(`${file} exists already: give another name, or remove it`)
  }
}

/** Reads the key that an option names. A mistake ends the command with 2. */
export async function readKey<Key>(command: Command, option: string, file: string, keyOf: (text: string) => Promise<Key>): Promise<Key> {
  const text = await readFile(file, 'utf8').catch((error: unknown) =>
    wrongUse(command, `${option}: ${file} cannot be read: ${whyUnusable(error)}`),
  )
  return keyOf(text).catch((error: unknown) => {
    if (error instanceof UnusableKey) return wrongUse(command, `${option}: ${file} cannot be used: ${error.message}`)
    throw error
  })
}
