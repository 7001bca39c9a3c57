import { readFile, truncate, writeFile } from 'node:fs/promises'
import { DatabaseSync } from 'node:sqlite'

const [busy, notADatabase] = [5, 26]

/**
 * Makes sure that only one process uses a folder: two embedded databases on the same files would destroy them. The lock is
 * the operating system's, by way of SQLite, since Node has none of its own. It ends with the process in every case, is not
 * copied with the folder, and works between containers, whose processes do not see each other's ids. The file is never
 * removed: a new file of the same name could be locked a second time.
 *
 * @returns a function that releases the lock
 * @throws Error with the code `DATABASE_IN_USE` when another process holds it
 */
export async function lockFolder(folder: string): Promise<() => void> {
  const [file, holder] = [`${folder}.lock`, `${folder}.pid`]
  const lock = async () => {
    try {
      return lockFile(file)
    } catch (error) {
      if (codeOf(error) !== busy) throw error
      // A separate file: closing any handle of a locked file releases the process's lock on it.
      const pid = await readFile(holder, 'utf8').catch(() => 'unknown')
      const message = `${folder} is in use by process ${pid}: the embedded database serves one process, set DATABASE_URL to run several`
      throw Object.assign(new Error(message), { code: 'DATABASE_IN_USE' })
    }
  }
  const release = await lock().catch(async (error) => {
    if (codeOf(error) !== notADatabase) throw error
    // The lock of an earlier release, which held the id of a process. It is emptied in place, since another process that
    // starts at this moment may have locked the same file.
    await truncate(file)
    return lock()
  })
  await writeFile(holder, String(process.pid))
  return release
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

const codeOf = (error: unknown) => (error as { errcode?: number }).errcode
