import type { SignInPolicy } from '../access/rules.ts'

/** The most passkeys that a user may register. */
export const passkeysMax = 20

/** The requirements of an organisation, and the factors that a user has. */
export interface EnrolmentNeeds {
  policy: SignInPolicy
  requireMfa: boolean
  mfaEnabled: boolean
  /** Whether one of the user's passkeys signs in. */
  hasPasskey: boolean
}

/** Whether nothing is left to enrol, so that a session that awaits it becomes a full one. */
export function isEnrolled({ policy, requireMfa, mfaEnabled, hasPasskey }: EnrolmentNeeds): boolean {
  const passkeyStandsForBoth = hasPasskey && policy.passkeys !== 'off' && policy.passkeySatisfiesMfa
  return (policy.passkeys !== 'required' || hasPasskey) && (!requireMfa || mfaEnabled || passkeyStandsForBoth)
}

/** The ways that remain to a user who loses a way to sign in. */
export interface WaysToSignIn {
  policy: SignInPolicy
  isOwner: boolean
  hasPassword: boolean
  /** Whether another passkey signs in. */
  hasOtherPasskey: boolean
  /** Whether an active connection signs in; another one, if a connection is being removed. */
  hasIdentity: boolean
}

export function canStillSignIn({ policy, isOwner, hasPassword, hasOtherPasskey, hasIdentity }: WaysToSignIn): boolean {
  return hasOtherPasskey || hasIdentity || policy.emailCode === 'allowed' || (hasPassword && (isOwner || policy.password === 'allowed'))
}
