import { availableParallelism } from 'node:os'
import { hash, type Options, verify } from '@node-rs/argon2'
import { tooManyPasswords } from '../http/refusals.ts'
import { createHashQueue, type HashLane, type HashQueueLimits } from './hash-queue.ts'

export interface PasswordHashing {
  /** A string that says, besides the hash, how it was made: with what algorithm, parameters and salt. */
  hash(password: string): Promise<string>
  verify(passwordHash: string, password: string): Promise<boolean>
}

// OWASP's first choice of Argon2id parameters: 19 MiB, two passes, one lane.
const argon2id: Options = { algorithm: 2, memoryCost: 19_456, timeCost: 2, parallelism: 1 }
const byArgon2id: PasswordHashing = { hash: (password) => hash(password, argon2id), verify }

// As many at a time as there are processors: more would only take memory and starve the rest of the thread pool. As many
// may wait as are made in a few seconds: a later request would have timed out.
const processors = availableParallelism()
const defaultLimits: HashQueueLimits = { atOnce: processors, waitingMost: { signIn: 128 * processors, choosing: 64 * processors } }

/**
 * How a password matches: as it is stored now, normalised; or only as it was typed, as it was stored by earlier releases,
 * so that it has to be hashed again.
 */
export type PasswordMatch = 'normalised' | 'as_typed' | false

/** Hashes passwords off the event loop, a bounded number at a time. Each method throws Problem `service-unavailable` when too many wait. */
export interface PasswordHasher {
  /** Hashes a password, normalised (NFC): keyboards and systems write the same letter in several ways. */
  hash(password: string): Promise<string>
  /**
   * Whether and how the password of a user who signs in matches. Without a hash it takes the same time and says no, so
   * that an unknown account cannot be told from a wrong password.
   */
  match(passwordHash: string | null | undefined, password: string): Promise<PasswordMatch>
  /** The same for the former passwords of a user who chooses another, of which there are many. */
  isFormer(passwordHash: string, password: string): Promise<boolean>
}

/** @param hashing Argon2id, unless a test decides */
export function createPasswordHasher(hashing: PasswordHashing = byArgon2id, limits = defaultLimits): PasswordHasher {
  const inTurn = createHashQueue(limits, tooManyPasswords)
  let noOnes: Promise<string> | undefined
  const hashOfUnknownAccount = () => {
    noOnes ??= hashing.hash('a password that no account has')
    return noOnes
  }
  const verifyIn = (lane: HashLane, passwordHash: string | null | undefined, password: string) =>
    inTurn(lane, async () => hashing.verify(passwordHash ?? (await hashOfUnknownAccount()), password))
  const matchIn = async (lane: HashLane, passwordHash: string | null | undefined, password: string): Promise<PasswordMatch> => {
    const normalised = password.normalize('NFC')
    const matches = await verifyIn(lane, passwordHash, normalised)
    if (matches && passwordHash != null) return 'normalised'
    // Asked of the password alone, not of the account.
    if (normalised === password) return false
    return (await verifyIn(lane, passwordHash, password)) && passwordHash != null ? 'as_typed' : false
  }
  return {
    hash: (password) => inTurn('choosing', () => hashing.hash(password.normalize('NFC'))),
    match: (passwordHash, password) => matchIn('signIn', passwordHash, password),
    isFormer: async (passwordHash, password) => (await matchIn('choosing', passwordHash, password)) !== false,
  }
}
