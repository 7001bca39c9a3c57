/** Whether an embedded database exists or existed: an empty one is created only where no trace of a former one remains. */
import { lstat, readdir } from 'node:fs/promises'
import { basename, dirname } from 'node:path'

/** No database is found although traces of one exist, or several folders could be the database. */
export interface DatabaseMissing extends Error {
  code: 'DATABASE_MISSING'
  /** The names of the traces. */
  found: readonly string[]
  /** The remedy for the operator, as the end of a sentence. */
  remedy: string
}

export const missing = (folder: string, found: readonly string[], remedy: string): DatabaseMissing =>
  Object.assign(new Error(`${folder} is missing, and there is ${listed(found)}: ${remedy}`), {
    code: 'DATABASE_MISSING' as const,
    found,
    remedy,
  })

const listed = (names: readonly string[]) => names.join(', ').replace(/, ([^,]*)$/, ' and $1')

/** The names that betray a former database: its lock, and folders that only a restore creates. */
export const tracesOf = (folder: string): Promise<string[]> => namesBeside(folder, 'lock', 'before-', 'restored-', 'failed-', 'taken-')

/** @throws DatabaseMissing when there are traces of a former database */
export async function mustBeNew(folder: string, isUnfinished: boolean): Promise<void> {
  const found = await tracesOf(folder)
  // The lock remains after a start that was killed before it had created the first database.
  const lock = `${basename(folder)}.lock`
  const folders = found.filter((name) => name !== lock)
  if (folders.length === 0 && (isUnfinished || found.length === 0)) return
  const name = basename(folder)
  throw folders.length === 0
    ? missing(folder, found, `put the folder ${name} back, restore a backup, or remove ${lock} to begin with an empty database`)
    : missing(folder, found, `rename the folder that is to be the database to ${name}, or move these away to begin with an empty one`)
}

/** The names beside a folder that are its own name plus one of these, or begin so if the suffix ends with a hyphen. */
export async function namesBeside(folder: string, ...kinds: readonly string[]): Promise<string[]> {
  const names = await readdir(dirname(folder)).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return []
    throw error
  })
  const own = `${basename(folder)}.`
  const isOne = (name: string) => kinds.some((kind) => (kind.endsWith('-') ? name.startsWith(own + kind) : name === own + kind))
  return names.filter(isOne).sort()
}

/** Whether the path exists; true also when that cannot be determined, since a database may be there. */
export const exists = (path: string): Promise<boolean> =>
  lstat(path).then(
    () => true,
    ({ code }: NodeJS.ErrnoException) => code !== 'ENOENT',
  )
