import { readFile, truncate, writeFile } from 'node:fs/promises'
import { DatabaseSync } from 'node:sqlite'

const [busy, notADatabase] = [5, 26]

/**
 * Makes sure that one process alone uses a folder: two embedded databases on the same files would destroy them. The lock is
 * the operating system's, by way of SQLite, since Node has none of its own: it ends with the process however that ends, is
 * not copied with the folder, and holds between processes that do not see each other's ids, as in containers. Its file is
 * not removed: one that is made anew could be locked twice.
 *
 * @returns a function that releases the lock
 * @throws Error when another process holds it
 */
export async function lockFolder(folder: string): Promise<() => void> {
  const [file, holder] = [`${folder}.lock`, `${folder}.pid`]
  const lock = async () => {
    try {
      return lockFile(file)
    } catch (error) {
      if (codeOf(error) !== busy) throw error
      // From a file of its own: a process that closes a file of which it holds a lock loses the lock.
      const pid = await readFile(holder, 'utf8').catch(() => 'unknown')
      throw new Error(`${folder} is in use by process ${pid}: the embedded database serves one process, set DATABASE_URL to run several`)
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
