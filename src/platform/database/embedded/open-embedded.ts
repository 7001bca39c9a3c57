import { access, constants, mkdir, readFile, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { zstdDecompress } from 'node:zlib'
import type { Engine } from '../engine.ts'
import { guardDisk } from './disk-guard.ts'
import { lockFolder } from './lock-folder.ts'
import type { EmbeddedOptions } from './pglite-options.ts'
import { startEmbedded } from './start-embedded.ts'
import { unpackTar } from './unpack-tar.ts'

/** Made by tools/make-initial-database.ts. */
const initialDatabase = new URL('./initial-database.tar.zst', import.meta.url)

/**
 * Opens the embedded database of a folder and creates the folder when it is missing.
 *
 * @throws FolderInUse when another process has it open, or an error of the file system
 */
export async function openEmbedded(folder: string, { isBulk = false }: Pick<EmbeddedOptions, 'isBulk'> = {}): Promise<Engine> {
  const unlock = await lockFolder(folder)
  try {
    if (!(await exists(folder))) await placeRestored(folder).catch(() => makeFolder(folder))
    // PostgreSQL would only say later, and elsewhere, that it cannot start.
    await access(folder, constants.R_OK | constants.W_OK | constants.X_OK)
    await access(join(folder, 'PG_VERSION'), constants.R_OK)
  } catch (error) {
    unlock()
    throw error
  }
  const engine = guardDisk(startEmbedded({ dataDir: folder, isBulk }), folder)
  return { ...engine, close: () => engine.close().finally(unlock) }
}

/** Where a restored database waits until it takes the place of the present one. */
export const restoredFolder = (folder: string) => `${folder}.restored`

/** Puts a restored database where none is: a restore that was killed in between is finished by the next start. */
const placeRestored = (folder: string) => rename(restoredFolder(folder), folder)

/**
 * Puts the restored database in the place of the present one, which stays beside it. Nobody may have either open.
 *
 * @param former where the present one goes
 */
export async function replaceByRestored(folder: string, former: string): Promise<void> {
  const unlock = await lockFolder(folder)
  try {
    if (await exists(folder)) await rename(folder, former)
    await placeRestored(folder)
  } finally {
    unlock()
  }
}

/** Copies an empty database: creating one with PostgreSQL takes ten times as long. */
async function makeFolder(folder: string): Promise<void> {
  const unfinished = `${folder}.unfinished`
  await rm(unfinished, { recursive: true, force: true })
  await mkdir(unfinished, { mode: 0o700 })
  await unpackTar(await promisify(zstdDecompress)(await readFile(initialDatabase)), unfinished)
  // A process that is killed before this leaves no partial database.
  await rename(unfinished, folder)
}

async function exists(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  )
}
