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
  /** The issuer cannot be asked at present. */
  | 'issuer-unavailable'

const statuses: Record<AccessRefusedCode, readonly [status: number, title: string]> = {
  'authentication-required': [401, 'Unauthorized'],
  'malformed-authorization': [400, 'Bad Request'],
  'invalid-token': [401, 'Unauthorized'],
  'insufficient-scope': [403, 'Forbidden'],
  'missing-permission': [403, 'Forbidden'],
  'insufficient-user-authentication': [401, 'Unauthorized'],
  'issuer-unavailable': [503, 'Service Unavailable'],
}

/** The `error` of the `WWW-Authenticate` header. A request without credentials gets none (RFC 6750 §3.1). */
const challengeErrors: Partial<Record<AccessRefusedCode, string>> = {
  'malformed-authorization': 'invalid_request',
  'invalid-token': 'invalid_token',
  'insufficient-scope': 'insufficient_scope',
  'insufficient-user-authentication': 'insufficient_user_authentication',
}

/** Parameters of the challenge: `scope` of RFC 6750, `acr_values` and `max_age` of RFC 9470, `resource_metadata` of RFC 9728. */
export type Challenge = Partial<Record<'scope' | 'acr_values' | 'max_age' | 'resource_metadata', string>>

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
    { challenge = {}, cause, requestId }: { challenge?: Challenge; cause?: unknown; requestId?: string | undefined } = {},
  ) {
    super(detail, { cause })
    this.name = 'AccessRefused'
    this.code = code
    this.detail = detail
    this.requestId = requestId
    this.status = statuses[code][0]
    this.#challenge = challenge
    this.headers = new Headers(
      code === 'issuer-unavailable' ? { 'retry-after': '5' } : { 'www-authenticate': challengeLine(code, detail, challenge) },
    )
  }

  /** The same with further parameters of the challenge. */
  with(challenge: Challenge): AccessRefused {
    const { code, detail, cause, requestId } = this
    return new AccessRefused(code, detail, { challenge: { ...this.#challenge, ...challenge }, cause, requestId })
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

function challengeLine(code: AccessRefusedCode, detail: string, challenge: Challenge): string {
  const error = challengeErrors[code]
  const parameters = Object.entries({ ...(error && { error, error_description: detail }), ...challenge })
  const written = parameters.map(([name, value]) => `${name}="${quotable(value)}"`)
  return written.length === 0 ? 'Bearer' : `Bearer ${written.join(', ')}`
}

/** Leaves what RFC 6750 §3 allows in a quoted value. */
const quotable = (value: string) => value.replaceAll(/[^\x20\x21\x23-\x5b\x5d-\x7e]/g, ' ')
