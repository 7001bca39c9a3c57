import type { MfaMethod } from '../access/factors.ts'

export interface StartedSession {
  id: string
  /** The cookie's value; only its hash is stored. */
  token: string
  expiresAt: Date
  user: { id: string; email: string; name: string }
}

/** Where a sign-in stands after a step that was right. The caller handles each. */
export type SignInOutcome =
  | { kind: 'authenticated'; session: StartedSession }
  /** A code of one of the methods, or a backup code, completes the sign-in within five minutes. */
  | { kind: 'mfa_required'; mfaToken: string; methods: readonly MfaMethod[] }
  /** The session reaches the enrolment of a second factor alone, and becomes a full one by it. */
  | { kind: 'mfa_enrollment_required'; session: StartedSession }
  /** The password is too old. The token sets a new one where a mailed link's would; no session has started. */
  | { kind: 'password_change_required'; resetToken: string; expiresAt: Date }
