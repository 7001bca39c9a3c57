import { mkdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import process from 'node:process'
import { setTimeout as pause } from 'node:timers/promises'
import { type Config, ConfigError } from '../app/config.ts'

const timeoutMilliseconds = 5_000

/** The system does not answer: a thread of the process waits for it, and with it whatever ends the process in the usual way. */
export class HangingDataDir extends ConfigError {}

/**
 * Makes the data directory, and a file in it to see that it can be written to.
 *
 * @throws ConfigError
 */
export async function prepareDataDir({ dataDir, databaseUrl, production }: Pick<Config, 'dataDir' | 'databaseUrl' | 'production'>) {
  const probe = join(dataDir, `.writable-${process.pid}`)
  const made = (async () => {
    await mkdir(dataDir, { recursive: true, mode: 0o700 })
    // In production with PostgreSQL nothing is written there before an organisation is cancelled.
    if (databaseUrl && production) return
    await writeFile(probe, '', { mode: 0o600 })
    await rm(probe, { force: true })
  })()
  const isOver = new AbortController()
  const hangs = pause(timeoutMilliseconds, undefined, isOver).then(() => {
    const mistake = `does not answer within ${timeoutMilliseconds / 1_000} seconds: mount its disk`
    throw new HangingDataDir([lineOf(dataDir, mistake)])
  })
  await Promise.race([made, hangs]).catch((error) => {
    throw error instanceof HangingDataDir ? error : new ConfigError([lineOf(dataDir, mistakeOf(error))])
  })
  hangs.catch(() => {})
  isOver.abort()
}

const lineOf = (dataDir: string, mistake: string) => `DATA_DIR is "${dataDir}", which ${mistake}, or set DATA_DIR to another folder`

function mistakeOf({ code, message }: NodeJS.ErrnoException): string {
  switch (code) {
    case 'EEXIST':
    case 'ENOTDIR':
      return `is a file or lies below one (${code}): remove that file`
    case 'EACCES':
    case 'EPERM':
      return `the user of this process may not write to (${code}): let that user own it`
    case 'EROFS':
      return `is on a read-only file system (${code}): mount a volume there`
    case 'ENOSPC':
    case 'EDQUOT':
      return `is on a disk that is full (${code}): free space there`
    case 'ENOENT':
      return `cannot be made (${code}): make the folder above it`
    default:
      return `cannot be written to (${code ?? message}): mend that`
  }
}
