import { availableParallelism } from 'node:os'
import { setTimeout } from 'node:timers/promises'
import { hash, type Options, verify } from '@node-rs/argon2'
import { tooManyPasswords } from '../http/refusals.ts'
import { createHashQueue, type HashLane, type HashQueueLimits } from './hash-queue.ts'

export interface PasswordHashing {
  /** The prefix of our own hashes. Any other hash was made elsewhere, or with other parameters. */
  prefix: string
  /** Returns a string with the hash and its algorithm, parameters and salt. */
  hash(password: string): Promise<string>
  verify(passwordHash: string, password: string): Promise<boolean>
}

// OWASP's first choice of Argon2id parameters: 19 MiB, two passes, one lane.
const argon2id: Options = { algorithm: 2, memoryCost: 19_456, timeCost: 2, parallelism: 1 }
const byArgon2id: PasswordHashing = {
  prefix: '$argon2id$v=19$m=19456,t=2,p=1$',
  hash: (password) => hash(password, argon2id),
  verify,
}

// Run as many at a time as there are processors: more would only take memory and starve the rest of the thread pool. Queue as many as are
// made in a few seconds: a later request would have timed out.
const processors = availableParallelism()
const defaultLimits: HashQueueLimits = { atOnce: processors, waitingMost: { signIn: 128 * processors, choosing: 64 * processors } }

/**
 * How a password matches: by a current hash, or by one that is to be renewed, since another system made it, or an earlier release made it
 * of the password as it was typed, not normalised.
 */
export type PasswordMatch = 'current' | 'to_renew' | false

/** Whether a password matches the hash of another system. */
export type VerifyForeignHash = (passwordHash: string, password: string) => Promise<boolean>

/** The longest delay that makes a failed sign-in look like all others. */
const likenessMaxMilliseconds = 2_000

/** Hashes passwords off the event loop, a bounded number at a time. Each method throws Problem `service-unavailable` when too many wait. */
export interface PasswordHasher {
  /** Hashes a password, normalised (NFC): keyboards and systems write the same letter in several ways. */
  hash(password: string): Promise<string>
  /**
   * Whether and how the password of a user who signs in matches. Without a hash it takes the same time and returns false, so that an
   * unknown account cannot be told from a wrong password.
   */
  match(passwordHash: string | null | undefined, password: string): Promise<PasswordMatch>
  /** The same for the former passwords of a user who chooses a new one, of which there are many. */
  isFormer(passwordHash: string, password: string): Promise<boolean>
}

/**
 * @param hashing Argon2id by default; tests pass others
 * @param verifyForeign verifies hashes that are not ours; without it they match nothing
 */
export function createPasswordHasher(
  hashing: PasswordHashing = byArgon2id,
  limits = defaultLimits,
  verifyForeign: VerifyForeignHash = async () => false,
): PasswordHasher {
  const inTurn = createHashQueue(limits, tooManyPasswords)
  const likeness = createLikeness()
  let noOnes: Promise<string> | undefined
  const hashOfUnknownAccount = () => {
    noOnes ??= hashing.hash('a password that no account has')
    return noOnes
  }
  const isOurs = (passwordHash: string) => passwordHash.startsWith(hashing.prefix)
  const verifyIn = (lane: HashLane, passwordHash: string | null | undefined, password: string) =>
    inTurn(lane, async () => {
      if (passwordHash == null || isOurs(passwordHash)) return hashing.verify(passwordHash ?? (await hashOfUnknownAccount()), password)
      return likeness.measure(() => verifyForeign(passwordHash, password))
    })
  const matchIn = async (lane: HashLane, passwordHash: string | null | undefined, password: string): Promise<PasswordMatch> => {
    const normalised = password.normalize('NFC')
    const matches = await verifyIn(lane, passwordHash, normalised)
    if (matches && passwordHash != null) return isOurs(passwordHash) ? 'current' : 'to_renew'
    // Decide by the password alone, not by the account.
    if (normalised === password) return false
    return (await verifyIn(lane, passwordHash, password)) && passwordHash != null ? 'to_renew' : false
  }
  return {
    hash: (password) => inTurn('choosing', () => hashing.hash(password.normalize('NFC'))),
    async match(passwordHash, password) {
      const startedAt = performance.now()
      const match = await matchIn('signIn', passwordHash, password)
      if (!match) await likeness.wait(startedAt, password.normalize('NFC') === password ? 1 : 2)
      return match
    },
    isFormer: async (passwordHash, password) => (await matchIn('choosing', passwordHash, password)) !== false,
  }
}

/**
 * Makes failed sign-ins take as long as those of accounts whose hash another system made: the time of such a hash would reveal the
 * account. As long as the process has met none, no sign-in is delayed.
 */
function createLikeness() {
  let milliseconds = 0
  return {
    async measure<T>(verify: () => Promise<T>): Promise<T> {
      const startedAt = performance.now()
      try {
        return await verify()
      } finally {
        // A time that was measured under load decays.
        milliseconds = Math.min(likenessMaxMilliseconds, Math.max(performance.now() - startedAt, 0.95 * milliseconds))
      }
    },
    async wait(startedAt: number, verifications: number): Promise<void> {
      const left = startedAt + verifications * milliseconds - performance.now()
      if (left > 0) await setTimeout(left)
    },
  }
}
