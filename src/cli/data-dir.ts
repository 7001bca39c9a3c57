import { existsSync } from 'node:fs'
import { mkdir, rm, writeFile } from 'node:fs/promises'
import { dirname, join, relative } from 'node:path'
import process from 'node:process'
import { setTimeout as pause } from 'node:timers/promises'
import type { Config } from '../app/config.ts'
import { ConfigError } from '../app/config-mistakes.ts'
import { type DatabaseMissing, exists, tracesOf } from '../platform/database/embedded/database-traces.ts'
import { lackOfRoom } from '../platform/database/embedded/disk-guard.ts'
import type { FolderInUse } from '../platform/database/embedded/lock-folder.ts'
import { takeOnOwner } from './data-dir-owner.ts'

const timeoutMilliseconds = 5_000

/** The system call does not return: a thread of the process waits for it, and so does any ordinary way to end the process. */
export class HangingDataDir extends ConfigError {}

type DataLocation = Pick<Config, 'dataDir' | 'databaseUrl'>

/** Call this before anything in the data directory is opened. @throws ConfigError when this user may not use it */
export async function useAsOwner(config: DataLocation & Pick<Config, 'production'>): Promise<void> {
  const mistake = await takeOnOwner(config)
  if (mistake) throw new ConfigError([lineOf(config.dataDir, mistake)])
}

/**
 * Uses the data directory as its owner, or creates it, and writes a test file. If it holds the embedded database, it also checks for
 * free space.
 *
 * @throws ConfigError
 */
export async function prepareDataDir(config: DataLocation & Pick<Config, 'production'>) {
  const { dataDir, databaseUrl, production } = config
  const probe = join(dataDir, `.writable-${process.pid}`)
  const made = (async () => {
    await useAsOwner(config)
    await makeFolder(dataDir)
    // In production with PostgreSQL, nothing is written there before an organisation is cancelled.
    if (databaseUrl && production) return
    try {
      // The file must not be empty: a full disk accepts an empty file.
      await writeFile(probe, 'x', { mode: 0o600 })
    } finally {
      await rm(probe, { force: true })
    }
    const lack = databaseUrl ? undefined : await lackOfRoom(join(dataDir, 'database'))
    if (lack) throw noRoom(dataDir, lack)
  })()
  const isOver = new AbortController()
  const hangs = pause(timeoutMilliseconds, undefined, isOver).then(() => {
    const mistake = `does not answer within ${timeoutMilliseconds / 1_000} seconds: mount its disk`
    throw new HangingDataDir([lineOf(dataDir, `which ${mistake}`)])
  })
  hangs.catch(() => {})
  try {
    await Promise.race([made, hangs])
  } catch (error) {
    throw error instanceof ConfigError ? error : new ConfigError([lineOf(dataDir, mistakeOf(error as NodeJS.ErrnoException, dataDir))])
  } finally {
    isOver.abort()
  }
}

/** Whether an embedded database exists, or traces of one: opening it then reports what is wrong. */
export async function hasEmbeddedDatabase({ dataDir }: Pick<Config, 'dataDir'>): Promise<boolean> {
  const folder = join(dataDir, 'database')
  return (await exists(folder)) || (await tracesOf(folder).catch(() => ['unseen'])).length > 0
}

async function makeFolder(folder: string): Promise<void> {
  const options = { recursive: true, mode: 0o700 }
  try {
    await mkdir(folder, options)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
    // A recursive mkdir reports ENOENT on a read-only file system. Creating a single folder reports the true reason.
    let first = folder
    while (!existsSync(dirname(first))) first = dirname(first)
    await mkdir(first, options.mode)
    await mkdir(folder, options)
  }
}

/**
 * Explains a later failure, if the data directory is its cause.
 *
 * @returns undefined for any other error
 */
export function mistakeInDataDir(error: unknown, { dataDir, databaseUrl }: DataLocation): ConfigError | undefined {
  if (!(error instanceof Error)) return undefined
  const { code = '', path } = error as NodeJS.ErrnoException
  if (code === 'DATABASE_IN_USE') return new ConfigError([lineOfHolder(error as FolderInUse, dataDir)])
  if (code === 'DATABASE_MISSING') return new ConfigError([lineOfMissing(error as DatabaseMissing, dataDir)])
  // The code that the embedded database reports.
  if (code === '53100' && !databaseUrl) return new ConfigError([lineOf(dataDir, mistakeOf({ code: 'ENOSPC', message: '' }, dataDir))])
  const isBelow = path !== undefined && !relative(dataDir, path).startsWith('..')
  if (!isBelow || !codesOfMistakes.has(code)) return undefined
  return new ConfigError([lineOf(dataDir, mistakeOf(error, dataDir))])
}

const lineOf = (dataDir: string, mistake: string) => `DATA_DIR is "${dataDir}", ${mistake}, or set DATA_DIR to another folder`

const lineOfHolder = ({ holder }: FolderInUse, dataDir: string) =>
  `DATA_DIR is "${dataDir}", where ${holder} has the database open: stop that process, or set DATABASE_URL to run several`

const lineOfMissing = ({ found, remedy }: DatabaseMissing, dataDir: string) =>
  lineOf(dataDir, `which holds ${found.join(', ')} and no folder database: ${remedy}`)

function noRoom(dataDir: string, { freeBytes, neededBytes }: { freeBytes: number; neededBytes: number }): ConfigError {
  const [free, needed] = [freeBytes, neededBytes].map((bytes) => Math.floor(bytes / 2 ** 20))
  return new ConfigError([
    lineOf(dataDir, `which is on a disk that is full (${free} MiB are free, ${needed} MiB are needed): free space there`),
  ])
}

const codesOfMistakes = new Set(['EACCES', 'EPERM', 'EROFS', 'ENOSPC', 'EDQUOT', 'EIO', 'ENOTDIR', 'EISDIR'])

/** @param error with the path that could not be used, when it is not the folder itself */
function mistakeOf({ code, message, path = '' }: Pick<NodeJS.ErrnoException, 'code' | 'message' | 'path'>, dataDir: string): string {
  const name = relative(dataDir, path)
  const isInside = path !== '' && name !== '' && !name.startsWith('..') && !name.startsWith('.writable-')
  switch (code) {
    case 'EEXIST':
      return `which is a file or lies below one (${code}): remove that file`
    case 'ENOTDIR':
      return isInside
        ? `where ${name} is a file and should be a folder (${code}): remove that file`
        : `which is a file or lies below one (${code}): remove that file`
    case 'EISDIR':
      return `where ${name} is a folder and should be a file (${code}): remove that folder`
    case 'EACCES':
    case 'EPERM':
      return isInside
        ? `where the user of this process may not use ${name} (${code}): let that user own all that is in it`
        : `which the user of this process may not write to (${code}): let that user own it`
    case 'EROFS':
      return `which is on a read-only file system (${code}): mount a volume there`
    case 'ENOSPC':
    case 'EDQUOT':
      return `which is on a disk that is full (${code}): free space there`
    case 'ENOENT':
      return `which cannot be made (${code}): make the folder above it`
    default:
      return isInside
        ? `where ${name} cannot be used (${code ?? message}): mend that`
        : `which cannot be written to (${code ?? message}): mend that`
  }
}
