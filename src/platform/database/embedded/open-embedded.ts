import { access, constants, mkdir, readFile, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { zstdDecompress } from 'node:zlib'
import type { Engine, Origin } from '../engine.ts'
import { exists, mustBeNew, tracesOf } from './database-traces.ts'
import { guardDisk } from './disk-guard.ts'
import { lockFolder } from './lock-folder.ts'
import type { EmbeddedOptions } from './pglite-options.ts'
import { acceptRestore, describeRestore, finishRestore, pendingRestore, type Restore, restoreOf, undoRestore } from './restore-folder.ts'
import { startEmbedded } from './start-embedded.ts'
import { unpackTar } from './unpack-tar.ts'

/** Made by tools/make-initial-database.ts. */
const initialDatabase = new URL('./initial-database.tar.zst', import.meta.url)

export interface OpenOptions extends Pick<EmbeddedOptions, 'isBulk'> {
  /** The name of a prepared copy that is to take the place of the database first. */
  prepared?: string
}

/**
 * Opens the embedded database of a folder. Creates it where nothing says that there was one, and finishes or undoes a restore that was
 * accepted.
 *
 * @throws FolderInUse when another process has it open, DatabaseMissing, or an error of the file system
 */
export async function openEmbedded(folder: string, { isBulk = false, prepared }: OpenOptions = {}): Promise<Engine> {
  // First, so that a start which is killed from here on is seen to have made no database yet.
  if (!(await exists(folder)) && (await tracesOf(folder)).length === 0) await mkdir(unfinishedOf(folder), { mode: 0o700 }).catch(ifThere)
  const unlock = await lockFolder(folder)
  try {
    if (prepared !== undefined) {
      if (await pendingRestore(folder)) throw new Error(`Another restore waits for ${folder} to be opened`)
      await acceptRestore(folder, prepared)
    }
    let undone = await finishRestore(folder)
    if (!(await exists(folder))) await makeFolder(folder)
    else await rm(unfinishedOf(folder), { recursive: true, force: true })
    const restore = await restoreOf(folder)
    const isFirstStart = restore !== undefined && !restore.isProven
    const reason = isFirstStart ? await prove(folder, restore) : undefined
    if (reason !== undefined && restore) undone = { id: restore.id, reason }
    const origin: Origin = { restored: reason === undefined ? restore : await restoreOf(folder), isFirstStart, undone }
    const engine = await start(folder, isBulk)
    return { ...engine, origin, close: () => engine.close().finally(unlock) }
  } catch (error) {
    unlock()
    throw error
  }
}

/** Opens a copy that is only ours, so that it needs no lock. */
export const openCopy = (folder: string): Promise<Engine> => start(folder, false)

/** @throws Error when it cannot be opened */
export async function checkOpens(folder: string): Promise<void> {
  const engine = await openCopy(folder)
  try {
    await engine.execute({ sql: 'select 1', parameters: [] })
  } finally {
    await engine.close().catch(() => {})
  }
}

async function start(folder: string, isBulk: boolean): Promise<Engine> {
  // PostgreSQL would only say later, and elsewhere, that it cannot start.
  await access(folder, constants.R_OK | constants.W_OK | constants.X_OK)
  await access(join(folder, 'PG_VERSION'), constants.R_OK)
  return guardDisk(startEmbedded({ dataDir: folder, isBulk }), folder)
}

/**
 * Opens a restored database for the first time in its place. The former one takes it again where that fails.
 *
 * @returns why it was put back
 * @throws what it fails with, when there is no former one
 */
async function prove(folder: string, restore: Restore): Promise<string | undefined> {
  try {
    await checkOpens(folder)
    await describeRestore(folder, { ...restore, isProven: true })
    return undefined
  } catch (error) {
    if (!(await undoRestore(folder, restore))) throw error
    return (error as Error).message
  }
}

/** Copies an empty database: creating one with PostgreSQL takes ten times as long. */
async function makeFolder(folder: string): Promise<void> {
  const unfinished = unfinishedOf(folder)
  await mustBeNew(folder, await exists(unfinished))
  const copy = join(unfinished, 'database')
  await rm(copy, { recursive: true, force: true })
  await mkdir(copy, { recursive: true, mode: 0o700 })
  await unpackTar(await promisify(zstdDecompress)(await readFile(initialDatabase)), copy)
  // A process that is killed before this leaves no partial database.
  await rename(copy, folder)
  await rm(unfinished, { recursive: true, force: true })
}

const unfinishedOf = (folder: string) => `${folder}.unfinished`

function ifThere(error: NodeJS.ErrnoException): void {
  if (error.code !== 'EEXIST') throw error
}
