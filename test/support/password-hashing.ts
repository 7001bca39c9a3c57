import { hash, verify } from '@node-rs/argon2'
import type { PasswordHashing } from '../../src/platform/crypto/password-hasher.ts'

const quick = { algorithm: 2, memoryCost: 64, timeCost: 1, parallelism: 1 }

/** The parameters of each hash that a password was compared with, in order, such as `m=64,t=1,p=1`. */
export const verifications: string[] = []

/** Argon2id at a fraction of the service's cost: hashing took a fifth of the tests' time, and the tests' passwords need no protection. */
export const quickHashing: PasswordHashing = {
  prefix: '$argon2id$v=19$m=64,t=1,p=1$',
  hash: (password) => hash(password, quick),
  verify(passwordHash, password) {
    verifications.push(passwordHash.split('$')[3] ?? '')
    return verify(passwordHash, password)
  },
}
