import { refusal } from '../platform/http/problem.ts'

const hinted = (hint: string) => () => ({ members: { hint } })

export const authenticationRequired = refusal('authentication-required', 'unauthorized', 'Authentication required', (hint: string) => ({
  members: { hint },
}))
export const invalidSession = refusal(
  'invalid-session',
  'unauthorized',
  'Authentication required',
  hinted('The session is unknown, has expired or was ended: sign in again'),
)
export const severalSessionCookies = refusal(
  'several-session-cookies',
  'unauthorized',
  'The request carries more than one session cookie',
  hinted('Delete the cookies of this site and of its parent domains, then sign in again'),
)
/** The same refusal on a page. */
export const severalSessionCookiesOnPage = refusal(
  'several-session-cookies-on-page',
  'bad-request',
  'The request carries more than one session cookie',
)
export const userNotFound = refusal('session-user-not-found', 'unauthorized', 'User not found')
export const malformedAuthorization = refusal(
  'malformed-authorization',
  'unauthorized',
  'The Authorization header is not of the form Bearer <key>',
)
export const apiKeyInWrongHeader = refusal(
  'api-key-in-wrong-header',
  'unauthorized',
  'X-API-Key is not read: send the key as Authorization: Bearer <key>',
)
export const systemKeyNotAccepted = refusal(
  'system-key-not-accepted',
  'unauthorized',
  'The system API key opens /v1/system alone',
  hinted('Sign in, or send an API key of the organisation'),
)
export const apiKeyNotAccepted = refusal(
  'api-key-not-accepted',
  'unauthorized',
  'Authentication required',
  hinted('An API key opens /v1/admin alone'),
)
export const accessTokenNotAccepted = refusal(
  'access-token-not-accepted',
  'unauthorized',
  'An access token of OAuth does not open this API',
  hinted('Sign in, or send an API key of the organisation'),
)
export const unknownBearerToken = refusal(
  'unknown-bearer-token',
  'unauthorized',
  'Unknown bearer token',
  hinted('API keys begin with ak_; a session is sent as a cookie'),
)
export const invalidSystemKey = refusal('invalid-system-key', 'unauthorized', 'Invalid system API key')
export const invalidApiKey = refusal('invalid-api-key', 'unauthorized', 'Invalid or expired API key')

const whereTheTokenIs = 'Every request by session needs it, reading ones too: send the csrfToken of GET /v1/auth/csrf as X-CSRF-Token'
export const missingCsrfToken = refusal('missing-csrf-token', 'forbidden', 'Invalid CSRF token', hinted(whereTheTokenIs))
export const invalidCsrfToken = refusal(
  'invalid-csrf-token',
  'forbidden',
  'Invalid CSRF token',
  hinted(`The token is not that of this session. ${whereTheTokenIs}`),
)
export const mfaEnrolmentRequired = refusal('mfa-enrollment-required', 'forbidden', 'MFA enrollment required')
export const recentSignInRequired = refusal(
  'recent-sign-in-required',
  'forbidden',
  'Recent sign-in required',
  (methods: readonly string[], maxAgeSeconds: number) => ({ members: { methods, maxAgeSeconds } }),
)
export const missingTenantHeader = refusal('missing-tenant-header', 'bad-request', 'Missing X-Org-Domain header')
export const organisationNotFound = refusal('organisation-not-found', 'not-found', 'Organisation not found')
export const organisationCancelled = refusal('organisation-cancelled', 'conflict', 'Organisation is cancelled')
export const organisationMismatch = refusal('organisation-mismatch', 'forbidden', 'Organisation mismatch')
export const organisationSuspended = refusal('organisation-suspended', 'forbidden', 'Organisation is suspended')
const about = (permission: string) => ({ members: { permission } })
export const missingPermission = refusal('missing-permission', 'forbidden', (slug: string) => `Missing required permission: ${slug}`, about)
export const cannotGrant = refusal(
  'cannot-grant',
  'forbidden',
  (slug: string) => `Cannot grant a permission you do not have: ${slug}`,
  about,
)
export const setupLinkEnded = refusal('setup-link-ended', 'forbidden', 'This link no longer works')
export const setupStepTaken = refusal('setup-step-taken', 'conflict', 'This step has been taken already')
