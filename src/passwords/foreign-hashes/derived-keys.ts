import { createCipheriv, pbkdf2, scrypt } from 'node:crypto'
import { promisify } from 'node:util'
import { memoryMaxMiB } from './foreign-form.ts'

const scryptOf = promisify<string, Buffer, number, object, Buffer>(scrypt)

export interface ScryptOptions {
  costLog2: number
  blockSize: number
  parallelization: number
}

export const scryptKey = (password: string, salt: Buffer, length: number, { costLog2, ...options }: ScryptOptions): Promise<Buffer> =>
  // Scrypt needs a little more memory than its blocks.
  scryptOf(password, salt, length, { ...options, cost: 2 ** costLog2, maxmem: (memoryMaxMiB + 64) * 2 ** 20 })

export const pbkdf2Key = promisify(pbkdf2)

/** The signer key of a Firebase project, encrypted by AES-256 in counter mode with a key derived from the password. */
export async function encryptedSignerKey(password: string, salt: Buffer, signerKey: Buffer, options: ScryptOptions): Promise<Buffer> {
  const key = await scryptKey(password, salt, 32, options)
  const cipher = createCipheriv('aes-256-ctr', key, Buffer.alloc(16))
  return Buffer.concat([cipher.update(signerKey), cipher.final()])
}
