import type { PasswordHashing } from '../../src/platform/crypto/password-hasher.ts'
import { quickHashing as quick } from '../../src/test-mode/quick-hashing.ts'

/** The parameters of each hash that a password was compared with, in order, such as `m=64,t=1,p=1`. */
export const verifications: string[] = []

/** Hashing at the service's cost took a fifth of the tests' time. */
export const quickHashing: PasswordHashing = {
  ...quick,
  verify(passwordHash, password) {
    verifications.push(passwordHash.split('$')[3] ?? '')
    return quick.verify(passwordHash, password)
  },
}
