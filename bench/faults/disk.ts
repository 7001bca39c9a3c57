import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { type SmallDisk, smallDisk } from '../../test/support/small-disk.ts'
import { type Fault, interruption, until } from './fault.ts'

const times = 10
const fullMilliseconds = 2_000

/** The disk of the embedded database is full, and has room again. */
export const disk: Fault = async (asked) => {
  const small = smallDisk(256)
  if (!small) return { rows: { 'not run': 'only root may make a disk of its own size' }, holds: true }
  try {
    return await onDisk(small)(asked)
  } finally {
    small.remove()
  }
}

const onDisk = ({ folder, fill, makeRoom }: SmallDisk) =>
  interruption({
    settings: { RATE_LIMIT: 'off', DATA_DIR: join(folder, 'data') },
    isEmbedded: true,
    pauseMilliseconds: 50,
    async run(_, load) {
      const recoveries: number[] = []
      for (let time = 0; time < times; time++) {
        await load.nextAcknowledged()
        const refused = load.statuses.get('503') ?? 0
        await fill()
        await until(() => (load.statuses.get('503') ?? 0) > refused)
        await pause(fullMilliseconds)
        await makeRoom()
        recoveries.push(await load.nextAcknowledged())
      }
      return { recoveries, counted: 'there is room again to the next write that is acknowledged' }
    },
  })
