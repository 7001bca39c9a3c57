import type { Factor, FactorName } from '../access/factors.ts'
import { passwordPolicyOf, type StoredPolicy, signInPolicyOf } from '../organisations/rules.ts'
import type { OrganisationStatus } from '../platform/database/column-types.ts'

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

/** The part of an account that decides the next step. */
export interface DecidingAccount
  extends Pick<SignInState, 'mfaEnabled' | 'requireMfa' | 'passwordChangedAt' | 'lacksPasskey' | 'mustProvePasskey'> {
  passwordPolicy: StoredPolicy
}

/** Extracts from an account the state that decides the next step of a sign-in. */
export function signInStateOf(account: DecidingAccount, passwordIsBreached: boolean): SignInState {
  const { mfaEnabled, requireMfa, passwordChangedAt, lacksPasskey, mustProvePasskey } = account
  const { maxAgeDays: passwordMaxAgeDays } = passwordPolicyOf(account.passwordPolicy)
  return { mfaEnabled, requireMfa, passwordChangedAt, passwordMaxAgeDays, passwordIsBreached, lacksPasskey, mustProvePasskey }
}

/**
 * - `second_factor`: the user has to prove a second factor
 * - `new_password`: the password is older than the organisation allows, or breached
 * - `enrolment`: a session may start that only reaches the enrolment of a second factor or a passkey
 * - `session`: a session may start
 */
export type NextStep = 'second_factor' | 'new_password' | 'enrolment' | 'session'

const dayMilliseconds = 24 * 3_600 * 1_000

/**
 * Returns the next step after these factors have been proven. A new password comes after the second factor: knowing the old password alone
 * must not be enough to set a new one.
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
 * Whether the organisation currently accepts a factor of a user. When a sign-in that awaits a second factor continues, this checks a
 * factor that was proven a few minutes ago again. The owner's password is never disabled.
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

/** Our own ways to sign in. */
export type OwnWay = 'password' | 'passkey' | 'email_code'

/** The reason why a way of ours accepts no proof of a user. */
export type ClosedWay = 'no_password_set' | 'password_disabled' | 'passkeys_off' | 'no_passkey' | 'email_codes_off'

/**
 * The reason why a user cannot sign in by a way of ours, whatever they prove; undefined where the proof decides.
 *
 * @param hasCredential whether the user has a password, or a passkey that signs in; a mailbox always counts
 */
export function whyClosed(way: OwnWay, user: Parameters<typeof isAllowed>[1], hasCredential: boolean): ClosedWay | undefined {
  const allowed = isAllowed(way, user)
  switch (way) {
    case 'password':
      return hasCredential ? (allowed ? undefined : 'password_disabled') : 'no_password_set'
    case 'passkey':
      return allowed ? (hasCredential ? undefined : 'no_passkey') : 'passkeys_off'
    case 'email_code':
      return allowed ? undefined : 'email_codes_off'
  }
}

/** Whether a domain that requires single sign-on closes all ways of ours to a user, or to an address without a user. */
export const isClosedByDomain = <User>(
  requirement: { binds(user: User | undefined): boolean } | undefined,
  user: User | undefined,
): boolean => requirement?.binds(user) ?? false

/** The part of an account that may forbid a sign-in, whatever is proven. */
export interface Forbidden {
  blockedAt: Date | null
  organisationStatus: OrganisationStatus
}

/** The reason why an account may not sign in although everything required is proven. */
export function whyForbidden({ blockedAt, organisationStatus }: Forbidden): 'user_blocked' | 'organisation_suspended' | undefined {
  if (blockedAt) return 'user_blocked'
  return organisationStatus === 'suspended' ? 'organisation_suspended' : undefined
}

const isVerifiedPasskey = ({ takes, amr, isFederated }: Factor) => takes.includes('first') && amr.includes('user') && !isFederated

function isExpired({ passwordChangedAt, passwordMaxAgeDays }: SignInState, now: Date): boolean {
  if (passwordChangedAt === null || passwordMaxAgeDays === undefined) return false
  return now.getTime() - passwordChangedAt.getTime() >= passwordMaxAgeDays * dayMilliseconds
}
