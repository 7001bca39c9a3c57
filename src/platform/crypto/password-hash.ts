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

// As many at a time as there are processors: more would only take memory and starve the rest of the thread pool. As many
// may wait as are made in a few seconds: whoever came later would have given up.
const processors = availableParallelism()
const limits: HashQueueLimits = { atOnce: processors, waitingMost: { signIn: 128 * processors, choosing: 64 * processors } }

let hashing: PasswordHashing = { hash: (password) => hash(password, argon2id), verify }
let inTurn = createHashQueue(limits, tooManyPasswords)

/** For tests: a fifth of their time went into hashes that nobody has to be kept from guessing. */
export function hashPasswordsBy(other: PasswordHashing, otherLimits: HashQueueLimits = limits): void {
  hashing = other
  inTurn = createHashQueue(otherLimits, tooManyPasswords)
}

/**
 * How a password matches: as it is stored now, normalised; or only as it was typed, as it was stored by earlier releases,
 * so that it has to be hashed again.
 */
export type PasswordMatch = 'normalised' | 'as_typed' | false

/**
 * Hashes a password with Argon2id, off the event loop. It is normalised (NFC): keyboards and systems write the same
 * letter in several ways.
 *
 * @throws Problem `service-unavailable` when too many wait
 */
export function hashPassword(password: string): Promise<string> {
  return inTurn('choosing', () => hashing.hash(password.normalize('NFC')))
}

/**
 * Whether and how the password of somebody who signs in matches. Without a hash it takes the same time and says no, so
 * that an unknown account cannot be told from a wrong password.
 *
 * @throws Problem `service-unavailable` when too many wait
 */
export async function matchPassword(
  passwordHash: string | null | undefined,
  password: string,
  lane: HashLane = 'signIn',
): Promise<PasswordMatch> {
  const normalised = password.normalize('NFC')
  const matches = await verifyIn(lane, passwordHash, normalised)
  if (matches && passwordHash != null) return 'normalised'
  // Asked of the password alone, not of the account.
  if (normalised === password) return false
  return (await verifyIn(lane, passwordHash, password)) && passwordHash != null ? 'as_typed' : false
}

/** The same for the former passwords of somebody who chooses another, of which there are many. */
export async function isFormerPassword(passwordHash: string, password: string): Promise<boolean> {
  return (await matchPassword(passwordHash, password, 'choosing')) !== false
}

const verifyIn = (lane: HashLane, passwordHash: string | null | undefined, password: string) =>
  inTurn(lane, async () => hashing.verify(passwordHash ?? (await hashOfNobody()), password))

let nobody: Promise<string> | undefined
function hashOfNobody(): Promise<string> {
  nobody ??= hashing.hash('a password that nobody has')
  return nobody
}
