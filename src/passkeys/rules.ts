import type { SignInPolicy } from '../organisations/rules.ts'

/** At most as many are registered for one user. */
export const passkeysMax = 20

/** What an organisation asks of its users, and what a user has. */
export interface EnrolmentNeeds {
  policy: SignInPolicy
  requireMfa: boolean
  mfaEnabled: boolean
  /** Whether one of the user's passkeys signs in. */
  hasPasskey: boolean
}

/** Whether nothing has to be enrolled any more, so that a session which waits for it becomes a full one. */
export function isEnrolled({ policy, requireMfa, mfaEnabled, hasPasskey }: EnrolmentNeeds): boolean {
  const passkeyStandsForBoth = hasPasskey && policy.passkeys !== 'off' && policy.passkeySatisfiesMfa
  return (policy.passkeys !== 'required' || hasPasskey) && (!requireMfa || mfaEnabled || passkeyStandsForBoth)
}

/** What remains to a user who loses a way to sign in. */
export interface WaysToSignIn {
  policy: SignInPolicy
  isOwner: boolean
  hasPassword: boolean
  /** Whether another passkey signs in. */
  hasOtherPasskey: boolean
  /** Whether an active connection signs in, another one if it is a connection that goes. */
  hasIdentity: boolean
}

export function canStillSignIn({ policy, isOwner, hasPassword, hasOtherPasskey, hasIdentity }: WaysToSignIn): boolean {
  return hasOtherPasskey || hasIdentity || policy.emailCode === 'allowed' || (hasPassword && (isOwner || policy.password === 'allowed'))
}
