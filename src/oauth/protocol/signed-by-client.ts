/** JWTs that clients sign: to authenticate (RFC 7523), or to say what they ask for (RFC 9101). */
import * as errors from 'jose/errors'
import { compactVerify } from 'jose/jws/compact/verify'
import { say } from '../../../shared/checks/said.ts'
import { keyObjectOf } from '../../clients/key-objects.ts'
import type { Profile } from '../../clients/profile.ts'
import { keysFor, readAlgorithm, type SignatureAlgorithm } from '../../clients/public-keys.ts'
import type { ClientAlgorithm, PublicKey, PublicKeySet } from '../../platform/database/column-types.ts'
import { isJsonObject } from '../../platform/json-object.ts'
import { isNestedTooDeep } from '../../platform/nested-json.ts'
import { cutText } from '../../platform/text.ts'
import type { CheckName } from './checks.ts'
import type { ClientKeySets } from './client-key-sets.ts'
import type { FailedCheck } from './errors.ts'

/** How far the client's clock may be ahead of ours. */
export const skewSeconds = 60
const identifierLengthMax = 512
const shownLengthMax = 200

/** A JWT whose signature nothing has verified yet. */
export interface ReadJwt {
  token: string
  header: Readonly<Record<string, unknown>>
  claims: Readonly<Record<string, unknown>>
}

/** Reads a signed JWT without believing it; undefined when it is none, or is nested too deep. */
export function readJwt(token: string): ReadJwt | undefined {
  // Decoders skip other characters and padding, so that one JWT would have many spellings (RFC 7515 §5.2).
  if (!/^[\w-]+\.[\w-]+\.[\w-]*$/.test(token)) return undefined
  try {
    const [header, claims] = token
      .split('.')
      .slice(0, 2)
      .map((part) => JSON.parse(Buffer.from(part, 'base64url').toString()) as unknown)
    if (isNestedTooDeep([header, claims])) return undefined
    return isJsonObject(header) && isJsonObject(claims) ? { token, header, claims } : undefined
  } catch {
    return undefined
  }
}

/** Where the keys of a client are: these, or those at an address of its own. */
export interface KeysOfClient {
  jwks: PublicKeySet | null
  jwksUri: string | null
}

/** The algorithms in which a client may sign: the one of its registration, else those of its profile, else each. */
export function algorithmsOf(profile: Profile | null, only: ClientAlgorithm | null): readonly ClientAlgorithm[] {
  if (only !== null) return [only]
  return profile === null ? ['EdDSA', 'ES256', 'PS256', 'RS256'] : ['EdDSA', 'ES256', 'PS256']
}

/** What a header may say, besides which key it is. */
interface AllowedHeader {
  /** The values of `typ` that may stand there, if any does. */
  types: readonly string[]
  algorithms: readonly SignatureAlgorithm[]
}

/** The checks of one kind of JWT, under the name that a diagnosis gives it. */
export function checksOf(name: CheckName) {
  const failed = (expected: FailedCheck['expected'], received: FailedCheck['received']): FailedCheck => ({ name, expected, received })
  const wrongClaim = (claim: string, expected: string, received: unknown) => failed(claimed(claim, expected), shownClaim(claim, received))
  return {
    failed,
    wrongClaim,

    whyHeaderRefused({ header }: ReadJwt, { types, algorithms }: AllowedHeader): FailedCheck | undefined {
      const algorithm = readAlgorithm(header.alg)
      if (algorithm === undefined || !algorithms.includes(algorithm)) return wrongClaim('alg', algorithms.join(', '), header.alg)
      const { typ, kid } = header
      // Another kind of token that the client signs is not accepted in place of this one.
      if (typ !== undefined && !(typeof typ === 'string' && types.includes(typ.toLowerCase().replace(/^application\//, ''))))
        return wrongClaim('typ', types.join(', '), typ)
      if (kid !== undefined && !isIdentifier(kid)) return wrongClaim('kid', say('an-identifier').text, kid)
      return header.crit === undefined ? undefined : wrongClaim('crit', say('none').text, header.crit)
    },

    /** Times that say since when it counts must not be ahead of ours by more than a clock that runs fast. */
    whyTooEarly({ claims: { iat, nbf } }: ReadJwt, now: Date): FailedCheck | undefined {
      const latest = Math.floor(now.getTime() / 1_000) + skewSeconds
      for (const [name, time] of Object.entries({ iat, nbf })) {
        if (time !== undefined && !(isTime(time) && time <= now.getTime() / 1_000 + skewSeconds))
          return wrongClaim(name, `<= ${latest}`, time)
      }
      return undefined
    },

    /** The signature, by one of the client's keys. It comes last, so that nothing is fetched for what is refused anyway. */
    async whySignatureRefused(
      keySets: () => Promise<ClientKeySets>,
      client: KeysOfClient,
      { token, header }: ReadJwt,
    ): Promise<FailedCheck | undefined> {
      const wanted = { keyId: header.kid as string | undefined, algorithm: readAlgorithm(header.alg) as SignatureAlgorithm }
      const found = await keysOf(keySets, client, (keys) => keysFor(keys, wanted).length > 0)
      if ('failure' in found) return failed(say('a-document-with-keys-at', String(client.jwksUri)), cutText(found.failure, shownLengthMax))
      const keys = keysFor(found.keys, wanted)
      if (keys.length === 0) return failed(say('a-key-of-the-client'), say('no-key-that-fits', wanted.keyId ?? '', wanted.algorithm))
      // Which of them is meant, only the client knows.
      if (wanted.keyId === undefined && keys.length > 1) return failed(claimed('kid', say('a-value').text), say('none'))
      return (await isSignedByOneOf(keys, token)) ? undefined : failed(say('signed-by-the-client'), say('another-value'))
    },
  }
}

/** The keys of a client. Those at an address are fetched anew if they are not enough. */
export async function keysOf(
  keySets: () => Promise<ClientKeySets>,
  { jwks, jwksUri }: KeysOfClient,
  isEnough: (keys: readonly PublicKey[]) => boolean,
): Promise<{ keys: readonly PublicKey[] } | { failure: string }> {
  return jwksUri === null ? { keys: jwks?.keys ?? [] } : (await keySets()).read(jwksUri, isEnough)
}

/** The same sets, which say when an address is asked: in these seconds the client may be changed. */
export const noticingWaits = (open: () => Promise<ClientKeySets>, onWait: () => void) => async (): Promise<ClientKeySets> => {
  const sets = await open()
  return { read: (url, isEnough) => sets.read(url, isEnough, onWait) }
}

async function isSignedByOneOf(keys: readonly PublicKey[], token: string): Promise<boolean> {
  for (const key of keys) {
    try {
      await compactVerify(token, keyObjectOf(key))
      return true
    } catch (error) {
      if (!(error instanceof errors.JOSEError || error instanceof TypeError)) throw error
    }
  }
  return false
}

export const claimed = (name: string, value: string) => say('a-claim', name, cutText(value, 2 * shownLengthMax))
const shownClaim = (name: string, value: unknown) =>
  claimed(name, value === undefined ? say('none').text : cutText(JSON.stringify(value), shownLengthMax))

export const isIdentifier = (value: unknown): value is string =>
  typeof value === 'string' && value !== '' && value.length <= identifierLengthMax && value.isWellFormed()
export const isTime = (value: unknown): value is number => typeof value === 'number' && Number.isFinite(value)
