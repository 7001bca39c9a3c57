import { channel } from 'node:diagnostics_channel'

/** The metrics hear here of each attempt to sign in with a password, as `{ result }`. */
export const signInAttemptsChannel = 'gatehouse.sign-in-attempts'
const attempted = channel(signInAttemptsChannel)

/** What can come of an attempt to sign in with a password. */
export const signInResults = [
  'right_password',
  'wrong_password',
  'no_password_set',
  'unknown_address',
  'user_blocked',
  'organisation_suspended',
  /** Refused unseen, since the account, or an address without an account, is over its limit of failures. */
  'locked',
  /** Refused unseen, since the caller's IP address is over its limit of failures. */
  'too_many_failures_from_address',
] as const
export type SignInResult = (typeof signInResults)[number]

export function reportAttempt(result: SignInResult): void {
  attempted.publish({ result })
}
