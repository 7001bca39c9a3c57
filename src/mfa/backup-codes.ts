import { randomBytes } from 'node:crypto'
import { hashSecret } from '../platform/crypto/secrets.ts'

const count = 10
const groups = 4
const groupLength = 4
// Crockford's base32: no letter looks like a digit.
const alphabet = '0123456789abcdefghjkmnpqrstvwxyz'

/** Ten codes of 80 random bits, to be written down: `k3f9-x2mm-7c0d-q8vt`. */
export function newBackupCodes(): string[] {
  return Array.from({ length: count }, () => {
    const letters = [...randomBytes(groups * groupLength)].map((byte) => alphabet[byte % alphabet.length]).join('')
    return letters.match(new RegExp(`.{${groupLength}}`, 'g'))?.join('-') ?? letters
  })
}

/**
 * The stored hash of a backup code, however it is typed. With 80 random bits there is nothing to guess, so no slow hash is needed.
 * The hash includes the user, so that equal codes of two users have different hashes.
 */
export function hashBackupCode(userId: string, code: string): string {
  const typed = code.toLowerCase().replaceAll(/[\s-]/g, '').replaceAll('o', '0').replaceAll(/[il]/g, '1')
  return hashSecret(`${userId} ${typed}`)
}
