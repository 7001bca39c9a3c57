import type { Factor, FactorName } from '../access/factors.ts'
import { type StoredPolicy, signInPolicyOf } from '../organisations/rules.ts'

/** The properties of an account and its organisation that decide the next step of a sign-in. */
export interface SignInState {
  mfaEnabled: boolean
  requireMfa: boolean
  passwordChangedAt: Date | null
  passwordMaxAgeDays: number | undefined
  /** Whether the password is known from a data breach and the operator wants it replaced. */
  passwordIsBreached: boolean
  /** Whether the organisation requires a passkey and the user has none. */
  lacksPasskey: boolean
  /** Whether the user has to enrol a second factor and has a passkey that signs in: the password alone must not be enough for that. */
  mustProvePasskey: boolean
}

/**
 * - `second_factor`: a second factor has to be asked for
 * - `new_password`: the password is older than the organisation allows, or breached
 * - `enrolment`: a session may start that reaches nothing but the enrolment of a second factor or a passkey
 * - `session`: a session may start
 */
export type NextStep = 'second_factor' | 'new_password' | 'enrolment' | 'session'

const dayMilliseconds = 24 * 3_600 * 1_000

/**
 * The next step after these factors have been proven. A new password comes after the second factor: knowing the old password
 * alone must not be enough to set a new one.
 */
export function decideNextStep(state: SignInState, proven: readonly Factor[], now: Date): NextStep {
  const second = proven.filter(({ takes }) => takes.includes('second'))
  const needsSecond = state.mfaEnabled || (state.mustProvePasskey && !proven.some(isVerifiedPasskey))
  if (needsSecond && second.length === 0) return 'second_factor'
  if (proven.some(({ ages }) => ages) && (state.passwordIsBreached || isExpired(state, now))) return 'new_password'
  if (state.lacksPasskey) return 'enrolment'
  if (state.requireMfa && !state.mfaEnabled && !second.some(({ takes }) => takes.includes('first'))) return 'enrolment'
  return 'session'
}

/**
 * Whether the organisation lets a user prove who they are by a factor now. What was proven a few minutes ago is asked again, when a
 * sign-in that waits for a second factor goes on. The owner's password is never disabled.
 */
export function isAllowed(
  factor: FactorName,
  { id, ownerId, signInPolicy }: { id: string; ownerId: string | null; signInPolicy: StoredPolicy },
): boolean {
  const { password, passkeys, emailCode } = signInPolicyOf(signInPolicy)
  if (factor === 'password') return password === 'allowed' || id === ownerId
  if (factor === 'email_code') return emailCode === 'allowed'
  return passkeys !== 'off' || !factor.includes('passkey')
}

const isVerifiedPasskey = ({ takes, amr, isFederated }: Factor) => takes.includes('first') && amr.includes('user') && !isFederated

function isExpired({ passwordChangedAt, passwordMaxAgeDays }: SignInState, now: Date): boolean {
  if (passwordChangedAt === null || passwordMaxAgeDays === undefined) return false
  return now.getTime() - passwordChangedAt.getTime() >= passwordMaxAgeDays * dayMilliseconds
}
