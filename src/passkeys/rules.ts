import type { FactorName } from '../access/factors.ts'
import type { SignInPolicy } from '../organisations/rules.ts'

/** At most as many are registered for one user. */
export const passkeysMax = 20

/** The factor that a passkey proves which signs a user in without a password. */
export function firstFactorOf({ maySync }: { maySync: boolean }, { passkeySatisfiesMfa }: SignInPolicy): FactorName {
  if (passkeySatisfiesMfa) return maySync ? 'verified_synced_passkey' : 'verified_passkey'
  return maySync ? 'single_synced_passkey' : 'single_passkey'
}

/** The factor that a passkey proves beside another one. */
export const secondFactorOf = ({ maySync }: { maySync: boolean }): FactorName => (maySync ? 'synced_passkey' : 'passkey')

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

/** What remains to a user who loses a passkey. */
export interface WaysToSignIn {
  policy: SignInPolicy
  isOwner: boolean
  hasPassword: boolean
  /** Whether another passkey signs in. */
  hasOtherPasskey: boolean
}

export function canStillSignIn({ policy, isOwner, hasPassword, hasOtherPasskey }: WaysToSignIn): boolean {
  return hasOtherPasskey || (hasPassword && (isOwner || policy.password === 'allowed'))
}
