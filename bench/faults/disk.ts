import { spawnSync } from 'node:child_process'
import { mkdtemp, open, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { type Fault, interruption, until } from './fault.ts'

const times = 10
const fullMilliseconds = 2_000

/** The disk of the embedded database is full, and has room again. */
export const disk: Fault = async () => {
  const folder = await mkdtemp(join(tmpdir(), 'gatehouse-disk-'))
  const isMounted = spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=256m', 'tmpfs', folder]).status === 0
  try {
    if (!isMounted) return { rows: { 'not run': 'only root may make a disk of its own size' }, holds: true }
    return await onDisk(folder)()
  } finally {
    if (isMounted) spawnSync('umount', [folder])
    await rm(folder, { recursive: true, force: true })
  }
}

const onDisk = (folder: string) =>
  interruption({
    settings: { RATE_LIMIT: 'off', DATA_DIR: join(folder, 'data') },
    isEmbedded: true,
    pauseMilliseconds: 50,
    async run(_, load) {
      const filler = join(folder, 'filler')
      const recoveries: number[] = []
      for (let time = 0; time < times; time++) {
        await load.nextAcknowledged()
        const refused = load.statuses.get('503') ?? 0
        await fill(filler)
        await until(() => (load.statuses.get('503') ?? 0) > refused)
        await pause(fullMilliseconds)
        await rm(filler)
        recoveries.push(await load.nextAcknowledged())
      }
      return { recoveries, counted: 'there is room again to the next write that is acknowledged' }
    },
  })

/** Writes a file until the disk has no room for more. */
async function fill(path: string): Promise<void> {
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
