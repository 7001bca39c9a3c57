import { availableParallelism } from 'node:os'
import { hash, type Options, verify } from '@node-rs/argon2'

export interface PasswordHashing {
  /** A string that says, besides the hash, how it was made: with what algorithm, parameters and salt. */
  hash(password: string): Promise<string>
  verify(passwordHash: string, password: string): Promise<boolean>
}

// OWASP's first choice of Argon2id parameters: 19 MiB, two passes, one lane.
const argon2id: Options = { algorithm: 2, memoryCost: 19_456, timeCost: 2, parallelism: 1 }

let hashing: PasswordHashing = { hash: (password) => hash(password, argon2id), verify }

/** For tests: a fifth of their time went into hashes that nobody has to be kept from guessing. */
export function hashPasswordsBy(other: PasswordHashing): void {
  hashing = other
}

let running = 0
const waiting: (() => void)[] = []

/** Hashes a password with Argon2id, off the event loop. */
export function hashPassword(password: string): Promise<string> {
  return oneOfFew(() => hashing.hash(password))
}

/**
 * Whether the password matches. Without a hash it takes the same time and says no, so that an unknown account cannot be
 * told from a wrong password.
 */
export async function verifyPassword(passwordHash: string | null | undefined, password: string): Promise<boolean> {
  const matches = await oneOfFew(async () => hashing.verify(passwordHash ?? (await hashOfNobody()), password))
  return matches && passwordHash != null
}

/** As many at a time as there are processors: more would only take memory and starve the rest of the thread pool. */
async function oneOfFew<T>(work: () => Promise<T>): Promise<T> {
  if (running >= availableParallelism()) await new Promise<void>((resolve) => waiting.push(resolve))
  else running++
  try {
    return await work()
  } finally {
    const next = waiting.shift()
    if (next) next()
    else running--
  }
}

let nobody: Promise<string> | undefined
function hashOfNobody(): Promise<string> {
  nobody ??= hashing.hash('a password that nobody has')
  return nobody
}
