import process from 'node:process'
import { readConfig } from '../app/config.ts'
import { ConfigError } from '../app/config-mistakes.ts'
import { Problem } from '../platform/http/problem.ts'
import { lineOfSystem } from '../platform/system-errors.ts'
import { mistakeInDataDir } from './data-dir.ts'
import { takenOnUser } from './data-dir-owner.ts'

/** A failure that ends a command with 1. Its message is shown as it is. */
export class CommandFailure extends Error {}

export function linesOfFailure(error: unknown): readonly string[] {
  const lines = linesOf(error)
  const user = takenOnUser()
  // Root may read or write what the user that it has switched to may not.
  const isOfUser = user !== undefined && lines.some((line) => /\b(EACCES|EPERM)\b/.test(line))
  return isOfUser ? [...lines, `This command runs as ${user}, who owns DATA_DIR: that user must be able to use the file`] : lines
}

function linesOf(error: unknown): readonly string[] {
  if (error instanceof CommandFailure) return [error.message]
  if (error instanceof ConfigError) return error.mistakes
  if (error instanceof Problem)
    return error.errors ? error.errors.map(({ path, message }) => `${path.join('.')}: ${message}`) : [error.detail]
  const mistake = mistakeInDataDirOf(process.env, error)
  if (mistake) return mistake.mistakes
  return [lineOfSystem(error) ?? (error instanceof Error ? error.message : String(error))]
}

function mistakeInDataDirOf(environment: Record<string, string | undefined>, error: unknown): ConfigError | undefined {
  try {
    return mistakeInDataDir(error, readConfig(environment))
  } catch {
    // Without a configuration the data directory is unknown.
    return undefined
  }
}
