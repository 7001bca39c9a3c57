import { writeFile } from 'node:fs/promises'
import { whyUnwritable } from '../platform/system-errors.ts'
import { CommandFailure } from './failures.ts'

/** Writes a file. @throws CommandFailure that names it, with the reason */
export const writeTo = (file: string, text: string, options: { mode?: number; flag?: 'wx' } = {}): Promise<void> =>
  writeFile(file, text, options).catch((error: unknown) => {
    throw unwritable(file, error)
  })

export const unwritable = (file: string, error: unknown) => new CommandFailure(`${file} cannot be written: ${whyUnwritable(error)}`)
