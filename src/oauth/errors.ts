/** The error codes that we answer with: RFC 6749 §4.1.2.1 and §5.2, RFC 6750 §3.1, OpenID Connect Core §3.1.2.6. */
export type OAuthErrorCode =
  | 'invalid_request'
  | 'invalid_client'
  | 'invalid_grant'
  | 'invalid_scope'
  | 'invalid_token'
  | 'insufficient_scope'
  | 'unauthorized_client'
  | 'unsupported_grant_type'
  | 'unsupported_response_type'
  | 'access_denied'
  | 'login_required'
  | 'consent_required'
  | 'request_not_supported'
  | 'request_uri_not_supported'
  | 'registration_not_supported'
  | 'temporarily_unavailable'

/** The check that failed, for whoever has to find out why. Secrets are masked before anything of it is kept. */
export interface FailedCheck {
  /** What was checked, such as `redirect_uri`. */
  name: string
  expected?: unknown
  received?: unknown
  /** In words, where the difference is hard to see. */
  hint?: string | undefined
}

/**
 * A refusal in the words of the protocol. It does not know whether it becomes JSON, a redirect or a challenge: the
 * endpoint does.
 */
export class OAuthError extends Error {
  readonly code: OAuthErrorCode
  readonly description: string
  readonly check: FailedCheck
  /** Seconds, when the caller has to wait. */
  readonly retryAfter: string | undefined

  /** @param description visible ASCII without `"` and `\`, as RFC 6749 §5.2 has it */
  constructor(code: OAuthErrorCode, description: string, check: FailedCheck, retryAfter?: string) {
    super(description)
    this.name = 'OAuthError'
    this.code = code
    this.description = description
    this.check = check
    this.retryAfter = retryAfter
  }
}

/**
 * A refusal that must not be redirected, since nothing proves yet where to: it is shown to the person at the browser
 * (RFC 6749 §4.1.2.1).
 */
export class AuthorizationPageError extends Error {
  readonly title: string
  readonly detail: string
  readonly check: FailedCheck
  /** By which an administrator finds what failed. */
  reference = ''

  constructor(title: string, detail: string, check: FailedCheck) {
    super(detail)
    this.name = 'AuthorizationPageError'
    this.title = title
    this.detail = detail
    this.check = check
  }
}

export const invalidRequest = (description: string, check: FailedCheck) => new OAuthError('invalid_request', description, check)
export const invalidClient = (description: string, check: FailedCheck) => new OAuthError('invalid_client', description, check)
export const invalidGrant = (description: string, check: FailedCheck) => new OAuthError('invalid_grant', description, check)
export const invalidScope = (description: string, check: FailedCheck) => new OAuthError('invalid_scope', description, check)
