import type { Said } from '../../../shared/checks/said.ts'
import type { CheckName } from './checks.ts'

/** The error codes of our responses: RFC 6749 §4.1.2.1 and §5.2, RFC 6750 §3.1, RFC 8628 §3.5, OpenID Connect Core §3.1.2.6, and
 * OpenID Connect Core Unmet Authentication Requirements 1.0, RFC 7591 §3.2.2, RFC 8707 §2, RFC 9101 §7, RFC 9449 §12.2, RFC 9470 §3. */
export type OAuthErrorCode =
  | 'invalid_request'
  | 'invalid_client'
  | 'invalid_grant'
  | 'invalid_scope'
  | 'invalid_target'
  | 'invalid_token'
  | 'invalid_request_object'
  | 'invalid_dpop_proof'
  | 'use_dpop_nonce'
  | 'invalid_redirect_uri'
  | 'invalid_client_metadata'
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
  | 'unmet_authentication_requirements'
  | 'authorization_pending'
  | 'slow_down'
  | 'expired_token'
  | 'insufficient_user_authentication'

/** The check that failed, for the administrator who has to find the cause. */
export interface FailedCheck {
  /** The object of the check, such as `redirect_uri`. */
  name: CheckName
  /** Never a secret, nor anything that one is compared with. */
  expected?: unknown
  /** The caller's input, or a description of it. A secret that the caller sent is masked before anything is stored. */
  received?: unknown
  /** An explanation, if the difference is hard to see. */
  hint?: string | Said | undefined
}

/** The client that a refusal concerns: its organisation may read why it was refused. */
export interface ConcernedClient {
  id: string
  organisationId: string
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
  /** What the response says besides, for a client that can act on it. */
  readonly members: Readonly<Record<string, string | number>> | undefined
  /** Set if the refusal itself determines the client: the endpoint learns it only later, or not at all. */
  readonly client: ConcernedClient | undefined
  /** Whether a client that makes no mistake meets this refusal, too: it has nothing to explain, and is not stored. */
  readonly isStepOfProtocol: boolean

  /** @param description visible ASCII without `"` and `\`, as RFC 6749 §5.2 requires */
  constructor(
    code: OAuthErrorCode,
    description: string,
    check: FailedCheck,
    {
      retryAfter,
      client,
      members,
      isStepOfProtocol = false,
    }: {
      retryAfter?: string
      client?: ConcernedClient | undefined
      members?: Readonly<Record<string, string | number>>
      isStepOfProtocol?: boolean
    } = {},
  ) {
    super(description)
    this.name = 'OAuthError'
    this.code = code
    this.description = description
    this.check = check
    this.retryAfter = retryAfter
    this.members = members
    this.client = client
    this.isStepOfProtocol = isStepOfProtocol
  }
}

/** Why a page is shown, and how the diagnosis of it begins. The pages have texts of their own. */
const pageErrors = {
  'malformed-request': 'This request is not valid',
  'several-session-cookies': 'Your browser sends two sessions',
  'unknown-client': 'This application is unknown',
  'unusable-client': 'This application cannot be used here',
  'too-many-client-documents': 'Too many applications are being looked up',
  'unregistered-redirect-uri': 'This application cannot sign you in',
  'request-expired': 'This sign-in has expired',
  'invalid-logout-request': 'You cannot be signed out this way',
} as const

export type AuthorizationPageReason = keyof typeof pageErrors

/**
 * A refusal that must not be redirected, since no target is proven yet: it is shown to the person at the browser
 * (RFC 6749 §4.1.2.1).
 */
export class AuthorizationPageError extends Error {
  readonly reason: AuthorizationPageReason
  /** An explanation for those who support the application. */
  readonly detail: string
  readonly check: FailedCheck
  readonly client: ConcernedClient | undefined
  /** Seconds, when the browser has to wait. */
  readonly retryAfter: string | undefined
  /** The reference by which an administrator finds the failure; undefined while or if it is not stored. */
  reference: string | undefined

  constructor(reason: AuthorizationPageReason, detail: string, check: FailedCheck, client?: ConcernedClient, retryAfter?: string) {
    super(detail)
    this.name = 'AuthorizationPageError'
    this.reason = reason
    this.detail = detail
    this.check = check
    this.client = client
    this.retryAfter = retryAfter
  }

  /** The text in a diagnosis. */
  get description(): string {
    return `${pageErrors[this.reason]}: ${this.detail}`
  }
}

export const invalidRequest = (description: string, check: FailedCheck) => new OAuthError('invalid_request', description, check)
export const invalidClient = (description: string, check: FailedCheck, client?: ConcernedClient) =>
  new OAuthError('invalid_client', description, check, { client })
export const invalidGrant = (description: string, check: FailedCheck) => new OAuthError('invalid_grant', description, check)
export const invalidTarget = (description: string, check: FailedCheck) => new OAuthError('invalid_target', description, check)
export const invalidScope = (description: string, check: FailedCheck) => new OAuthError('invalid_scope', description, check)
