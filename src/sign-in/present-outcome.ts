import { csrfTokenOf } from '../access/csrf.ts'
import type { Keyring } from '../platform/crypto/keyring.ts'
import { presentTime } from '../platform/http/fields.ts'
import type { SignInOutcome, StartedSession } from './outcome.ts'
import { passwordExpired } from './refusals.ts'
import type { SignedIn } from './schemas.ts'

/**
 * The state of a sign-in as the API shows it.
 *
 * @throws Problem `forbidden` when a new password has to be chosen first
 */
export function presentOutcome(keyring: Keyring, outcome: SignInOutcome): SignedIn {
  switch (outcome.kind) {
    case 'authenticated':
    case 'mfa_enrollment_required':
      return { status: outcome.kind, ...presentSession(keyring, outcome.session) }
    case 'mfa_required':
      return { status: outcome.kind, mfaToken: outcome.mfaToken, methods: [...outcome.methods] }
    case 'password_change_required':
      throw passwordExpired(outcome.resetToken, outcome.expiresAt)
  }
}

function presentSession(keyring: Keyring, { user, id, token, expiresAt }: StartedSession) {
  return { user, session: { id, expiresAt: presentTime(expiresAt) }, csrfToken: csrfTokenOf(keyring, token) }
}
