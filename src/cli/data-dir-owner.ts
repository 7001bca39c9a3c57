/** Switches a command to the user that owns the data directory: the owner of the database or else of the folder. */
import { access, constants, readFile, stat } from 'node:fs/promises'
import { userInfo } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'
import type { Config } from '../app/config.ts'

/** The user who started the process, if it has switched to another user since. */
let startedBy: string | undefined

/** The user who started the process, for the audit log. */
export const operatingSystemUser = (): string => startedBy ?? presentUser()

/** The user that this process has switched to, if any. */
export const takenOnUser = (): string | undefined => (startedBy === undefined ? undefined : presentUser())

/**
 * Makes root switch to the owner: files of root's would stop the service, which runs as that user. Other users are refused if the
 * directory holds a database, because only its owner can use its files.
 *
 * @returns what is wrong with the data directory, as part of a line
 */
export async function takeOnOwner({
  dataDir,
  databaseUrl,
  production,
}: Pick<Config, 'dataDir' | 'databaseUrl' | 'production'>): Promise<string | undefined> {
  // In production with PostgreSQL, commands write nothing there.
  if (!process.getuid || (databaseUrl && production)) return undefined
  const uid = process.getuid()
  const database = databaseUrl ? undefined : await ownerOf(join(dataDir, 'database'))
  const owner = database ?? (await ownerOf(dataDir))
  if (!owner || owner.uid === uid) return undefined
  if (uid === 0) return become(owner, dataDir)
  if (!database) return undefined
  const [theirs, ours] = await Promise.all([nameOf(owner.uid), nameOf(uid)])
  return `where the database belongs to ${theirs}, and this process runs as ${ours}: run it as ${theirs}, or as root, which takes that user on`
}

interface Owner {
  uid: number
  gid: number
}

const ownerOf = (path: string): Promise<Owner | undefined> => stat(path).catch(() => undefined)

async function become({ uid, gid }: Owner, dataDir: string): Promise<string | undefined> {
  const groups = await groupsThatMayWrite(dataDir)
  const name = await nameOf(uid)
  const root = presentUser()
  try {
    setGroups(uid, gid, groups)
    process.setgid?.(gid)
    process.setuid?.(uid)
  } catch (error) {
    return `which belongs to ${name}, whom this process may not take on (${(error as NodeJS.ErrnoException).code}): run it as that user`
  }
  startedBy = root
  return access(dataDir, constants.X_OK).then(
    () => undefined,
    ({ code }: NodeJS.ErrnoException) =>
      `which ${name} owns and cannot reach (${code}): let that user pass through the folders above it, and run the service as a user that is always there`,
  )
}

// The type definitions lack it.
const withGroups: typeof process & { initgroups?(user: number, group: number): void } = process

/** Sets the groups of the user; a user without a name gets only the group of the folder. */
function setGroups(uid: number, gid: number, further: readonly number[]): void {
  try {
    withGroups.initgroups?.(uid, gid)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ERR_UNKNOWN_CREDENTIAL') throw error
    process.setgroups?.([gid])
  }
  const present = process.getgroups?.() ?? []
  if (further.some((group) => !present.includes(group))) process.setgroups?.([...new Set([...present, ...further])])
}

/** The groups that may write. A volume may be given to its user by a group alone, as Kubernetes does with `fsGroup`. */
async function groupsThatMayWrite(folder: string): Promise<number[]> {
  const { gid, mode } = await stat(folder)
  return mode & constants.S_IWGRP ? [gid] : []
}

async function nameOf(uid: number): Promise<string> {
  const users = await readFile('/etc/passwd', 'utf8').catch(() => '')
  const line = users.split('\n').find((one) => one.split(':')[2] === String(uid))
  return line ? `${line.split(':')[0]} (uid ${uid})` : `uid ${uid}`
}

function presentUser(): string {
  try {
    return userInfo().username
  } catch {
    // A container may run as a user that has no name.
    return `uid ${process.getuid?.()}`
  }
}
