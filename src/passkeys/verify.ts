import crypto, { createHash } from 'node:crypto'
import process from 'node:process'
import { parseJson } from '../platform/json-object.ts'
import type { RelyingParty } from './relying-party.ts'
import type { AssertionResponse, RegistrationResponse } from './schemas.ts'

/** A passkey as it is stored, with the handle of its user: everything that verifies an assertion. */
export interface VerifiablePasskey {
  credentialId: string
  publicKey: string
  rpId: string
  maySync: boolean
  handle: string
}

/** The result of a verified assertion. */
export interface Assertion {
  verifiedUser: boolean
  isSynced: boolean
  counter: number
}

export interface Expected {
  /** Base64url. */
  challenge: string
  userVerification: 'required' | 'discouraged'
}

/** A credential that can be stored as a passkey. */
export interface NewCredential {
  credentialId: string
  publicKey: string
  counter: number
  aaguid: string
  transports: string[]
  verifiedUser: boolean
  isDiscoverable: boolean
  maySync: boolean
  isSynced: boolean
}

const credentialIdBytesMax = 1_023
const EdDSA = -8
const ES256 = -7
const RS256 = -257
const MLDSA44 = -48
const userPresent = 0x01
const backupEligible = 0x08
const backedUp = 0x10
const flagsAt = 32

/** The library is loaded with the first passkey: a service without passkeys needs no CBOR. */
const library = () => import('@simplewebauthn/server')

/** Web Crypto could tell, but it would write a warning about an experiment into the log. */
const hasMlDsa = 'encapsulate' in crypto && Number.parseFloat(process.versions.openssl) >= 3.5

/** COSE algorithms that a new passkey may have, the preferred one first. The runtime decides about ML-DSA (RFC 9964). */
export const acceptedAlgorithms: readonly number[] = [EdDSA, ES256, RS256, ...(hasMlDsa ? [MLDSA44] : [])]

/**
 * Verifies an assertion (WebAuthn L3 §7.2, steps 5 to 22). The caller compares the counter by an atomic write: only that tells a clone
 * from a forgery, and one of two simultaneous uses from the other.
 *
 * @returns undefined when anything does not match. A malformed response never throws
 */
export async function verifyAssertion(
  relyingParty: RelyingParty,
  passkey: VerifiablePasskey,
  response: AssertionResponse,
  { challenge, userVerification }: Expected,
): Promise<Assertion | undefined> {
  const { verifyAuthenticationResponse } = await library()
  const { userHandle } = response.response
  if (passkey.rpId !== relyingParty.id || response.id !== passkey.credentialId) return undefined
  if (userHandle != null && userHandle !== passkey.handle) return undefined
  if (mistakeInClientData(response.response.clientDataJSON, 'webauthn.get', challenge, relyingParty)) return undefined
  try {
    const { verified, authenticationInfo } = await verifyAuthenticationResponse({
      response: response as never,
      expectedChallenge: challenge,
      expectedOrigin: [...relyingParty.origins],
      expectedRPID: relyingParty.id,
      requireUserVerification: userVerification === 'required',
      credential: { id: passkey.credentialId, publicKey: bytesOf(passkey.publicKey), counter: 0 },
    })
    const maySync = authenticationInfo.credentialDeviceType === 'multiDevice'
    if (!verified || maySync !== passkey.maySync) return undefined
    const { userVerified: verifiedUser, credentialBackedUp: isSynced, newCounter: counter } = authenticationInfo
    return { verifiedUser, isSynced, counter }
  } catch {
    // The library's errors have no type of their own.
    return undefined
  }
}

/**
 * Verifies the response to a registration (WebAuthn L3 §7.1, steps 5 to 25).
 *
 * @returns the credential, or the mistake. A malformed response never throws
 */
export async function verifyRegistration(
  relyingParty: RelyingParty,
  response: RegistrationResponse,
  challenge: string,
): Promise<{ credential: NewCredential } | { mismatch: string }> {
  const { verifyRegistrationResponse } = await library()
  const { clientDataJSON, attestationObject, transports = [] } = response.response
  const mismatch =
    mistakeInClientData(clientDataJSON, 'webauthn.create', challenge, relyingParty) ??
    (await mistakeInAuthenticatorData(attestationObject, relyingParty))
  if (mismatch !== undefined) return { mismatch }
  try {
    const { verified, registrationInfo } = await verifyRegistrationResponse({
      response: response as never,
      expectedChallenge: challenge,
      expectedOrigin: [...relyingParty.origins],
      ...(relyingParty.id !== undefined && { expectedRPID: relyingParty.id }),
      requireUserVerification: false,
      supportedAlgorithmIDs: [...acceptedAlgorithms],
    })
    if (!verified) return { mismatch: 'the attestation' }
    const { credential, aaguid, userVerified, credentialDeviceType, credentialBackedUp } = registrationInfo
    const idBytes = Buffer.from(credential.id, 'base64url').length
    if (credential.id !== response.id || idBytes === 0 || idBytes > credentialIdBytesMax) return { mismatch: 'the id of the credential' }
    const maySync = credentialDeviceType === 'multiDevice'
    const { rk } = response.clientExtensionResults?.credProps ?? {}
    return {
      credential: {
        credentialId: credential.id,
        publicKey: Buffer.from(credential.publicKey).toString('base64url'),
        counter: credential.counter,
        aaguid,
        transports: [...new Set(transports)],
        verifiedUser: userVerified,
        // Not every browser reports it. Passkeys that sync are discoverable, or their user could not choose them.
        isDiscoverable: rk ?? maySync,
        maySync,
        isSynced: credentialBackedUp,
      },
    }
  } catch {
    return { mismatch: 'the key or the attestation' }
  }
}

/** Checks the client data of the browser (§7.1 steps 5 to 12, §7.2 steps 9 to 14). */
function mistakeInClientData(
  clientDataJson: string,
  type: 'webauthn.create' | 'webauthn.get',
  challenge: string,
  { origins }: RelyingParty,
): string | undefined {
  const clientData = parseJson(Buffer.from(clientDataJson, 'base64url').toString())
  if (typeof clientData !== 'object' || clientData === null) return 'the client data'
  const read = clientData as { type?: unknown; challenge?: unknown; origin?: unknown; crossOrigin?: unknown; topOrigin?: unknown }
  if (read.type !== type) return 'the type'
  if (read.challenge !== challenge) return 'the challenge'
  if (typeof read.origin !== 'string' || !origins.includes(read.origin)) return 'the origin'
  // A page inside another page's frame could be clicked without being seen.
  if ((read.crossOrigin !== undefined && read.crossOrigin !== false) || read.topOrigin !== undefined) return 'the frame'
  return undefined
}

/** Names mistakes in the authenticator data (§7.1 steps 14 to 18); the library checks it again, with all the rest. */
async function mistakeInAuthenticatorData(attestationObject: string, { id }: RelyingParty): Promise<string | undefined> {
  const { decodeAttestationObject } = await import('@simplewebauthn/server/helpers')
  let authenticatorData: Uint8Array
  try {
    authenticatorData = decodeAttestationObject(bytesOf(attestationObject)).get('authData')
    if (!(authenticatorData instanceof Uint8Array)) return 'the authenticator data'
  } catch {
    return 'the attestation object'
  }
  const rpIdHash = createHash('sha256')
    .update(id ?? '')
    .digest()
  if (!rpIdHash.equals(authenticatorData.subarray(0, flagsAt))) return 'the relying party'
  const flags = authenticatorData[flagsAt] ?? 0
  if ((flags & userPresent) === 0) return 'the presence of the user'
  if ((flags & backedUp) !== 0 && (flags & backupEligible) === 0) return 'the state of the backup'
  return undefined
}

const bytesOf = (text: string) => new Uint8Array(Buffer.from(text, 'base64url'))
