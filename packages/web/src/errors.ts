/** What was wrong, as a stable word. */
export type SignInRefusedCode =
  /** A parameter of `/auth/login` or of a form: `errors` names it. */
  | 'invalid-request'
  | 'method-not-allowed'
  /** The form came from a page of another origin. */
  | 'other-origin'
  /** The browser has not begun this sign-in, has finished it, or began it too long ago. */
  | 'unknown-attempt'
  /** The issuer has refused: `error` is its word for it, such as `access_denied`. */
  | 'refused-by-issuer'
  /** The issuer does not accept the secret or the key of the application. */
  | 'client-refused'
  /** What came back is not of this issuer for this application, this attempt or this user. */
  | 'invalid-response'
  /** The issuer cannot be reached at present. */
  | 'issuer-unavailable'
  /** The tokens do not fit the cookies of a browser: use a session store. */
  | 'session-too-large'
  /** There is no session, and the request is not one that a redirect could lead to sign-in. */
  | 'sign-in-required'
  /** The user lacks a permission. */
  | 'missing-permission'
  /** The sign-in is too weak or too long ago, also after asking for another one. */
  | 'insufficient-user-authentication'
  | 'invalid-logout-token'
  /** Back-channel logout needs a session store. */
  | 'no-session-store'

const statuses: Record<SignInRefusedCode, readonly [status: number, title: string]> = {
  'invalid-request': [400, 'Bad Request'],
  'method-not-allowed': [405, 'Method Not Allowed'],
  'other-origin': [403, 'Forbidden'],
  'unknown-attempt': [400, 'Bad Request'],
  'refused-by-issuer': [403, 'Forbidden'],
  'client-refused': [500, 'Internal Server Error'],
  'invalid-response': [400, 'Bad Request'],
  'issuer-unavailable': [503, 'Service Unavailable'],
  'session-too-large': [500, 'Internal Server Error'],
  'sign-in-required': [401, 'Unauthorized'],
  'missing-permission': [403, 'Forbidden'],
  'insufficient-user-authentication': [403, 'Forbidden'],
  'invalid-logout-token': [400, 'Bad Request'],
  'no-session-store': [501, 'Not Implemented'],
}

interface RefusedWith {
  cause?: unknown
  error?: string | undefined
  reference?: string | undefined
  requestId?: string | undefined
  errors?: SignInRefused['errors']
  headers?: Record<string, string>
}

/** A request that is refused: what to respond with is in it. */
export class SignInRefused extends Error {
  readonly code: SignInRefusedCode
  readonly status: number
  /** A sentence for people; decide by `code`. */
  readonly detail: string
  /** The error of the issuer (RFC 6749 §4.1.2.1, §5.2), where it has refused. */
  readonly error: string | undefined
  /** Under this reference the issuer's diagnostics say for seven days what was expected and what came. */
  readonly reference: string | undefined
  /** The id of the request at the issuer, where it was asked. */
  readonly requestId: string | undefined
  /** Each parameter that is wrong. */
  readonly errors: readonly { path: readonly [string]; message: string }[]
  readonly headers: Headers

  constructor(
    code: SignInRefusedCode,
    detail: string,
    { cause, error, reference, requestId, errors = [], headers = {} }: RefusedWith = {},
  ) {
    super(detail, { cause })
    this.name = 'SignInRefused'
    this.code = code
    this.status = statuses[code][0]
    this.detail = detail
    this.error = error
    this.reference = reference
    this.requestId = requestId
    this.errors = errors
    this.headers = new Headers({ 'cache-control': 'no-store', ...(code === 'issuer-unavailable' && { 'retry-after': '5' }), ...headers })
  }

  /** A page where the browser shows one, otherwise a problem (RFC 9457). @param signIn the address of a link to sign in again */
  toResponse(request: { headers: Headers }, signIn?: string): Response {
    const headers = new Headers(this.headers)
    const isPage = request.headers.get('accept')?.includes('text/html') ?? false
    headers.set('content-type', isPage ? 'text/html; charset=utf-8' : 'application/problem+json')
    if (isPage) headers.set('content-security-policy', "default-src 'none'; frame-ancestors 'none'")
    if (isPage) headers.set('referrer-policy', 'no-referrer')
    return new Response(isPage ? this.#page(signIn) : this.#problem(), { status: this.status, headers })
  }

  #problem(): string {
    const { code, status, detail, error, reference, errors } = this
    const title = statuses[code][1]
    return JSON.stringify({
      type: 'about:blank',
      title,
      status,
      detail,
      code,
      error,
      reference,
      errors: errors.length > 0 ? errors : undefined,
    })
  }

  #page(signIn: string | undefined): string {
    const reference = this.reference === undefined ? '' : `<p>Reference: <code>${escaped(this.reference)}</code></p>`
    const link = signIn === undefined ? '' : `<p><a href="${escaped(signIn)}">Sign in again</a></p>`
    return `<!doctype html><html lang="en"><meta charset="utf-8"><title>${statuses[this.code][1]}</title><h1>${statuses[this.code][1]}</h1><p>${escaped(this.detail)}</p>${reference}${link}`
  }
}

/** The text may have come by the browser. */
const escaped = (text: string) => text.replaceAll(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`)

/** A parameter that is refused by name. */
export const invalidParameter = (name: string, message: string) =>
  new SignInRefused('invalid-request', `${name}: ${message}`, { errors: [{ path: [name], message }] })
