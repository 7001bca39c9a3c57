import { readFile } from 'node:fs/promises'
import process from 'node:process'
import { text as textOfStream } from 'node:stream/consumers'
import { whyUnusable } from '../platform/system-errors.ts'
import { CommandFailure } from './failures.ts'

interface Naming {
  /** What names the file, such as `--input`. Without it the file itself is the subject of the sentence. */
  named?: string
  /** What the sentence ends in, with its own punctuation. */
  hint?: string
}

/** Reads a file that an option or a setting names. @throws CommandFailure saying why it cannot be read */
export const readNamedFile = (file: string, naming: Naming = {}): Promise<string> => readFile(file, 'utf8').catch(refusing(file, naming))

/** Reads such a file, or standard input for `-`. @throws CommandFailure saying why it cannot be read */
export const readNamedFileOrInput = (file: string, naming: Naming = {}): Promise<string> =>
  file === '-' ? textOfStream(process.stdin).catch(refusing(file, naming)) : readNamedFile(file, naming)

const refusing =
  (file: string, { named, hint = '' }: Naming) =>
  (error: unknown): never => {
    const subject = named === undefined ? `${file} cannot be read` : `${named} is "${file}", which cannot be read`
    throw new CommandFailure(`${subject}: ${whyUnusable(error)}${hint}`)
  }
