import { base64url, calculateJwkThumbprint, EmbeddedJWK, type JWK, type JWTPayload, jwtVerify } from 'jose'
import { AccessRefused } from './errors.ts'
import { sha256 } from './hash.ts'
import { headerOf, type IncomingRequest } from './requests.ts'
import { SeenTokens } from './seen-tokens.ts'

/** Remembers which proofs were used. Several processes share one, such as in Redis: `SET id 1 NX PXAT …`. */
export interface ProofStore {
  /** Stores the id of a proof until it expires, in one step. @returns false when it is there already */
  claim(id: string, expiresAt: Date): boolean | Promise<boolean>
}

export interface ProofRules {
  /** Before the path of each request; without it, the request has to have a whole address. */
  baseUrl: string | undefined
  store: ProofStore
  nonceSecret: string | undefined
  clockToleranceSeconds: number
  clock: () => number
}

/** Those that Gatehouse takes itself. */
export const proofAlgorithms = ['ES256', 'EdDSA', 'Ed25519', 'PS256', 'RS256']
const ageMaxSeconds = 60
const lengthMax = 8_192
const idLengthMax = 255
const rememberedMax = 100_000
const nonceSeconds = 300

/** Remembers the last proofs in this process. */
export function proofsOfProcess(): ProofStore {
  const used = new SeenTokens<true>(rememberedMax)
  return {
    claim(id) {
      const isFirst = used.get(id) === undefined
      used.set(id, true)
      return isFirst
    },
  }
}

/**
 * Checks the proof of a request, and uses it up (RFC 9449 §4.3).
 *
 * @param hash SHA-256 of the access token
 * @returns the thumbprint of the key that has signed it
 * @throws AccessRefused `invalid-dpop-proof`, or `use-dpop-nonce` with the header `DPoP-Nonce`
 */
export async function takeProof(request: IncomingRequest, hash: Uint8Array, rules: ProofRules): Promise<string> {
  const { store, nonceSecret, clockToleranceSeconds, clock } = rules
  const proof = headerOf(request, 'dpop')
  // Several headers come as one, which is no JWT.
  if (typeof proof !== 'string' || proof.length > lengthMax) throw refused('There is no DPoP proof, or it cannot be read')
  const address = addressOf(request, rules.baseUrl)
  const { payload, jwk } = await verified(proof, rules)
  const { jti, iat = 0, htm, htu, ath, nonce } = payload
  if (typeof jti !== 'string' || jti === '' || jti.length > idLengthMax) throw refused('The DPoP proof has no jti')
  if (htm !== request.method) throw refused('The DPoP proof is for another method')
  if (typeof htu !== 'string' || normalised(htu) !== normalised(address)) throw refused('The DPoP proof is for another address')
  if (ath !== base64url.encode(hash)) throw refused('The DPoP proof is for another token')
  if (nonceSecret !== undefined) await requireNonce(nonce, nonceSecret, clock)
  const thumbprint = await calculateJwkThumbprint(jwk)
  const id = base64url.encode(await sha256(`${thumbprint} ${jti}`))
  const expiresAt = new Date((iat + ageMaxSeconds + clockToleranceSeconds + 1) * 1_000)
  if (!(await store.claim(id, expiresAt))) throw refused('The DPoP proof has been used')
  return thumbprint
}

const refused = (detail: string, cause?: unknown) => new AccessRefused('invalid-dpop-proof', detail, { cause })

/** Nothing is fetched, so that every failure is one of the proof. */
async function verified(proof: string, { clockToleranceSeconds, clock }: ProofRules): Promise<{ payload: JWTPayload; jwk: JWK }> {
  const { payload, protectedHeader } = await jwtVerify(proof, EmbeddedJWK, {
    typ: 'dpop+jwt',
    algorithms: proofAlgorithms,
    requiredClaims: ['jti', 'iat', 'htm', 'htu', 'ath'],
    maxTokenAge: ageMaxSeconds,
    clockTolerance: clockToleranceSeconds,
    currentDate: new Date(clock()),
  }).catch((cause: unknown) => {
    throw refused('The DPoP proof is not valid', cause)
  })
  // jose takes the public half of a private key, which must never be sent (§4.3 no. 7).
  if (protectedHeader.jwk === undefined || 'd' in protectedHeader.jwk) throw refused('The DPoP proof has no public key')
  return { payload, jwk: protectedHeader.jwk }
}

/** @throws TypeError when the address of the API is not known: what the request says of its host is in the hands of the client */
function addressOf({ url = '', originalUrl = url }: IncomingRequest, baseUrl: string | undefined): string {
  if (baseUrl === undefined && !URL.canParse(originalUrl)) throw new TypeError('DPoP needs the baseUrl of the API')
  if (baseUrl === undefined) return originalUrl
  const path = URL.canParse(originalUrl) ? new URL(originalUrl).pathname : originalUrl
  return baseUrl.replace(/\/$/, '') + path
}

/** Without query and fragment (§4.3); undefined for what is no URL. */
function normalised(address: string): string | undefined {
  if (!URL.canParse(address)) return undefined
  const { origin, pathname } = new URL(address)
  return origin + pathname
}

/** A nonce is the same in all processes, and counts for five to ten minutes. */
async function requireNonce(sent: unknown, secret: string, clock: () => number): Promise<void> {
  const step = Math.floor(clock() / 1_000 / nonceSeconds)
  const nonces = await Promise.all([step, step - 1].map((one) => nonceOf(secret, one)))
  if (typeof sent === 'string' && nonces.includes(sent)) return
  const headers = { 'dpop-nonce': nonces[0] as string }
  throw new AccessRefused('use-dpop-nonce', 'The DPoP proof needs the nonce of this response', { headers })
}

async function nonceOf(secret: string, step: number): Promise<string> {
  const key = await crypto.subtle.importKey('raw', encoder.encode(secret), { name: 'HMAC', hash: 'SHA-256' }, false, ['sign'])
  return base64url.encode(new Uint8Array(await crypto.subtle.sign('HMAC', key, encoder.encode(`dpop nonce ${step}`))))
}

const encoder = new TextEncoder()
