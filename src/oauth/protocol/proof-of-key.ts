/** Proofs that a request comes from the holder of a key: DPoP (RFC 9449 §4). */
import { hash } from 'node:crypto'
import type { FastifyReply, FastifyRequest } from 'fastify'
import * as errors from 'jose/errors'
import { compactVerify } from 'jose/jws/compact/verify'
import { say } from '../../../shared/checks/said.ts'
import { keyObjectOf } from '../../clients/key-objects.ts'
import type { Profile } from '../../clients/profile.ts'
import { keyMistake, keysFor, publicMembers, readClientAlgorithm, type SentKey, thumbprintOf } from '../../clients/public-keys.ts'
import type { Keyring } from '../../platform/crypto/keyring.ts'
import type { ClientAlgorithm } from '../../platform/database/column-types.ts'
import type { Database } from '../../platform/database/database.ts'
import type { App } from '../../platform/http/server.ts'
import { claimAssertion, releaseAssertion } from '../../tokens/used-assertions.ts'
import { type CertificateHeaders, originAsked } from './client-certificate.ts'
import { type ConcernedClient, OAuthError } from './errors.ts'
import { algorithmsOf, checksOf, isIdentifier, isTime, type ReadJwt, readJwt } from './signed-by-client.ts'

export interface ProofDependencies {
  database: Database
  keyring: Keyring
  /** The origin of `PUBLIC_URL`. */
  issuer: string
  /** Whether a proof has to hold a nonce of this service. */
  dpopNonce: 'off' | 'required'
  mtls: CertificateHeaders | undefined
}

const bytesMax = 8_192
const olderSeconds = 60
const aheadSeconds = 10
const nonceSeconds = 300
/** Of this many former nonces a refusal is an ordinary step: two hours, which is longer than most access tokens live. */
const formerNonces = 24

const { failed, wrongClaim } = checksOf('dpop')

export interface TakenProof {
  /** The thumbprint of the key (RFC 7638). */
  key: string
  /** Has the proof be as if it never was taken. */
  release(): Promise<void>
}

/**
 * Checks the proof of a request, and takes it: it counts once.
 *
 * @param client whose request it is; its organisation stores that the proof was taken
 * @param accessToken at resources, the token that the proof is for
 * @returns undefined when the request has no proof
 * @throws OAuthError `invalid_dpop_proof`, `use_dpop_nonce`
 */
export async function takeProof(
  dependencies: ProofDependencies,
  request: FastifyRequest,
  client: ConcernedClient & { readonly profile?: Profile | null },
  accessToken?: string,
): Promise<TakenProof | undefined> {
  const { dpop: sent } = request.headers
  if (sent === undefined) return undefined
  const refuse = (check: ReturnType<typeof failed>) =>
    new OAuthError('invalid_dpop_proof', 'the DPoP proof is not valid', check, { client })
  // Several headers arrive as one value, which is no JWT.
  const proof = typeof sent === 'string' && Buffer.byteLength(sent) <= bytesMax ? readJwt(sent) : undefined
  if (!proof) throw refuse(failed(say('a-signed-jwt'), say('something-else')))
  const now = dependencies.database.clock.now()
  const address = `${originAsked(dependencies, request)}${request.routeOptions.url?.replace(/\/$/, '')}`
  const refused =
    whyHeaderRefused(proof, algorithmsOf(client.profile ?? null, null)) ??
    whyClaimsRefused(proof, { method: request.method, address, accessToken, now }) ??
    (await whyForged(proof))
  if (refused) throw refuse(refused)
  refuseWithoutNonce(dependencies, proof, client, now)
  const { jti, iat } = proof.claims as { jti: string; iat: number }
  const key = thumbprintOf(proof.header.jwk as SentKey)
  const expiresAt = new Date((iat + olderSeconds + 1) * 1_000)
  const { database } = dependencies
  const use = { issuer: key, assertionId: jti, expiresAt }
  const isFirstUse = await claimAssertion(database, client.organisationId, use)
  if (!isFirstUse) throw refuse(failed(say('an-assertion-that-is-new'), say('a-second-use')))
  return { key, release: () => releaseAssertion(database, client.organisationId, use) }
}

function whyHeaderRefused({ header: { typ, alg, jwk, crit } }: ReadJwt, algorithms: readonly ClientAlgorithm[]) {
  if (typ !== 'dpop+jwt') return wrongClaim('typ', 'dpop+jwt', typ)
  const algorithm = readClientAlgorithm(alg)
  if (algorithm === undefined || !algorithms.includes(algorithm)) return wrongClaim('alg', algorithms.join(', '), alg)
  if (crit !== undefined) return wrongClaim('crit', say('none').text, crit)
  const isKey = typeof jwk === 'object' && jwk !== null && !Array.isArray(jwk) && !keyMistake(jwk as SentKey)
  // The key itself may be a private one.
  if (!isKey) return failed(say('a-public-key'), say('something-else'))
  const fits = keysFor([publicMembers(jwk as SentKey)], { keyId: undefined, algorithm }).length > 0
  return fits ? undefined : failed(say('a-public-key'), say('no-key-that-fits', '', algorithm))
}

function whyClaimsRefused(
  { claims: { jti, htm, htu, iat, ath } }: ReadJwt,
  { method, address, accessToken, now }: { method: string; address: string; accessToken: string | undefined; now: Date },
) {
  if (!isIdentifier(jti)) return wrongClaim('jti', say('an-identifier').text, jti)
  if (htm !== method) return wrongClaim('htm', method, htm)
  if (typeof htu !== 'string' || normalised(htu) !== normalised(address)) return wrongClaim('htu', address, htu)
  const seconds = now.getTime() / 1_000
  if (!(isTime(iat) && iat >= seconds - olderSeconds && iat <= seconds + aheadSeconds))
    return wrongClaim('iat', String(Math.floor(seconds)), iat)
  if (accessToken !== undefined && ath !== hash('sha256', accessToken, 'base64url'))
    return failed(say('a-proof-for-this-token'), say('another-value'))
  return undefined
}

/** Without query and fragment (§4.3); undefined for what is no URL, or has a user name, which no request is sent to. */
function normalised(address: string): string | undefined {
  const url = URL.parse(address)
  return url && url.username === '' && url.password === '' ? `${url.origin}${url.pathname}` : undefined
}

async function whyForged({ token, header }: ReadJwt) {
  try {
    await compactVerify(token, keyObjectOf(publicMembers(header.jwk as SentKey)))
    return undefined
  } catch (error) {
    if (!(error instanceof errors.JOSEError || error instanceof TypeError)) throw error
    return failed(say('signed-by-the-key'), say('another-value'))
  }
}

/** The nonce of now: the same in all processes, for five minutes. */
const nonceAt = (keyring: Keyring, now: Date, stepsBefore = 0): string =>
  keyring.hmac('dpop nonce', String(Math.floor(now.getTime() / 1_000 / nonceSeconds) - stepsBefore))

/** How many nonces of ours are newer; undefined for one that is not ours, or is older than those that are tried. */
function ageOf(keyring: Keyring, nonce: unknown, now: Date): number | undefined {
  for (let stepsBefore = 0; stepsBefore <= formerNonces; stepsBefore++) {
    if (nonce === nonceAt(keyring, now, stepsBefore)) return stepsBefore
  }
  return undefined
}

function refuseWithoutNonce(
  { keyring, dpopNonce }: ProofDependencies,
  { claims: { nonce } }: ReadJwt,
  client: ConcernedClient,
  now: Date,
): void {
  if (dpopNonce === 'off') return
  const stepsBefore = nonce === undefined ? undefined : ageOf(keyring, nonce, now)
  // One that was current a moment ago counts, too.
  if (stepsBefore !== undefined && stepsBefore <= 1) return
  // RFC 9449 §8: only this response tells a client the nonce. One of another server is a mistake.
  const isStepOfProtocol = nonce === undefined || stepsBefore !== undefined
  const check = { name: 'dpop', expected: say('a-current-nonce'), received: say(nonce === undefined ? 'none' : 'another-value') } as const
  throw new OAuthError('use_dpop_nonce', 'the DPoP proof needs the nonce of this response', check, { client, isStepOfProtocol })
}

/** Tells every caller of a scope the nonce of now, where proofs need one (§8). */
export function tellNonce(scope: App, { database, keyring, dpopNonce }: ProofDependencies): void {
  if (dpopNonce === 'off') return
  scope.addHook('onRequest', (_, reply: FastifyReply, done) => {
    reply.header('dpop-nonce', nonceAt(keyring, database.clock.now()))
    done()
  })
}

/** The refusal of a request without a proof that needs one. */
export const proofRequired = (by: 'client' | 'resource', client: ConcernedClient, isOff: boolean) =>
  new OAuthError(
    'invalid_dpop_proof',
    `the ${by} requires a DPoP proof`,
    { name: 'dpop', expected: say('a-value'), received: say('none'), hint: isOff ? say('extension-is-off', 'dpop') : undefined },
    { client },
  )
