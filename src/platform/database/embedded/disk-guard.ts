import { existsSync } from 'node:fs'
import { statfs } from 'node:fs/promises'
import { dirname } from 'node:path'
import type { Engine } from '../engine.ts'

const checkMilliseconds = 250
/** The room for writes until the next check. */
const leastBytes = 32 * 2 ** 20
/** The room at which statements are accepted again, so that the state does not change with each request. */
const enoughBytes = 40 * 2 ** 20
/** The room for an empty database and its first migrations. */
const firstBytes = 40 * 2 ** 20

/**
 * Whether the disk has less room than a start needs.
 *
 * @param folder the folder of the database; its parent exists
 * @returns the free and required room, or undefined when there is enough
 */
export async function lackOfRoom(folder: string): Promise<{ freeBytes: number; neededBytes: number } | undefined> {
  const freeBytes = await freeBytesOf(dirname(folder))
  const neededBytes = existsSync(folder) ? leastBytes : leastBytes + firstBytes
  return freeBytes < neededBytes ? { freeBytes, neededBytes } : undefined
}

/** Whether PostgreSQL may write again on a disk that was full. */
export const hasRoom = async (folder: string): Promise<boolean> => (await freeBytesOf(folder)) >= enoughBytes

async function freeBytesOf(folder: string): Promise<number> {
  const { bavail, bsize } = await statfs(folder)
  return bavail * bsize
}

/**
 * Refuses every statement while the disk of the folder is nearly full, with SQLSTATE 53100 as PostgreSQL would. PostgreSQL gives up
 * when it can write no log, and everything that runs would fail.
 */
export function guardDisk(engine: Engine, folder: string): Engine {
  let isFull = false
  const check = async () => {
    isFull = (await freeBytesOf(folder)) < (isFull ? enoughBytes : leastBytes)
  }
  const timer = setInterval(() => void check().catch(() => {}), checkMilliseconds)
  timer.unref()

  const guarded =
    <Given extends unknown[], Result>(work: (...given: Given) => Promise<Result>) =>
    async (...given: Given): Promise<Result> => {
      if (isFull) throw Object.assign(new Error(`the disk of ${folder} is full: free space there`), { code: '53100' })
      return work(...given)
    }
  return {
    ...engine,
    execute: guarded(engine.execute) as Engine['execute'],
    pointRead: guarded(engine.pointRead) as Engine['pointRead'],
    keyedWrite: guarded(engine.keyedWrite) as Engine['keyedWrite'],
    transaction: guarded(engine.transaction) as Engine['transaction'],
    ownerTransaction: guarded(engine.ownerTransaction) as Engine['ownerTransaction'],
    ...(engine.vacuum && { vacuum: guarded(engine.vacuum) }),
    async close() {
      clearInterval(timer)
      await engine.close()
    },
  }
}
