import { errors, type JWTVerifyGetKey, jwtVerify } from 'jose'
import { type ExpressMiddleware, type FastifyPreHandler, forExpress, forFastify, forHono, type HonoMiddleware } from './adapters.ts'
import { AccessRefused, type Challenge } from './errors.ts'
import { type IntrospectionOptions, introspectionOf } from './introspection.ts'
import { keysOf } from './keys.ts'
import { metadataAddress, type ResourceMetadata } from './metadata.ts'
import { type Access, type AccessClaims, type Requirements, requireOf, scopeChallenge } from './requirements.ts'
import { SeenTokens } from './seen-tokens.ts'

export interface VerifierOptions {
  /** The address of the Gatehouse installation, as its tokens name it. */
  issuer: string
  /** What `aud` has to name: the identifier of this API, or the ids of the applications whose tokens it takes. */
  audience: string | readonly string[]
  /** The ids of the organisations that are served. Without it, every organisation is: use `organisationId` as the tenant then. */
  organisation?: string | readonly string[]
  /** Asks the issuer whether each token is still active. Without it, a token works until it expires. */
  introspection?: IntrospectionOptions
  /** What the API publishes about itself. With it, refusals lead clients to the authorization server (RFC 9728 §5.1). */
  resourceMetadata?: { scopes?: readonly string[]; name?: string }
  /** How far the clock of the issuer may be ahead or behind, in seconds; 5 by default. */
  clockToleranceSeconds?: number
  fetch?: typeof globalThis.fetch
  /** Milliseconds since 1970; the clock of the machine by default. */
  clock?: () => number
  /** Hears of tokens that were refused and why; never of the tokens themselves. */
  logger?: { debug(details: { code: string; detail: string }, message: string): void }
}

/** The request of any framework. */
export interface IncomingRequest {
  headers: Headers | Readonly<Record<string, string | readonly string[] | undefined>>
}

export interface Verifier {
  /**
   * Checks the access token of a request: signature, `typ`, issuer, audience, organisation, time, and what is required.
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
const bearer = /^Bearer +([A-Za-z0-9\-._~+/]+=*) *$/i

/** Makes the check of an API's requests. It fetches nothing before the first token. */
export function createVerifier({
  issuer: given,
  audience,
  organisation,
  introspection,
  resourceMetadata,
  clockToleranceSeconds = 5,
  fetch = globalThis.fetch,
  clock = Date.now,
  logger,
}: VerifierOptions): Verifier {
  const issuer = given.replace(/\/$/, '')
  const audiences = typeof audience === 'string' ? [audience] : [...audience]
  const organisations = organisation === undefined ? undefined : new Set(typeof organisation === 'string' ? [organisation] : organisation)
  const [resource] = audiences
  const metadata: Challenge = resourceMetadata && resource !== undefined ? { resource_metadata: metadataAddress(resource) } : {}
  const keys = keysOf(issuer, (...parameters) => fetch(...parameters))
  const isActive = introspection && introspectionOf(issuer, introspection, { fetch, clock })
  // Tokens are secrets: none stays in memory.
  const seen = new SeenTokens<Omit<Access, 'token'>>(seenMax)

  async function accessOf(token: string, hash: string): Promise<Omit<Access, 'token'>> {
    const known = seen.get(hash)
    if (known) {
      if (clock() / 1_000 >= known.claims.exp + clockToleranceSeconds) throw new AccessRefused('invalid-token', 'The token has expired')
      return known
    }
    const claims = await claimsOf(token, keys, { issuer, audiences, clockToleranceSeconds, clock })
    if (organisations && !organisations.has(claims.org)) throw new AccessRefused('invalid-token', 'The token is of another organisation')
    const scopes = claims.scope.split(' ').filter((scope) => scope !== '')
    const { client_id: clientId, exp: expiresAt, permissions = [], org: organisationId } = claims
    const access = { claims, clientId, scopes, expiresAt, permissions, organisationId }
    seen.set(hash, access)
    return access
  }

  async function check(request: IncomingRequest, requirements: Requirements): Promise<Access> {
    const token = tokenOf(request)
    const hash = await hashOf(token)
    const found = await accessOf(token, hash)
    // The list is the caller's own: what it changes there must not be believed of the next request.
    const access = { ...found, scopes: [...found.scopes], token }
    await isActive?.(token, hash)
    requireOf(access, requirements, Math.floor(clock() / 1_000))
    return access
  }

  const verify: Verifier['verify'] = async (request, requirements = {}) => {
    try {
      return await check(request, requirements)
    } catch (error) {
      if (!(error instanceof AccessRefused)) throw error
      logger?.debug({ code: error.code, detail: error.detail }, 'a token was refused')
      throw error.code === 'insufficient-scope' ? error.with(metadata) : error.with({ ...scopeChallenge(requirements), ...metadata })
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
      }
    },
  }
}

/** @throws AccessRefused `authentication-required` or `malformed-authorization` */
function tokenOf({ headers }: IncomingRequest): string {
  const found = headers instanceof Headers ? headers.get('authorization') : headers.authorization
  if (found === undefined || found === null || found === '') throw new AccessRefused('authentication-required', 'An access token is needed')
  if (typeof found !== 'string' || found.length > tokenLengthMax)
    throw new AccessRefused('malformed-authorization', 'The Authorization header cannot be read')
  // Another scheme is no attempt to authenticate here.
  if (!/^Bearer\b/i.test(found)) throw new AccessRefused('authentication-required', 'An access token is needed')
  const token = bearer.exec(found)?.[1]
  if (token === undefined) throw new AccessRefused('malformed-authorization', 'The Authorization header cannot be read')
  return token
}

interface Rules {
  issuer: string
  audiences: string[]
  clockToleranceSeconds: number
  clock: () => number
}

async function claimsOf(
  token: string,
  keys: JWTVerifyGetKey,
  { issuer, audiences, clockToleranceSeconds, clock }: Rules,
): Promise<AccessClaims> {
  const now = new Date(clock())
  const { payload } = await jwtVerify<AccessClaims>(token, keys, {
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
  // A token that is bound to a key proves nothing without the key (RFC 9449 §7.1, RFC 8705 §3).
  if (payload.cnf !== undefined) throw new AccessRefused('invalid-token', 'The token is bound to a key, which was not proven')
  if (typeof payload.org !== 'string' || typeof payload.scope !== 'string' || typeof payload.sub !== 'string')
    throw new AccessRefused('invalid-token', 'The token is not one of Gatehouse')
  return payload
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

const encoder = new TextEncoder()

async function hashOf(token: string): Promise<string> {
  const bytes = new Uint8Array(await crypto.subtle.digest('SHA-256', encoder.encode(token)))
  return String.fromCharCode(...bytes)
}
