import { randomUUID } from 'node:crypto'
import { rmSync } from 'node:fs'
import { constants, copyFile, link, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { parseSecretKey, secretKeyExpected } from '../platform/crypto/secret-key.ts'
import { newSecret } from '../platform/crypto/secrets.ts'
import type { UnprintedSecret } from '../platform/unprinted-secret.ts'
import type { Config } from './config.ts'
import { ConfigError } from './config-mistakes.ts'

/** A secret that development creates once and stores in the data directory. */
export interface StoredSecret {
  value: string
  file: string
  /** Whether no start has printed it yet: the start that created it may have failed. */
  isUnprinted: boolean
  markPrinted(): void
}

export async function storedSecret(dataDir: string, name: string, make: () => string): Promise<StoredSecret> {
  const file = join(dataDir, name)
  const mark = unprintedSecret(dataDir, name)
  const stored = await readIfThere(file)
  const value = stored ?? (await storeFirst(file, make(), mark))
  return { value, file, isUnprinted: (await mark.read()) !== undefined, markPrinted: mark.forget }
}

/**
 * Stores a secret, unless another process that starts at the same time has stored one.
 *
 * @returns the secret that is stored, which is the same for all of them
 */
async function storeFirst(file: string, value: string, mark: UnprintedSecret): Promise<string> {
  // The mark comes first, so that a secret that was not printed is always printed later.
  await mark.store('')
  const whole = `${file}.${randomUUID()}`
  await writeFile(whole, value, { mode: 0o600, flag: 'wx' })
  try {
    // A link appears with its content: another process would read the beginning of a file that is being written.
    await link(whole, file).catch((error: NodeJS.ErrnoException) => {
      if (error.code === 'EEXIST') throw error
      // Some file systems have no links.
      return copyFile(whole, file, constants.COPYFILE_EXCL)
    })
    return value
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
    return await readFile(file, 'utf8')
  } finally {
    await rm(whole, { force: true })
  }
}

type SecretKeyConfig = Pick<Config, 'secretKey' | 'dataDir'>

/** The key that encrypts secrets: the operator's or, in development, the one in the data directory. */
export async function secretKeyOf({ secretKey, dataDir }: SecretKeyConfig): Promise<Buffer> {
  return secretKey ?? storedKey((await storedSecret(dataDir, secretKeyFile, () => newSecret())).value, dataDir)
}

/** The same key, if it exists. */
export async function findSecretKey({ secretKey, dataDir }: SecretKeyConfig): Promise<Buffer | undefined> {
  const stored = secretKey ? undefined : await readIfThere(join(dataDir, secretKeyFile))
  return secretKey ?? (stored === undefined ? undefined : storedKey(stored, dataDir))
}

const secretKeyFile = 'secret-key'

/** @throws ConfigError for a file that another program has written, or that is incomplete */
function storedKey(text: string, dataDir: string): Buffer {
  const key = parseSecretKey(text.trim())
  if (key) return key
  throw new ConfigError([
    `${join(dataDir, secretKeyFile)} is not usable and must hold ${secretKeyExpected}: put the key of the service there, or set SECRET_KEY`,
  ])
}

export function unprintedSecret(dataDir: string, name: string): UnprintedSecret {
  const file = join(dataDir, `${name}.unprinted`)
  return {
    read: () => readIfThere(file),
    store: (value) => writeFile(file, value, { mode: 0o600 }),
    forget: () => rmSync(file, { force: true }),
  }
}

async function readIfThere(file: string): Promise<string | undefined> {
  try {
    return await readFile(file, 'utf8')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
}
