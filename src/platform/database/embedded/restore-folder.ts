/**
 * The folders beside the embedded database while a backup is restored. A process that changes them holds the lock of the database, except
 * the command that prepares a copy. A process can be killed between any two renames: the next one that has the lock sees by the names, and
 * by the description in the copy, which steps were done, and finishes or undoes the restore.
 *
 * - `database.restoring-ID`: being prepared by a command, which holds the lock `database.restore` meanwhile.
 * - `database.taken-ID`: taken over from the command, and not checked yet.
 * - `database.restored-ID`: accepted. It will replace the database.
 * - `database.before-TIME`: the replaced database. It stays.
 * - `database.failed-ID`: it could not be opened in its place, so the former one is put back.
 */
import { lstat, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import process from 'node:process'
import { z } from 'zod'
import type { Origin } from '../engine.ts'
import { exists, missing, namesBeside } from './database-traces.ts'
import { lockFolder } from './lock-folder.ts'

const RestoreId = z.string().regex(/^[a-z0-9]{1,64}$/)

/** The description of a restored database, in a file of its folder. */
const Restore = z.object({
  id: RestoreId,
  /** The time of the backup. */
  asOf: z.string(),
  /** The release that made the backup. */
  release: z.string(),
  /** The name of the folder with the replaced database; null if there was none. */
  former: z
    .string()
    .regex(/^[^/]+\.before-[^/]+$/)
    .nullable(),
  /** Whether it has been opened in its place. */
  isProven: z.boolean(),
})
export type Restore = z.infer<typeof Restore>

const describedIn = 'gatehouse-restore.json'

export const preparedFolder = (folder: string, id: string) => `${folder}.restoring-${id}`

export const describeRestore = (copy: string, restore: Restore): Promise<void> => {
  const unfinished = join(copy, `${describedIn}.unfinished`)
  return writeFile(unfinished, JSON.stringify(restore), { mode: 0o600 }).then(() => rename(unfinished, join(copy, describedIn)))
}

/** @returns undefined for a database that was not restored */
export async function restoreOf(folder: string): Promise<Restore | undefined> {
  const text = await readFile(join(folder, describedIn), 'utf8').catch(() => '')
  try {
    return Restore.parse(JSON.parse(text))
  } catch {
    return undefined
  }
}

/**
 * Lets one command at a time prepare a copy, and removes the leftovers of killed ones.
 *
 * @returns a function that releases the lock
 * @throws FolderInUse
 */
export async function lockRestores(folder: string): Promise<() => void> {
  const unlock = await lockFolder(`${folder}.restore`)
  for (const name of await namesBeside(folder, 'restoring-')) await removeLeftover(folder, name)
  return unlock
}

/** The accepted restore that has not been finished. */
export async function pendingRestore(folder: string): Promise<Restore | undefined> {
  const present = await restoreOf(folder)
  if (present && !present.isProven) return present
  const [first] = await acceptedRestores(folder)
  return first
}

/**
 * Takes a prepared copy over: from here on it replaces the database at the next start, even if the command is killed.
 *
 * @param prepared the name of the folder
 * @param check throws when the copy cannot be opened
 * @throws Error that says why it is refused; the copy is removed
 */
export async function acceptRestore(folder: string, prepared: string, check?: (copy: string) => Promise<void>): Promise<Restore> {
  const prefix = `${basename(folder)}.restoring-`
  const id = RestoreId.safeParse(prepared.startsWith(prefix) ? prepared.slice(prefix.length) : '')
  if (!id.success) throw new Error(`${prepared} is no copy that a restore prepares`)
  const taken = `${folder}.taken-${id.data}`
  const status = await lstat(preparedFolder(folder, id.data)).catch(() => undefined)
  if (!status?.isDirectory()) throw new Error(`There is no folder ${prepared} any more`)
  if (process.getuid && status.uid !== process.getuid())
    throw new Error(`${prepared} belongs to the user ${status.uid}, and the service runs as ${process.getuid()}: restore as that user`)
  await rename(preparedFolder(folder, id.data), taken)
  try {
    const described = await restoreOf(taken)
    if (described?.id !== id.data) throw new Error(`${prepared} does not say which backup it is of`)
    await check?.(taken)
    const isThere = await exists(folder)
    const former = isThere ? `${basename(folder)}.before-${new Date().toISOString().replaceAll(/[^\dTZ]/g, '')}` : null
    const restore = { ...described, former, isProven: false }
    await describeRestore(taken, restore)
    await rename(taken, acceptedFolder(folder, id.data))
    return restore
  } catch (error) {
    await removeLeftover(folder, basename(taken))
    throw error
  }
}

type Undone = NonNullable<Origin['undone']>

/**
 * Finishes the accepted restore, or undoes one that can be neither finished nor left. The caller holds the lock of the database.
 *
 * @returns the restore that could not be put in place; the database is unchanged
 * @throws DatabaseMissing when there are several
 */
export async function finishRestore(folder: string): Promise<Undone | undefined> {
  const accepted = await acceptedRestores(folder)
  const [restore, another] = accepted
  if (another) {
    const names = accepted.map(({ id }) => basename(acceptedFolder(folder, id)))
    throw missing(folder, names, 'remove those that shall not take the place of the database')
  }
  const undone = restore && (await placeRestored(folder, restore))
  if (!(await exists(folder))) await takeBackFormer(folder)
  // A failed copy, or that of a backup which was killed, may be all that is left.
  const leftovers = (await exists(folder)) ? ['taken-', 'failed-', 'snapshot'] : ['taken-']
  for (const name of await namesBeside(folder, ...leftovers)) await removeLeftover(folder, name)
  if ((await namesBeside(folder, 'restoring-')).length > 0) {
    // Skip this while a command is at work.
    const unlock = await lockRestores(folder).catch(() => undefined)
    unlock?.()
  }
  return undone
}

async function placeRestored(folder: string, { id, former }: Restore): Promise<Undone | undefined> {
  try {
    if (former !== null && (await exists(folder))) await rename(folder, join(dirname(folder), former))
    await rename(acceptedFolder(folder, id), folder)
    return undefined
  } catch (error) {
    const formerFolder = former === null ? undefined : join(dirname(folder), former)
    if (formerFolder && !(await exists(folder)) && (await exists(formerFolder))) await rename(formerFolder, folder)
    // If that fails, too, the next start retries, and puts the former one back again.
    await rename(acceptedFolder(folder, id), failedFolder(folder, id)).catch(() => {})
    return { id, reason: (error as Error).message }
  }
}

/** Replaces a restored database that does not open with the former one. @returns whether there is a former one */
export async function undoRestore(folder: string, { id, former }: Restore): Promise<boolean> {
  if (former === null || !(await exists(join(dirname(folder), former)))) return false
  await rename(folder, failedFolder(folder, id))
  await takeBackFormer(folder)
  await removeLeftover(folder, basename(failedFolder(folder, id)))
  return true
}

/** Handles a process that was killed after it had moved the failed database away. */
async function takeBackFormer(folder: string): Promise<void> {
  for (const name of await namesBeside(folder, 'failed-')) {
    const former = (await restoreOf(join(dirname(folder), name)))?.former
    if (former && (await exists(join(dirname(folder), former)))) return rename(join(dirname(folder), former), folder)
  }
}

const acceptedFolder = (folder: string, id: string) => `${folder}.restored-${id}`
const failedFolder = (folder: string, id: string) => `${folder}.failed-${id}`

async function acceptedRestores(folder: string): Promise<Restore[]> {
  const names = await namesBeside(folder, 'restored-')
  const described = await Promise.all(names.map((name) => restoreOf(join(dirname(folder), name))))
  return described.flatMap((restore, index) => (restore && names[index]?.endsWith(`-${restore.id}`) ? [restore] : []))
}

/** Removes a leftover; if that fails, the next start retries. */
const removeLeftover = (folder: string, name: string) => rm(join(dirname(folder), name), { recursive: true, force: true }).catch(() => {})
