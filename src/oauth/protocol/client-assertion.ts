/** Assertions by which clients authenticate: `private_key_jwt` (RFC 7523 §3, OpenID Connect Core §9). */
import { createPublicKey, type JsonWebKey as NodeKey } from 'node:crypto'
import * as errors from 'jose/errors'
import { compactVerify } from 'jose/jws/compact/verify'
import { say } from '../../../shared/checks/said.ts'
import { keysFor, readAlgorithm } from '../../clients/public-keys.ts'
import type { ClientAlgorithm, PublicKey, PublicKeySet } from '../../platform/database/column-types.ts'
import { cutText, isPlainText } from '../../platform/text.ts'
import type { ClientKeySets } from './client-key-sets.ts'
import type { FailedCheck } from './errors.ts'

export const assertionType = 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer'

/** How far ahead its end may be. */
const lifetimeSecondsMax = 600
/** How far the client's clock may be ahead of ours. */
const skewSeconds = 60
const identifierLengthMax = 512
const shownLengthMax = 200

/** An assertion whose signature nothing has verified yet. */
export interface ReadAssertion {
  token: string
  header: Readonly<Record<string, unknown>>
  claims: Readonly<Record<string, unknown>>
}

/** Reads a signed JWT without believing it; undefined when it is none. */
export function readAssertion(token: string): ReadAssertion | undefined {
  const parts = token.split('.')
  if (parts.length !== 3) return undefined
  try {
    const [header, claims] = parts.slice(0, 2).map((part) => JSON.parse(Buffer.from(part, 'base64url').toString()) as unknown)
    return isRecord(header) && isRecord(claims) ? { token, header, claims } : undefined
  } catch {
    return undefined
  }
}

/** The client that an assertion names as its subject; undefined when it names none. */
export function subjectOf({ claims: { sub } }: ReadAssertion): string | undefined {
  return typeof sub === 'string' && sub !== '' && isPlainText(sub) ? sub : undefined
}

/** What is known of a client that authenticates by a key. */
export interface ClientWithKeys {
  /** Its `client_id`. */
  id: string
  jwks: PublicKeySet | null
  jwksUri: string | null
  tokenEndpointAuthSigningAlg: ClientAlgorithm | null
}

export interface ProvenAssertion {
  /** Its `jti`, which the caller still has to claim. */
  assertionId: string
  /** From then on it is refused. */
  expiresAt: Date
}

/**
 * Checks an assertion of a client, except for replay: its claims first, so that nothing is fetched for one that is refused anyway.
 *
 * @param audiences the addresses by which it may name this service: each member of its `aud` is one of them
 */
export async function checkClientAssertion(
  keySets: () => Promise<ClientKeySets>,
  client: ClientWithKeys,
  assertion: ReadAssertion,
  { audiences, now }: { audiences: readonly string[]; now: Date },
): Promise<ProvenAssertion | { failed: FailedCheck }> {
  const refused = whyHeaderRefused(assertion, client) ?? whyClaimsRefused(assertion, client.id, audiences, now)
  if (refused) return { failed: refused }
  const wanted = { keyId: assertion.header.kid as string | undefined, algorithm: readAlgorithm(assertion.header.alg) as ClientAlgorithm }
  const found = await keysOf(keySets, client, (keys) => keysFor(keys, wanted).length > 0)
  if ('failure' in found)
    return { failed: failed(say('a-document-with-keys-at', String(client.jwksUri)), cutText(found.failure, shownLengthMax)) }
  const keys = keysFor(found.keys, wanted)
  if (keys.length === 0)
    return { failed: failed(say('a-key-of-the-client'), say('no-key-that-fits', wanted.keyId ?? '', wanted.algorithm)) }
  // Which of them is meant, only the client knows.
  if (wanted.keyId === undefined && keys.length > 1) return { failed: failed(claim('kid', say('a-value').text), say('none')) }
  if (!(await isSignedByOneOf(keys, assertion.token))) return { failed: failed(say('signed-by-the-client'), say('another-value')) }
  const { jti, exp } = assertion.claims as { jti: string; exp: number }
  return { assertionId: jti, expiresAt: new Date(exp * 1_000) }
}

async function keysOf(
  keySets: () => Promise<ClientKeySets>,
  { jwks, jwksUri }: ClientWithKeys,
  isEnough: (keys: readonly PublicKey[]) => boolean,
): Promise<{ keys: readonly PublicKey[] } | { failure: string }> {
  return jwksUri === null ? { keys: jwks?.keys ?? [] } : (await keySets()).read(jwksUri, isEnough)
}

const types = ['jwt', 'client-authentication+jwt']

function whyHeaderRefused({ header }: ReadAssertion, { tokenEndpointAuthSigningAlg: only }: ClientWithKeys): FailedCheck | undefined {
  const algorithm = readAlgorithm(header.alg)
  if (algorithm === undefined || (only !== null && algorithm !== only))
    return failed(claim('alg', only ?? 'EdDSA, ES256, PS256, RS256'), shown('alg', header.alg))
  const { typ, kid } = header
  // Another kind of token that the client signs is not accepted in place of this one.
  if (typ !== undefined && !(typeof typ === 'string' && types.includes(typ.toLowerCase().replace(/^application\//, ''))))
    return failed(claim('typ', 'JWT'), shown('typ', typ))
  if (kid !== undefined && !isIdentifier(kid)) return failed(claim('kid', say('an-identifier').text), shown('kid', kid))
  return header.crit === undefined ? undefined : failed(claim('crit', say('none').text), shown('crit', header.crit))
}

function whyClaimsRefused({ claims }: ReadAssertion, clientId: string, audiences: readonly string[], now: Date): FailedCheck | undefined {
  const { iss, sub, aud, exp, iat, nbf, jti } = claims
  if (iss !== clientId) return failed(claim('iss', clientId), shown('iss', iss))
  if (sub !== clientId) return failed(claim('sub', clientId), shown('sub', sub))
  const named: unknown[] = Array.isArray(aud) ? aud : [aud]
  // A foreign member would be a service that could send the assertion here.
  if (named.length === 0 || !named.every((one) => typeof one === 'string' && audiences.includes(one)))
    return failed(claim('aud', audiences.join(' ')), shown('aud', aud))
  const seconds = now.getTime() / 1_000
  for (const [name, time] of [
    ['iat', iat],
    ['nbf', nbf],
  ] as const) {
    if (time !== undefined && !(isTime(time) && time <= seconds + skewSeconds))
      return failed(claim(name, `<= ${Math.floor(seconds) + skewSeconds}`), shown(name, time))
  }
  // A clock that is ahead makes the end later, too.
  const ahead = isTime(iat) ? Math.max(0, iat - seconds) : 0
  const latest = seconds + lifetimeSecondsMax + ahead
  if (!(isTime(exp) && exp > seconds && exp <= latest))
    return failed(claim('exp', `${Math.floor(seconds)} … ${Math.floor(latest)}`), shown('exp', exp))
  return isIdentifier(jti)
    ? undefined
    : failed(claim('jti', say('an-identifier').text), claim('jti', say(jti === undefined ? 'none' : 'another-value').text))
}

async function isSignedByOneOf(keys: readonly PublicKey[], token: string): Promise<boolean> {
  for (const key of keys) {
    try {
      await compactVerify(token, createPublicKey({ key: key as NodeKey, format: 'jwk' }))
      return true
    } catch (error) {
      if (!(error instanceof errors.JOSEError || error instanceof TypeError)) throw error
    }
  }
  return false
}

const failed = (expected: FailedCheck['expected'], received: FailedCheck['received']): FailedCheck => ({
  name: 'client_assertion',
  expected,
  received,
})

const claim = (name: string, value: string) => say('a-claim', name, cutText(value, 2 * shownLengthMax))
const shown = (name: string, value: unknown) =>
  claim(name, value === undefined ? say('none').text : cutText(JSON.stringify(value), shownLengthMax))

const isIdentifier = (value: unknown): value is string =>
  typeof value === 'string' && value !== '' && value.length <= identifierLengthMax && value.isWellFormed()
const isTime = (value: unknown): value is number => typeof value === 'number' && Number.isFinite(value)
const isRecord = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null && !Array.isArray(value)
