import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { open, rm, stat, truncate } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** A disk of its own size, in memory, which can be filled. */
export interface SmallDisk {
  folder: string
  fill: () => Promise<void>
  /** Takes away what it was filled with, or so much of it. */
  makeRoom: (mebibytes?: number) => Promise<void>
  remove: () => void
}

/** @returns undefined where it cannot be made: only root may. */
export function smallDisk(mebibytes: number): SmallDisk | undefined {
  const folder = mkdtempSync(join(tmpdir(), 'gatehouse-disk-'))
  const isMounted = spawnSync('mount', ['-t', 'tmpfs', '-o', `size=${mebibytes}m`, 'tmpfs', folder]).status === 0
  const remove = () => {
    if (isMounted) spawnSync('umount', [folder])
    rmSync(folder, { recursive: true, force: true })
  }
  if (!isMounted) return void remove()
  const filler = join(folder, 'filler')
  return { folder, fill: () => writeUntilFull(filler), makeRoom: (mebibytes) => makeRoom(filler, mebibytes), remove }
}

async function makeRoom(filler: string, mebibytes?: number): Promise<void> {
  if (mebibytes === undefined) await rm(filler)
  else await truncate(filler, (await stat(filler)).size - mebibytes * 2 ** 20)
}

async function writeUntilFull(path: string): Promise<void> {
  const file = await open(path, 'w')
  const chunk = Buffer.alloc(2 ** 16)
  try {
    for (;;) await file.write(chunk)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error
  } finally {
    await file.close()
  }
}
