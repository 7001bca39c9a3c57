import { hash, verify } from '@node-rs/argon2'
import type { PasswordHashing } from '../../src/platform/crypto/password-hasher.ts'

const quick = { algorithm: 2, memoryCost: 64, timeCost: 1, parallelism: 1 }

/** The parameters of each hash that a password was held against, in the order in which it was, such as `m=64,t=1,p=1`. */
export const verifications: string[] = []

/** Argon2id as in a service of its own process, at a fraction of its cost: a fifth of the tests' time went into hashes that nobody has to be kept from guessing. */
export const quickHashing: PasswordHashing = {
  hash: (password) => hash(password, quick),
  verify(passwordHash, password) {
    verifications.push(passwordHash.split('$')[3] ?? '')
    return verify(passwordHash, password)
  },
}
