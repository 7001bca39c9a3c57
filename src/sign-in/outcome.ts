import type { MfaMethod } from '../access/factors.ts'

export interface StartedSession {
  id: string
  /** The cookie's value; only its hash is stored. */
  token: string
  expiresAt: Date
  organisationId: string
  user: { id: string; email: string; name: string }
}

/** The state of a sign-in after a successful step. Every caller handles each kind. */
export type SignInOutcome =
  | { kind: 'authenticated'; session: StartedSession }
  /** A code of one of the methods, or a backup code, completes the sign-in within five minutes. */
  | { kind: 'mfa_required'; mfaToken: string; methods: readonly MfaMethod[] }
  /** The session may only enrol a second factor. Enrolment turns it into a full session. */
  | { kind: 'mfa_enrollment_required'; session: StartedSession }
  /** The password has expired. The token sets a new one, like that of a mailed link. No session has started. */
  | { kind: 'password_change_required'; resetToken: string; expiresAt: Date }
