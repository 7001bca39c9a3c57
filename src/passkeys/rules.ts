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

type SigningPasskey = { canSignIn: boolean; rpId: string }

/**
 * Whether a sign-in has to prove a passkey from now on, which the password alone began until this one was registered. A policy that switches
 * passkeys off registers none.
 */
export function mustBeProvenFromNowOn(
  passkey: SigningPasskey,
  former: readonly SigningPasskey[],
  { requireMfa, mfaEnabled }: Pick<EnrolmentNeeds, 'requireMfa' | 'mfaEnabled'>,
): boolean {
  const wasProven = former.some(({ canSignIn, rpId }) => canSignIn && rpId === passkey.rpId)
  return requireMfa && !mfaEnabled && passkey.canSignIn && !wasProven
}

/** The ways that remain to a user who loses one. */
export interface WaysToSignIn {
  policy: SignInPolicy
  isOwner: boolean
  hasPassword: boolean
  /** Whether another passkey signs in. */
  hasOtherPasskey: boolean
  /** The connections by which an account there signs in. */
  connectionIds: readonly string[]
  /** The only connection by which the domain of the user lets them in. */
  requiredConnectionId: string | undefined
}

/**
 * Whether a user who loses a way to sign in has none left. What does not let them in as it is, because their domain requires a connection, is no
 * loss, and takes the place of none.
 *
 * @param lost the connection of the account that is removed; undefined for a passkey
 */
export function losesLastWay(lost: string | undefined, ways: WaysToSignIn): boolean {
  const { policy, isOwner, hasPassword, hasOtherPasskey, connectionIds, requiredConnectionId } = ways
  if (requiredConnectionId !== undefined) return lost === requiredConnectionId && !connectionIds.includes(requiredConnectionId)
  const hasUsablePassword = hasPassword && (isOwner || policy.password === 'allowed')
  return !hasOtherPasskey && connectionIds.length === 0 && policy.emailCode !== 'allowed' && !hasUsablePassword
}
