import { access, constants, readFile, truncate, writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import { DatabaseSync } from 'node:sqlite'

const [busy, full, cannotOpen, notADatabase] = [5, 13, 14, 26]

/** Another process has the folder. */
export interface FolderInUse extends Error {
  code: 'DATABASE_IN_USE'
  /** As in "process 4711". */
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
  // SQLite opens what it may not write to for reading, and then its lock shuts nobody out.
  await mustBeWritable(file).catch((error) => {
    if (error.code !== 'ENOENT') throw error
  })
  const lock = async () => {
    try {
      return lockFile(file)
    } catch (error) {
      if (codeOf(error) !== busy) throw await asFileError(error, file)
      // A separate file: closing any handle of a locked file releases the process's lock on it.
      throw inUse(folder, await readFile(holder, 'utf8').catch(() => ''))
    }
  }
  const release = await lock().catch(async (error) => {
    if (codeOf(error) !== notADatabase) throw error
    // The lock of an earlier release, which held the id of a process. It is emptied in place, since another process that
    // starts at this moment may have locked the same file.
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

/** What the operating system would have said: SQLite does not tell. */
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

/** The low byte is the kind of error, the others say more of it. */
const codeOf = (error: unknown) => ((error as { errcode?: number }).errcode ?? 0) & 0xff
