import { channel } from 'node:diagnostics_channel'

/** The diagnostics channel that reports each attempt to sign in with a password, a passkey, an e-mail code or by a connection, as `{ result }`. */
export const signInAttemptsChannel = 'gatehouse.sign-in-attempts'
const attempted = channel(signInAttemptsChannel)

/** The results of an attempt to sign in with a password, a passkey, an e-mail code or by a connection. */
export const signInResults = [
  'right_password',
  'wrong_password',
  'no_password_set',
  /** The right password, where the organisation has disabled passwords. */
  'password_disabled',
  /** Not checked: users of the domain have to sign in by its connection. */
  'sso_required',
  'right_passkey',
  'wrong_passkey',
  'right_email_code',
  'wrong_email_code',
  /** Accepted by a connection. */
  'right_identity',
  /** The identity provider accepted the user, and we refused the sign-in. */
  'identity_refused',
  /** The identity provider refused the user, or its response failed a check. */
  'identity_provider_refused',
  'unknown_address',
  'user_blocked',
  'organisation_suspended',
  /** Refused without checking the password: the account, or an unknown address, has reached its limit of failures. */
  'locked',
  /** Refused without checking the password: the caller's IP address has reached its limit of failures. */
  'too_many_failures_from_address',
] as const
export type SignInResult = (typeof signInResults)[number]

export function reportAttempt(result: SignInResult): void {
  attempted.publish({ result })
}
