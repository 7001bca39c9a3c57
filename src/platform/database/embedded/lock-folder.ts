import { readFile, unlink, writeFile } from 'node:fs/promises'

/**
 * Makes sure that one process alone uses a folder: two embedded databases on the same files would destroy them. The lock
 * of a process that was killed is taken over.
 *
 * @returns a function that gives the lock back
 * @throws Error when a process that still runs holds it
 */
export async function lockFolder(folder: string): Promise<() => Promise<void>> {
  const file = `${folder}.lock`
  for (let attempt = 1; ; attempt++) {
    try {
      await writeFile(file, `${process.pid}`, { flag: 'wx' })
      return () => unlink(file)
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST' || attempt > 3) throw error
    }
    const holder = Number(await readFile(file, 'utf8').catch(() => ''))
    if (holder && holder !== process.pid && isRunning(holder)) {
      throw new Error(`${folder} is in use by process ${holder}: the embedded database serves one process, set DATABASE_URL to run several`)
    }
    await unlink(file).catch(() => {})
  }
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}
