import { access, constants, readFile, truncate, writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import { DatabaseSync } from 'node:sqlite'

const [busy, full, cannotOpen, notADatabase] = [5, 13, 14, 26]

/** Another process has the folder. */
export interface FolderInUse extends Error {
  code: 'DATABASE_IN_USE'
  /** The holder, as in "process 4711". */
  holder: string
}

/**
 * Makes sure that only one process uses a folder: two embedded databases on the same files would destroy them. The lock is
 * the operating system's, by way of SQLite, since Node has none of its own. It ends with the process in every case, is not
 * copied with the folder, and works between containers, whose processes do not see each other's ids. The file is never
 * removed: a new file of the same name could be locked a second time.
 *
 * @returns a function that releases the lock
 * @throws FolderInUse, or an error of the file system when the lock cannot be written
 */
export async function lockFolder(folder: string): Promise<() => void> {
  const [file, holder] = [`${folder}.lock`, `${folder}.pid`]
  // SQLite opens a read-only file for reading, and then its lock excludes no other process.
  await mustBeWritable(file).catch((error) => {
    if (error.code !== 'ENOENT') throw error
  })
  const lock = async () => {
    try {
      return lockFile(file)
    } catch (error) {
      if (codeOf(error) !== busy) throw await asFileError(error, file)
      // The holder is in a separate file: closing any handle of a locked file releases the process's lock on it.
      throw inUse(folder, await readFile(holder, 'utf8').catch(() => ''))
    }
  }
  const release = await lock().catch(async (error) => {
    if (codeOf(error) !== notADatabase) throw error
    // A lock file of an earlier release contains the id of a process. Empty it in place, since another process that starts at this moment
    // may have locked the same file.
    await truncate(file)
    return lock()
  })
  try {
    await writeFile(holder, String(process.pid))
  } catch (error) {
    release()
    throw error
  }
  return release
}

/** @param pid empty where the holder could not write it, or has not yet */
function inUse(folder: string, pid: string): FolderInUse {
  const holder = /^\d+$/.test(pid) ? `process ${pid}` : 'another process'
  return Object.assign(new Error(`${folder} is in use by ${holder}`), { code: 'DATABASE_IN_USE' as const, holder })
}

const mustBeWritable = (path: string) => access(path, constants.R_OK | constants.W_OK)

/** The error that the operating system would have reported: SQLite hides it. */
async function asFileError(error: unknown, file: string): Promise<unknown> {
  if (codeOf(error) === full)
    return Object.assign(new Error(`ENOSPC: no space left on device, write '${file}'`), { code: 'ENOSPC', path: file })
  if (codeOf(error) !== cannotOpen) return error
  return mustBeWritable(dirname(file)).then(
    () => error,
    (failure) => failure,
  )
}

function lockFile(file: string): () => void {
  const database = new DatabaseSync(file)
  try {
    database.exec('pragma busy_timeout = 0; begin exclusive')
  } catch (error) {
    database.close()
    throw error
  }
  return () => database.close()
}

/** The low byte is the kind of error, the others specify it. */
const codeOf = (error: unknown) => ((error as { errcode?: number }).errcode ?? 0) & 0xff
