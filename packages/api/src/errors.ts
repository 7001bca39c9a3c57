/** What was wrong, as a stable word. The first three and `insufficient-user-authentication` are errors of RFC 6750 §3.1 and RFC 9470 §3. */
export type AccessRefusedCode =
  /** There is no bearer token, or the header cannot be read. */
  | 'authentication-required'
  | 'malformed-authorization'
  /** The token is not one of this issuer for this API, or its time is over. */
  | 'invalid-token'
  | 'insufficient-scope'
  /** The user lacks a permission. */
  | 'missing-permission'
  /** The sign-in is too weak or too long ago: the application has to ask for another one. */
  | 'insufficient-user-authentication'
  /** The proof that the client holds the key of the token is missing or not valid (RFC 9449 §7.1). */
  | 'invalid-dpop-proof'
  /** The proof lacks the nonce that the header `DPoP-Nonce` has (RFC 9449 §9). Libraries repeat the request. */
  | 'use-dpop-nonce'
  /** The issuer cannot be asked at present. */
  | 'issuer-unavailable'

const statuses: Record<AccessRefusedCode, readonly [status: number, title: string]> = {
  'authentication-required': [401, 'Unauthorized'],
  'malformed-authorization': [400, 'Bad Request'],
  'invalid-token': [401, 'Unauthorized'],
  'insufficient-scope': [403, 'Forbidden'],
  'missing-permission': [403, 'Forbidden'],
  'insufficient-user-authentication': [401, 'Unauthorized'],
  'invalid-dpop-proof': [401, 'Unauthorized'],
  'use-dpop-nonce': [401, 'Unauthorized'],
  'issuer-unavailable': [503, 'Service Unavailable'],
}

/** The `error` of the `WWW-Authenticate` header. A request without credentials gets none (RFC 6750 §3.1). */
const challengeErrors: Partial<Record<AccessRefusedCode, string>> = {
  'malformed-authorization': 'invalid_request',
  'invalid-token': 'invalid_token',
  'insufficient-scope': 'insufficient_scope',
  'insufficient-user-authentication': 'insufficient_user_authentication',
  'invalid-dpop-proof': 'invalid_dpop_proof',
  'use-dpop-nonce': 'use_dpop_nonce',
}

/** Parameters of the challenge: `scope` of RFC 6750, `acr_values` and `max_age` of RFC 9470, `resource_metadata` of RFC 9728. */
export type Challenge = Partial<Record<'scope' | 'acr_values' | 'max_age' | 'resource_metadata', string>>

/** How a token is presented: as a bearer token, or with a proof. `parameters` are those of the scheme itself. */
export interface Scheme {
  name: 'Bearer' | 'DPoP'
  parameters: Record<string, string>
}

interface RefusedWith {
  challenge?: Challenge
  /** The one that the request has used comes first: it says what was wrong. */
  schemes?: readonly Scheme[]
  cause?: unknown
  requestId?: string | undefined
  headers?: Record<string, string>
}

const bearerAlone: readonly Scheme[] = [{ name: 'Bearer', parameters: {} }]

/** A request that is refused: what to respond with is in it. */
export class AccessRefused extends Error {
  readonly code: AccessRefusedCode
  readonly status: number
  /** A sentence for developers; decide by `code`. */
  readonly detail: string
  /** The id of the request at the issuer, where it was asked. */
  readonly requestId: string | undefined
  /** Always empty: a token has no fields. It makes this like the other errors of Gatehouse. */
  readonly errors: readonly never[] = []
  /** With `WWW-Authenticate`, or `Retry-After` while the issuer is away. */
  readonly headers: Headers
  readonly #challenge: Challenge

  constructor(
    code: AccessRefusedCode,
    detail: string,
    { challenge = {}, schemes = bearerAlone, cause, requestId, headers = {} }: RefusedWith = {},
  ) {
    super(detail, { cause })
    this.name = 'AccessRefused'
    this.code = code
    this.detail = detail
    this.requestId = requestId
    this.status = statuses[code][0]
    this.#challenge = challenge
    const isOfToken = code !== 'issuer-unavailable'
    this.headers = new Headers({
      ...headers,
      ...(isOfToken ? { 'www-authenticate': challengesOf(code, detail, challenge, schemes) } : { 'retry-after': '5' }),
    })
  }

  /** The same with further parameters of the challenge, and the schemes that the API takes. */
  with(challenge: Challenge, schemes: readonly Scheme[]): AccessRefused {
    const { code, detail, cause, requestId } = this
    const headers = Object.fromEntries(this.headers)
    return new AccessRefused(code, detail, { challenge: { ...this.#challenge, ...challenge }, schemes, cause, requestId, headers })
  }

  /** A problem (RFC 9457) with the headers. */
  toResponse(): Response {
    const headers = new Headers(this.headers)
    headers.set('content-type', 'application/problem+json')
    headers.set('cache-control', 'no-store')
    return new Response(JSON.stringify(problemOf(this)), { status: this.status, headers })
  }
}

export const problemOf = ({ code, status, detail }: AccessRefused) => ({
  type: 'about:blank',
  title: statuses[code][1],
  status,
  detail,
  code,
})

function challengesOf(code: AccessRefusedCode, detail: string, challenge: Challenge, schemes: readonly Scheme[]): string {
  const error = challengeErrors[code]
  const said = { ...(error && { error, error_description: detail }), ...challenge }
  return schemes.map(({ name, parameters }, index) => challengeOf(name, { ...(index === 0 && said), ...parameters })).join(', ')
}

function challengeOf(name: string, parameters: Record<string, string>): string {
  const written = Object.entries(parameters).map(([parameter, value]) => `${parameter}="${quotable(value)}"`)
  return written.length === 0 ? name : `${name} ${written.join(', ')}`
}

/** Leaves what RFC 6750 §3 allows in a quoted value. */
const quotable = (value: string) => value.replaceAll(/[^\x20\x21\x23-\x5b\x5d-\x7e]/g, ' ')
