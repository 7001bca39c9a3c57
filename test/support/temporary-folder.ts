import { chmodSync, existsSync, mkdirSync, readdirSync, rmSync, statfsSync } from 'node:fs'
import { join } from 'node:path'
import process from 'node:process'

const memory = '/dev/shm'
/** What the databases of a run take at a time is a quarter of it. */
const roomBytes = 6 * 2 ** 30

/**
 * Where tests write: into memory, where Linux has a folder of it, since a database is copied there in a tenth of the time.
 *
 * @returns undefined where the system's own temporary folder has to do
 */
export function folderInMemory(): string | undefined {
  if (!existsSync(memory)) return undefined
  // What killed runs have left may take the room.
  removeAbandoned()
  const { bavail, bsize } = statfsSync(memory)
  if (process.availableMemory() < roomBytes || bavail * bsize < roomBytes) return undefined
  const folder = join(memory, `gatehouse-tests-${process.pid}`)
  mkdirSync(folder, { recursive: true })
  // PostgreSQL and some commands run as other users.
  chmodSync(folder, 0o1777)
  return folder
}

/** Folders of runs that were killed. One stays in which such a run has left a disk mounted: it must not stop the runs after it. */
function removeAbandoned(): void {
  for (const name of readdirSync(memory)) {
    const [, pid] = /^gatehouse-tests-(\d+)$/.exec(name) ?? []
    if (!pid || existsSync(`/proc/${pid}`)) continue
    try {
      rmSync(join(memory, name), { recursive: true, force: true })
    } catch (error) {
      if ((error as NodeJS.ErrnoException).errno === undefined) throw error
    }
  }
}

/** At the end of a run. */
export function removeFolderInMemory(): void {
  const folder = process.env.TMPDIR
  if (folder === join(memory, `gatehouse-tests-${process.pid}`)) rmSync(folder, { recursive: true, force: true })
}
