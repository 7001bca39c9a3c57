import type { Command } from 'commander'
import type { z } from 'zod'
import { wrongUse } from './add-command.ts'

/** Parses the options of a command as the body of a route: each field is the option of its name. A mistake ends the command with 2. */
export function parseOptions<Schema extends z.ZodType>(command: Command, schema: Schema, given: object = {}): z.output<Schema> {
  const { json, dryRun, ...fields } = command.opts()
  const parsed = schema.safeParse({ ...fields, ...given })
  if (parsed.success) return parsed.data
  return wrongUse(
    command,
    parsed.error.issues.map(({ path, message }) => `${optionOf(String(path[0] ?? ''))} is wrong: ${message}`).join('; '),
  )
}

/** Turns `ownerEmail` into `--owner-email`. */
const optionOf = (field: string) => `--${field.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`
