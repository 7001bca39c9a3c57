import { hash, verify } from '@node-rs/argon2'
import type { PasswordHashing } from '../platform/crypto/password-hasher.ts'

const quick = { algorithm: 2, memoryCost: 64, timeCost: 1, parallelism: 1 }

/** Argon2id at a fraction of the service's cost: the passwords of tests need no protection. */
export const quickHashing: PasswordHashing = {
  prefix: '$argon2id$v=19$m=64,t=1,p=1$',
  hash: (password) => hash(password, quick),
  verify,
}
