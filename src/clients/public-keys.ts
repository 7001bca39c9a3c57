import { hash } from 'node:crypto'
import { privateKeyMembers } from '../../shared/private-key-members.ts'
import type { ClientAlgorithm, PublicKey } from '../platform/database/column-types.ts'
import { isPlainText } from '../platform/text.ts'
import { keyObjectOf } from './key-objects.ts'

/** The algorithms by which clients sign, as they may name them: RFC 8037 and RFC 9864 have a name each for the same one. */
export const algorithmNames = ['EdDSA', 'Ed25519', 'ES256', 'PS256', 'RS256'] as const
export type AlgorithmName = (typeof algorithmNames)[number]

export const canonicalAlgorithm = (name: AlgorithmName): ClientAlgorithm => (name === 'Ed25519' ? 'EdDSA' : name)

const isAlgorithmName = (name: unknown): name is AlgorithmName => algorithmNames.some((known) => known === name)

/** The algorithm by which a client may sign that a text names; undefined for any other, such as `none` or `HS256`. */
export const readClientAlgorithm = (name: unknown): ClientAlgorithm | undefined =>
  isAlgorithmName(name) ? canonicalAlgorithm(name) : undefined

const longerAlgorithms = ['ES384', 'ES512', 'PS384', 'PS512', 'RS384', 'RS512'] as const
/** What platforms sign their tokens by, too (SPIFFE JWT-SVID §2.1): they choose their keys for all services, and no client does. */
export type SignatureAlgorithm = ClientAlgorithm | (typeof longerAlgorithms)[number]
export const platformAlgorithms: readonly SignatureAlgorithm[] = ['EdDSA', 'ES256', 'PS256', 'RS256', ...longerAlgorithms]

export const readAlgorithm = (name: unknown): SignatureAlgorithm | undefined =>
  readClientAlgorithm(name) ?? longerAlgorithms.find((known) => known === name)

const algorithmsOfRsa: readonly SignatureAlgorithm[] = ['PS256', 'RS256', 'PS384', 'PS512', 'RS384', 'RS512']
const algorithmOfCurve: Readonly<Record<string, SignatureAlgorithm>> = {
  Ed25519: 'EdDSA',
  'P-256': 'ES256',
  'P-384': 'ES384',
  'P-521': 'ES512',
}
const curvesOfType = { OKP: ['Ed25519'], EC: ['P-256', 'P-384', 'P-521'] }

/** What a key can sign by. */
function algorithmsOfKey({ kty, crv }: Pick<PublicKey, 'kty' | 'crv'>): readonly SignatureAlgorithm[] {
  if (kty === 'RSA') return algorithmsOfRsa
  const algorithm = crv !== undefined && curvesOfType[kty].includes(crv) ? algorithmOfCurve[crv] : undefined
  return algorithm === undefined ? [] : [algorithm]
}

export const keysMax = 20
const modulusBitsMin = 2_048
const modulusBitsMax = 8_192

export type KeyMistake =
  | { reason: 'key-is-private'; member: string }
  | { reason: 'key-type-not-supported'; member: 'kty' | 'crv' }
  | { reason: 'key-size-not-supported'; member: 'n' }
  | { reason: 'key-not-for-signatures'; member: 'use' }
  | { reason: 'key-algorithm-not-supported'; member: 'alg' }
  | { reason: 'key-unreadable'; member: undefined }

/** A key as it was sent. */
export type SentKey = Readonly<Record<string, unknown>>

/** Why a key cannot verify what a client signs; undefined when it can: RSA of 2,048 bits and more, P-256 or Ed25519. */
export const keyMistake = (key: SentKey): KeyMistake | undefined =>
  mistakeOf(key, (name) => readClientAlgorithm(name) !== undefined) ?? whyNotStored(key)

/** Keys of clients are stored, and shown as they came: a member that is used is a text, and one that says nothing counts as absent. */
function whyNotStored(key: SentKey): KeyMistake | undefined {
  const isText = (value: unknown, lengthMax: number) =>
    typeof value === 'string' && value !== '' && value.length <= lengthMax && isPlainText(value)
  const isStored = storedMembers.every(
    (member) => key[member] == null || isText(key[member], member === 'kid' ? kidLengthMax : memberLengthMax),
  )
  return isStored ? undefined : { reason: 'key-unreadable', member: undefined }
}

/** The same for what a platform signs, whose keys may be on P-384 and P-521 besides. */
export const platformKeyMistake = (key: SentKey): KeyMistake | undefined => mistakeOf(key, (name) => readAlgorithm(name) !== undefined)

function mistakeOf(key: SentKey, isSupported: (name: unknown) => boolean): KeyMistake | undefined {
  const secret = privateKeyMembers.find((member) => key[member] !== undefined)
  if (secret !== undefined) return { reason: 'key-is-private', member: secret }
  const { kty, crv, use, alg } = key
  if (kty !== 'RSA' && kty !== 'EC' && kty !== 'OKP') return { reason: 'key-type-not-supported', member: 'kty' }
  const algorithms = algorithmsOfKey({ kty, ...(typeof crv === 'string' && { crv }) }).filter(isSupported)
  if (algorithms.length === 0) return { reason: 'key-type-not-supported', member: 'crv' }
  if (use !== undefined && use !== 'sig') return { reason: 'key-not-for-signatures', member: 'use' }
  const algorithm = readAlgorithm(alg)
  if (alg !== undefined && (algorithm === undefined || !algorithms.includes(algorithm)))
    return { reason: 'key-algorithm-not-supported', member: 'alg' }
  const bits = bitsOf(publicMembers(key))
  if (bits === undefined) return { reason: 'key-unreadable', member: undefined }
  if (kty === 'RSA' && (bits < modulusBitsMin || bits > modulusBitsMax)) return { reason: 'key-size-not-supported', member: 'n' }
  return undefined
}

/** The size of an RSA key, 0 for others; undefined when it is no key: a point beside the curve, say. */
function bitsOf(key: PublicKey): number | undefined {
  try {
    return keyObjectOf(key).asymmetricKeyDetails?.modulusLength ?? 0
  } catch {
    return undefined
  }
}

/** What a thumbprint is of, in its order (RFC 7638 §3.2, RFC 8037 §2). */
const thumbprintMembers = { EC: ['crv', 'kty', 'x', 'y'], OKP: ['crv', 'kty', 'x'], RSA: ['e', 'kty', 'n'] } as const

/** The thumbprint of a key that has no mistake. jose would ask another thread for the hash, which takes ten times as long. */
export function thumbprintOf(key: SentKey): string {
  const members = thumbprintMembers[key.kty as PublicKey['kty']].map((member) => [member, key[member]])
  return hash('sha256', JSON.stringify(Object.fromEntries(members)), 'base64url')
}

const kidLengthMax = 255
/** A modulus of 8,192 bits has 1,366 characters. */
const memberLengthMax = 2_048
const storedMembers = ['kty', 'crv', 'x', 'y', 'n', 'e', 'kid', 'use', 'alg'] as const

/** The members of a key that are used. */
export const publicMembers = (key: SentKey): PublicKey =>
  Object.fromEntries(storedMembers.flatMap((member) => (key[member] == null ? [] : [[member, key[member]]]))) as unknown as PublicKey

/**
 * The keys of a set that may have signed a token with such a header (RFC 7515 §4.1.4). Several keys may have one id (FAPI 2.0 §5.4.3).
 *
 * @param keyId undefined if the token names none
 */
export function keysFor(
  keys: readonly PublicKey[],
  { keyId, algorithm }: { keyId: string | undefined; algorithm: SignatureAlgorithm },
): PublicKey[] {
  return keys.filter(
    (key) =>
      (keyId === undefined || key.kid === keyId) &&
      algorithmsOfKey(key).includes(algorithm) &&
      (key.alg === undefined || readAlgorithm(key.alg) === algorithm),
  )
}
