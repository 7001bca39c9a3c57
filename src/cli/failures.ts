import { ConfigError } from '../app/config.ts'
import { Problem } from '../platform/http/problem.ts'

/** What a command says when it ends with 1, in the words of its author. */
export class CommandFailure extends Error {}

/** One line for each thing that went wrong. */
export function linesOfFailure(error: unknown): readonly string[] {
  if (error instanceof ConfigError) return error.mistakes
  if (error instanceof Problem)
    return error.errors ? error.errors.map(({ path, message }) => `${path.join('.')}: ${message}`) : [error.detail]
  return [error instanceof Error ? error.message : String(error)]
}
