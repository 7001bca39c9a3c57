import { constants, existsSync } from 'node:fs'
import { copyFile, readdir, rm, stat, statfs } from 'node:fs/promises'
import { dirname, join } from 'node:path'
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

/** How many bytes can be written beside the database of the folder, so that its statements have the room that they need. */
export const roomBeside = async (folder: string): Promise<number> => Math.max(0, (await freeBytesOf(folder)) - enoughBytes)

const blockBytes = 4_096
/** What a file of that size takes of the disk. */
export const bytesOnDisk = (size: number): number => Math.ceil(size / blockBytes) * blockBytes

/**
 * Refuses a copy of a database that is being served where it would fill the disk: every statement would be refused until it is removed.
 *
 * @param copy the folder of the copy, which is not there yet
 * @throws Error that says how much room is missing
 */
export async function mustFitTwice(folder: string, copy: string): Promise<void> {
  const [bytes, room] = [await bytesOf(folder), await roomBeside(folder)]
  if (bytes <= room || (await sharesBlocks(folder, copy))) return
  throw new Error(
    `The copy for the backup needs ${inMebibytes(bytes)} on the disk of ${dirname(folder)}, of which ${inMebibytes(room)} can be used: free space there, or stop the service`,
  )
}

const inMebibytes = (bytes: number) => `${Math.ceil(bytes / 2 ** 20)} MiB`

async function bytesOf(folder: string): Promise<number> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  const files = entries.filter((entry) => entry.isFile())
  // PostgreSQL removes files of its log meanwhile.
  const sizes = files.map(({ parentPath, name }) =>
    stat(join(parentPath, name)).then(
      ({ size }) => bytesOnDisk(size),
      () => 0,
    ),
  )
  return (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0)
}

/** Whether a copy needs no room, since the file system lets files share their blocks. */
async function sharesBlocks(folder: string, copy: string): Promise<boolean> {
  const probe = `${copy}.probe`
  try {
    await copyFile(join(folder, 'PG_VERSION'), probe, constants.COPYFILE_FICLONE_FORCE)
    return true
  } catch {
    return false
  } finally {
    await rm(probe, { force: true })
  }
}

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
    ...(engine.maintain && { maintain: guarded(engine.maintain) }),
    async close() {
      clearInterval(timer)
      await engine.close()
    },
  }
}
