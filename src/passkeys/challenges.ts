import { randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import type { Keyring } from '../platform/crypto/keyring.ts'
import { hashSecret } from '../platform/crypto/secrets.ts'
import type { Tenant } from '../platform/database/database.ts'

/** The purposes for which a signed-in user proves a passkey of theirs. */
export type OwnPurpose = 'enrol-second-factor' | 'change-second-factors' | 'reauthenticate' | 'step-up'

/** The purpose of a challenge and its user. A response to a challenge is worthless for any other. */
export type ChallengePurpose =
  | { purpose: 'sign-in' }
  | { purpose: 'register' | OwnPurpose; userId: string }
  /** The pending sign-in replaces a flow token: it is used once, and expires by itself. */
  | { purpose: 'second-factor'; mfaChallengeId: string }

/** The lifetime of a challenge, which is also how long a browser waits for the user. */
export const challengeLifetimeMilliseconds = 5 * 60 * 1_000
const timeBytes = 6
const randomByteCount = 16
const flowTokenPattern = /^[\w-]{30}$/

/** A challenge that can still be used. */
export interface Challenge {
  /** 32 bytes, base64url. */
  value: string
  /** The time after which the challenge is refused. */
  expiresAt: Date
}

/** Begins a ceremony: the token names its challenge later, without anything being stored. */
export function newFlow(keyring: Keyring, purpose: FlowPurpose, now: Date): { flowToken: string; challenge: string } {
  const bytes = Buffer.alloc(timeBytes + randomByteCount)
  bytes.writeUIntBE(now.getTime() + challengeLifetimeMilliseconds, 0, timeBytes)
  randomBytes(randomByteCount).copy(bytes, timeBytes)
  const flowToken = bytes.toString('base64url')
  return { flowToken, challenge: challengeFor(keyring, purpose, flowToken) }
}

type FlowPurpose = Exclude<ChallengePurpose, { purpose: 'second-factor' }>

/**
 * The challenge that a token names. A changed token names another challenge, so the token needs no signature of its own.
 *
 * @returns undefined for a token that is not ours or has expired
 */
export function challengeOfFlow(keyring: Keyring, purpose: FlowPurpose, flowToken: string, now: Date): Challenge | undefined {
  const expiresAt = expiryOf(flowToken)
  // Later times are not ours, and a date may not be able to hold them.
  if (expiresAt === undefined || expiresAt <= now.getTime() || expiresAt > now.getTime() + challengeLifetimeMilliseconds) return undefined
  return { value: challengeFor(keyring, purpose, flowToken), expiresAt: new Date(expiresAt) }
}

/** Whether a token of ours has expired; false for any other text. */
export function hasExpired(flowToken: string, now: Date): boolean {
  const expiresAt = expiryOf(flowToken)
  return expiresAt !== undefined && expiresAt <= now.getTime()
}

const expiryOf = (flowToken: string): number | undefined =>
  flowTokenPattern.test(flowToken) ? Buffer.from(flowToken, 'base64url').readUIntBE(0, timeBytes) : undefined

export const secondFactorChallenge = (keyring: Keyring, mfaChallengeId: string): string =>
  challengeFor(keyring, { purpose: 'second-factor', mfaChallengeId }, '')

function challengeFor(keyring: Keyring, purpose: ChallengePurpose, flowToken: string): string {
  const subject = 'userId' in purpose ? purpose.userId : 'mfaChallengeId' in purpose ? purpose.mfaChallengeId : ''
  return keyring.hmac('passkey challenge', `${purpose.purpose} ${subject} ${flowToken}`)
}

/**
 * Uses a challenge up, in the transaction of its purpose: a second use waits until the first has been committed.
 *
 * @returns whether this call used it up
 */
export async function spendChallenge(tenant: Tenant, { value, expiresAt }: Challenge): Promise<boolean> {
  const { numAffectedRows = 0n } = await sql`
    insert into spent_challenges (challenge_hash, expires_at) values (${hashSecret(value)}, ${expiresAt})
    on conflict do nothing`.execute(tenant)
  return numAffectedRows > 0n
}
