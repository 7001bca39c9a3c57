import type { Keyring } from '../platform/crypto/keyring.ts'
import type { Database } from '../platform/database/database.ts'
import { challengeLifetimeMilliseconds, newFlow, type OwnPurpose, secondFactorChallenge } from './challenges.ts'
import { listPasskeys, type Passkey } from './queries.ts'
import { passkeysNotPossible } from './refusals.ts'
import type { RelyingParty } from './relying-party.ts'
import type { RequestOptions, StartedRequest } from './schemas.ts'

export interface PasskeyDependencies {
  database: Database
  keyring: Keyring
  relyingParty: RelyingParty
}

/** @throws Problem `bad-request` where there can be no passkeys */
export function rpIdOf({ id }: RelyingParty): string {
  if (id === undefined) throw passkeysNotPossible()
  return id
}

/**
 * Begins a sign-in by any passkey. The options reveal no user, so all clients get the same.
 *
 * @throws Problem `bad-request` where there can be no passkeys
 */
export function startSignIn({ database, keyring, relyingParty }: PasskeyDependencies): StartedRequest {
  const rpId = rpIdOf(relyingParty)
  const { flowToken, challenge } = newFlow(keyring, { purpose: 'sign-in' }, database.clock.now())
  return { flowToken, options: requestOptions(rpId, challenge, [], 'required') }
}

/** The purpose of a proof by passkey, and the passkeys that it accepts. */
interface AskedProof {
  purpose: OwnPurpose
  userVerification: RequestOptions['userVerification']
  /** All passkeys of the user by default. */
  credentialIds?: readonly string[]
}

/**
 * Begins a proof by a passkey of a user.
 *
 * @throws Problem `bad-request` where there can be no passkeys
 */
export async function startProof(
  { database, keyring, relyingParty }: PasskeyDependencies,
  { organisationId, userId }: { organisationId: string; userId: string },
  { purpose, userVerification, credentialIds }: AskedProof,
): Promise<StartedRequest> {
  const rpId = rpIdOf(relyingParty)
  const passkeys = await listPasskeys(database.tenant(organisationId), userId)
  const suitable = credentialIds ? passkeys.filter(({ credentialId }) => credentialIds.includes(credentialId)) : passkeys
  const { flowToken, challenge } = newFlow(keyring, { purpose, userId }, database.clock.now())
  return { flowToken, options: requestOptions(rpId, challenge, suitable, userVerification) }
}

/** The proof that it is still the same user. */
export const proofOfUser = { purpose: 'reauthenticate', userVerification: 'required' } as const
/** The proof by which a user makes passkeys a second factor. */
export const proofOfNewFactor = { purpose: 'enrol-second-factor', userVerification: 'discouraged' } as const
/** The proof by which a user changes their second factors, passkeys among them. */
export const proofOfFactor = { purpose: 'change-second-factors', userVerification: 'discouraged' } as const

export function secondFactorOptions(
  { keyring, relyingParty }: Pick<PasskeyDependencies, 'keyring' | 'relyingParty'>,
  mfaChallengeId: string,
  passkeys: readonly Passkey[],
  userVerification: 'required' | 'discouraged',
): RequestOptions {
  return requestOptions(rpIdOf(relyingParty), secondFactorChallenge(keyring, mfaChallengeId), passkeys, userVerification)
}

function requestOptions(
  rpId: string,
  challenge: string,
  passkeys: readonly Passkey[],
  userVerification: RequestOptions['userVerification'],
): RequestOptions {
  return { challenge, rpId, allowCredentials: descriptorsOf(passkeys, rpId), userVerification, timeout: challengeLifetimeMilliseconds }
}

/** Leaves out passkeys of another relying party, which cannot respond to a request of this one. */
export const descriptorsOf = (passkeys: readonly Passkey[], rpId: string) =>
  passkeys
    .filter((passkey) => passkey.rpId === rpId)
    .map(({ credentialId: id, transports }) => ({ id, type: 'public-key' as const, transports }))
