import { errors, type JWTHeaderParameters, jwtVerify } from 'jose'
import { type ExpressMiddleware, type FastifyPreHandler, forExpress, forFastify, forHono, type HonoMiddleware } from './adapters.ts'
import { type Certificate, thumbprintOf } from './certificates.ts'
import { AccessRefused, type Challenge, type Scheme } from './errors.ts'
import { sha256 } from './hash.ts'
import { type Introspection, introspectionOf } from './introspection.ts'
import { type Keys, keysOf } from './keys.ts'
import { metadataAddress, type ResourceMetadata } from './metadata.ts'
import { type ProofStore, proofAlgorithms, proofsOfProcess, takeProof } from './proofs.ts'
import { headerOf, type IncomingRequest, onlyHeaderOf } from './requests.ts'
import { type Access, type AccessClaims, type Requirements, requireOf, scopeChallenge } from './requirements.ts'
import { SeenTokens } from './seen-tokens.ts'

export interface VerifierOptions {
  /** The address of the Gatehouse installation, as its tokens name it. */
  issuer: string
  /** What `aud` has to name: the identifier of this API, or the ids of the applications whose tokens it takes. */
  audience: string | readonly string[]
  /** The ids of the organisations that are served. Without it, every organisation is: use `organisationId` as the tenant then. */
  organisation?: string | readonly string[]
  /**
   * Asks the issuer whether each token is still active. Without it, a token works until it expires. An API for several organisations needs
   * a client of each.
   */
  introspection?: Introspection
  /** What the API publishes about itself. With it, refusals lead clients to the authorization server (RFC 9728 §5.1). */
  resourceMetadata?: { scopes?: readonly string[]; name?: string }
  /**
   * Whether tokens that are bound to a key are taken, with a proof for each request (RFC 9449): `off` by default. With `required`, no
   * other tokens are.
   */
  dpop?: 'off' | 'accepted' | 'required'
  /**
   * Where clients reach this API, such as `https://api.example.com`: a proof is for this and the path of the request. Needed for DPoP,
   * unless the request has a whole address whose host no client chooses.
   */
  baseUrl?: string
  /** Where used proofs are remembered; in this process by default, the last 100,000. */
  proofStore?: ProofStore
  /** At least 32 random characters, the same in all processes. With them, proofs need a nonce of this API (RFC 9449 §9). */
  dpopNonceSecret?: string
  /**
   * Finds the certificate that the client has proven to hold, such as in a header that your proxy always replaces. With it, tokens that
   * are bound to a certificate are taken (RFC 8705).
   *
   * @param header reads a header, whatever has received the request
   */
  certificate?(
    request: IncomingRequest,
    header: (name: string) => string | undefined,
  ): Certificate | null | undefined | Promise<Certificate | null | undefined>
  /** How far the clock of the issuer may be ahead or behind, in seconds; 5 by default. It also counts for `maxAge`. */
  clockToleranceSeconds?: number
  fetch?: typeof globalThis.fetch
  /** Milliseconds since 1970; the clock of the machine by default. */
  clock?: () => number
  /** Hears of tokens that were refused and why; never of the tokens themselves. */
  logger?: { debug(details: { code: string; detail: string }, message: string): void }
}

export interface Verifier {
  /**
   * Checks the access token of a request: signature, `typ`, issuer, audience, organisation, time, to what it is bound, and what is required.
   *
   * @throws AccessRefused with the status and the headers to respond with
   */
  verify(request: IncomingRequest, requirements?: Requirements): Promise<Access>
  /** Express middleware; sets `request.auth`. */
  forExpress(requirements?: Requirements): ExpressMiddleware
  /** A `preHandler` of Fastify; sets `request.auth`. */
  forFastify(requirements?: Requirements): FastifyPreHandler
  /** Middleware of Hono; sets `c.get('auth')`. */
  forHono(requirements?: Requirements): HonoMiddleware
  /** The document to serve at the address that refusals name (RFC 9728). @throws TypeError when `audience` is no URL */
  protectedResourceMetadata(): ResourceMetadata
}

/** Asymmetric ones that Gatehouse signs with. */
const algorithms = ['EdDSA', 'RS256']
const requiredClaims = ['sub', 'exp', 'iat', 'jti', 'client_id', 'org', 'scope']
const seenMax = 10_000
/** Longer tokens are not ours, and are not worth hashing. */
const tokenLengthMax = 16_384
const credentials = /^(?:Bearer|DPoP) +([A-Za-z0-9\-._~+/]+=*) *$/i
const nonceSecretLengthMin = 32

/**
 * Makes the check of an API's requests. It fetches nothing before the first token.
 *
 * @throws TypeError for options that cannot work
 */
export function createVerifier({
  issuer: given,
  audience,
  organisation,
  introspection,
  resourceMetadata,
  dpop = 'off',
  baseUrl,
  proofStore = proofsOfProcess(),
  dpopNonceSecret: nonceSecret,
  certificate,
  clockToleranceSeconds = 5,
  fetch = globalThis.fetch,
  clock = Date.now,
  logger,
}: VerifierOptions): Verifier {
  if (baseUrl !== undefined && !isBase(baseUrl)) throw new TypeError('baseUrl is no URL, or one with a query or a fragment')
  if (!(Number.isFinite(clockToleranceSeconds) && clockToleranceSeconds >= 0))
    throw new TypeError('clockToleranceSeconds has to be a number of at least 0')
  if (nonceSecret !== undefined && nonceSecret.length < nonceSecretLengthMin) throw new TypeError('dpopNonceSecret is too short')
  const issuer = given.replace(/\/$/, '')
  const audiences = typeof audience === 'string' ? [audience] : [...audience]
  const organisations = organisation === undefined ? undefined : new Set(typeof organisation === 'string' ? [organisation] : organisation)
  const [resource] = audiences
  const metadata: Challenge = resourceMetadata && resource !== undefined ? { resource_metadata: metadataAddress(resource) } : {}
  const keys = keysOf(issuer, (...parameters) => fetch(...parameters))
  const isActive = introspection && introspectionOf(issuer, introspection, { fetch, clock })
  // Tokens are secrets: none stays in memory. Of each, the claims are a text: what a handler changes in its own is not believed of the next request.
  const seen = new SeenTokens<{ header: JWTHeaderParameters; claims: string }>(seenMax)

  const proofRules = { baseUrl, store: proofStore, nonceSecret, clockToleranceSeconds, clock }
  const taken = schemes.filter(({ name }) => (name === 'DPoP' ? dpop !== 'off' : dpop !== 'required'))
  const schemesFor = (used: Scheme['name']) => taken.toSorted((one, other) => Number(other.name === used) - Number(one.name === used))

  async function accessOf(token: string, hash: string): Promise<Omit<Access, 'token'>> {
    const known = seen.get(hash)
    if (known !== undefined) {
      const access = accessOfClaims(JSON.parse(known.claims))
      if (clock() / 1_000 >= access.expiresAt + clockToleranceSeconds) throw new AccessRefused('invalid-token', 'The token has expired')
      // A key that the issuer has withdrawn takes everything with it that it has signed: its thief chooses when a token expires.
      await keys(known.header).catch((error: unknown) => {
        throw refusalOf(error)
      })
      return access
    }
    const { claims, header } = await verified(token, keys, { issuer, audiences, clockToleranceSeconds, clock })
    if (organisations && !organisations.has(claims.org)) throw new AccessRefused('invalid-token', 'The token is of another organisation')
    seen.set(hash, { header, claims: JSON.stringify(claims) })
    return accessOfClaims(claims)
  }

  /** A token that is bound proves nothing without what it is bound to (RFC 9449 §7.1, RFC 8705 §3). */
  async function requireBinding({ cnf = {} }: AccessClaims, request: IncomingRequest, scheme: Scheme['name'], hash: Uint8Array) {
    const { jkt, 'x5t#S256': expected, ...unknown } = cnf
    const proven = scheme === 'DPoP' ? await takeProof(request, hash, proofRules) : undefined
    if (jkt !== proven) throw new AccessRefused('invalid-token', whyNotBound(jkt, proven))
    if (dpop === 'required' && jkt === undefined) throw new AccessRefused('invalid-token', 'The token has to be bound to a key')
    if (Object.keys(unknown).length > 0) throw new AccessRefused('invalid-token', 'What the token is bound to cannot be proven here')
    if (expected === undefined) return
    const held = await certificate?.(request, (name) => onlyHeaderOf(request, name))
    if (!held || (await thumbprintOf(held)) !== expected)
      throw new AccessRefused('invalid-token', 'The token is bound to a certificate, which was not proven')
  }

  async function check(request: IncomingRequest, requirements: Requirements): Promise<Access> {
    const token = tokenOf(request, dpop !== 'off')
    const bytes = await sha256(token)
    const hash = String.fromCharCode(...bytes)
    const found = await accessOf(token, hash)
    await requireBinding(found.claims, request, schemeOf(request), bytes)
    const access = { ...found, token }
    await isActive?.(token, hash, found.organisationId)
    requireOf(access, requirements, { now: Math.floor(clock() / 1_000), clockToleranceSeconds })
    return access
  }

  const verify: Verifier['verify'] = async (request, requirements = {}) => {
    try {
      return await check(request, requirements)
    } catch (error) {
      if (!(error instanceof AccessRefused)) throw error
      logger?.debug({ code: error.code, detail: error.detail }, 'a token was refused')
      const schemes = schemesFor(schemeOf(request))
      const challenge = error.code === 'insufficient-scope' ? metadata : { ...scopeChallenge(requirements), ...metadata }
      throw error.with(challenge, schemes)
    }
  }

  return {
    verify,
    forExpress: (requirements) => forExpress(verify, requirements),
    forFastify: (requirements) => forFastify(verify, requirements),
    forHono: (requirements) => forHono(verify, requirements),
    protectedResourceMetadata() {
      if (resource === undefined || !URL.canParse(resource)) throw new TypeError('The audience is no URL, so the API has no metadata')
      const { scopes, name } = resourceMetadata ?? {}
      return {
        resource,
        authorization_servers: [issuer],
        ...(scopes && { scopes_supported: [...scopes] }),
        ...(name !== undefined && { resource_name: name }),
        bearer_methods_supported: ['header'],
        ...(dpop !== 'off' && { dpop_signing_alg_values_supported: [...proofAlgorithms] }),
        ...(dpop === 'required' && { dpop_bound_access_tokens_required: true }),
        ...(certificate && { tls_client_certificate_bound_access_tokens: true }),
      }
    },
  }
}

/** The path of each request is appended to it: behind a `?` or a `#`, a proof for one path would be one for all. */
const isBase = (text: string) => URL.canParse(text) && !/[?#]/.test(text)

function accessOfClaims(claims: AccessClaims): Omit<Access, 'token'> {
  const { client_id: clientId, scope, exp: expiresAt, permissions = [], org: organisationId } = claims
  const scopes = scope.split(' ').filter((one) => one !== '')
  return { claims, clientId, scopes, expiresAt, permissions, organisationId }
}

const schemes: readonly Scheme[] = [
  { name: 'Bearer', parameters: {} },
  { name: 'DPoP', parameters: { algs: proofAlgorithms.join(' ') } },
]

const schemeOf = (request: IncomingRequest): Scheme['name'] =>
  /^DPoP\b/i.test(String(headerOf(request, 'authorization'))) ? 'DPoP' : 'Bearer'

function whyNotBound(expected: string | undefined, proven: string | undefined): string {
  if (expected === undefined) return 'The token is not bound to a key: it is a bearer token'
  return proven === undefined ? 'The token is bound to a key, which was not proven' : 'The token is bound to another key'
}

/** @throws AccessRefused `authentication-required` or `malformed-authorization` */
function tokenOf(request: IncomingRequest, takesProofs: boolean): string {
  const found = headerOf(request, 'authorization')
  if (found === undefined) throw new AccessRefused('authentication-required', 'An access token is needed')
  if (typeof found !== 'string' || found.length > tokenLengthMax)
    throw new AccessRefused('malformed-authorization', 'The Authorization header cannot be read')
  // Another scheme is no attempt to authenticate here.
  const isOurs = takesProofs ? /^(?:Bearer|DPoP)\b/i : /^Bearer\b/i
  if (!isOurs.test(found)) throw new AccessRefused('authentication-required', 'An access token is needed')
  const token = credentials.exec(found)?.[1]
  if (token === undefined) throw new AccessRefused('malformed-authorization', 'The Authorization header cannot be read')
  return token
}

interface Rules {
  issuer: string
  audiences: string[]
  clockToleranceSeconds: number
  clock: () => number
}

async function verified(
  token: string,
  keys: Keys,
  { issuer, audiences, clockToleranceSeconds, clock }: Rules,
): Promise<{ claims: AccessClaims; header: JWTHeaderParameters }> {
  const now = new Date(clock())
  const { payload, protectedHeader } = await jwtVerify<AccessClaims>(token, keys, {
    issuer,
    audience: audiences,
    // An ID token of the same issuer differs in nothing else (RFC 9068 §4).
    typ: 'at+jwt',
    algorithms,
    requiredClaims,
    clockTolerance: clockToleranceSeconds,
    currentDate: now,
  }).catch((error: unknown) => {
    throw refusalOf(error)
  })
  if (payload.iat > now.getTime() / 1_000 + clockToleranceSeconds)
    throw new AccessRefused('invalid-token', 'The token is not valid yet: compare the clocks')
  const { cnf } = payload as { cnf?: unknown }
  // One that is bound to nothing we could read must not count as a bearer token.
  const isReadable = cnf === undefined || (typeof cnf === 'object' && cnf !== null && Object.keys(cnf).length > 0)
  if (!isReadable) throw new AccessRefused('invalid-token', 'What the token is bound to cannot be read')
  if (!isOfGatehouse(payload)) throw new AccessRefused('invalid-token', 'The token is not one of Gatehouse')
  return { claims: payload, header: protectedHeader }
}

/** What is compared later has its type: of a text, each part would be a permission. */
function isOfGatehouse(claims: AccessClaims): boolean {
  const { permissions = [], auth_time: authenticatedAt = 0 } = claims
  const texts = [claims.org, claims.scope, claims.sub, claims.client_id, claims.jti]
  return texts.every((one) => typeof one === 'string') && Array.isArray(permissions) && typeof authenticatedAt === 'number'
}

/** Errors of jose that are about the keys, not about the token. */
const codesOfKeys = ['ERR_JOSE_GENERIC', 'ERR_JWKS_INVALID', 'ERR_JWKS_TIMEOUT']

function refusalOf(cause: unknown): AccessRefused {
  if (cause instanceof errors.JWTExpired) return new AccessRefused('invalid-token', 'The token has expired', { cause })
  if (cause instanceof errors.JWTClaimValidationFailed)
    return new AccessRefused('invalid-token', `The token's ${cause.claim} is not the expected one`, { cause })
  const isOfToken = cause instanceof errors.JOSEError && !codesOfKeys.includes(cause.code)
  if (isOfToken) return new AccessRefused('invalid-token', 'The token is not one of this issuer', { cause })
  return new AccessRefused('issuer-unavailable', 'The keys of the issuer cannot be read at present', { cause })
}
