import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify'
import { say } from '../../../shared/checks/said.ts'
import { severalSessionCookiesOnPage } from '../../access/refusals.ts'
import { algorithmNames } from '../../clients/public-keys.ts'
import { callerAddress } from '../../platform/http/addresses.ts'
import { Problem } from '../../platform/http/problem.ts'
import type { App } from '../../platform/http/server.ts'
import type { CheckName } from './checks.ts'
import { type DiagnosisStore, type OAuthEndpoint, storeRefusal } from './diagnostics.ts'
import { AuthorizationPageError, invalidRequest, OAuthError, type OAuthErrorCode } from './errors.ts'
import type { OAuthPages } from './pages.ts'
import { contextOf, endpointOf } from './request-context.ts'

/**
 * The description of a refusal with its reference. Clients show or log the description, so the reference is part of it.
 *
 * A step of the protocol is not stored: it must not fill the table, nor use up what may be stored of the caller's network in a minute.
 */
export async function describeRefusal(
  store: DiagnosisStore,
  request: FastifyRequest,
  { code, description, check, client: concerned, isStepOfProtocol }: OAuthError,
): Promise<string> {
  if (isStepOfProtocol) return description
  const { parameters, client: authenticated, signInId } = contextOf(request)
  const client = concerned ?? authenticated
  const endpoint = endpointOf(request)
  const refusal = { endpoint, error: code, description, check, parameters, client, signInId }
  const reference = await storeRefusal(store, callerAddress(request), refusal)
  return reference === undefined ? description : `${description} (reference ${reference})`
}

/** Writes the refusals of token, introspection, revocation and device authorization: RFC 6749 §5.2. */
export function refuseWithJson(scope: App, store: DiagnosisStore): void {
  scope.setErrorHandler(async (error: FastifyError, request, reply) => {
    const refusal = asOAuthError(error)
    if (!refusal) throw error
    const description = await describeRefusal(store, request, refusal)
    forbidStoring(reply).code(statusOf(error, refusal))
    if (refusal.retryAfter) reply.header('retry-after', refusal.retryAfter)
    // Only a client that used the header is challenged for it.
    if (refusal.code === 'invalid_client' && request.headers.authorization !== undefined) {
      reply.header('www-authenticate', 'Basic realm="oauth2", charset="UTF-8"')
    }
    const { code, members } = refusal
    return reply
      .type('application/json')
      .serializer(JSON.stringify)
      .send({ error: code, error_description: description, ...members })
  })
}

/** Writes the refusals of protected resources: RFC 6750 §3. */
export function refuseWithChallenge(scope: App, store: DiagnosisStore): void {
  const statuses: Partial<Record<OAuthErrorCode, number>> = { invalid_request: 400, insufficient_scope: 403 }
  scope.setErrorHandler(async (error: FastifyError, request, reply) => {
    const refusal = asOAuthError(error)
    if (!refusal) throw error
    forbidStoring(reply).code(statuses[refusal.code] ?? 401)
    // A request without a token needs no explanation, and must not fill the table.
    const isUntried = refusal.check.received === undefined && refusal.code === 'invalid_token'
    const description = isUntried ? refusal.description : await describeRefusal(store, request, refusal)
    const scopeNeeded = refusal.code === 'insufficient_scope' ? ', scope="openid"' : ''
    // A token that is bound to a key is asked to be presented with it, and one that was is challenged in the same scheme (RFC 9449 §7.1).
    const isByKey = refusal.check.name === 'dpop' || /^dpop( |$)/i.test(request.headers.authorization ?? '')
    const scheme = isByKey ? `DPoP algs="${algorithmNames.join(' ')}",` : 'Bearer'
    return reply
      .header('www-authenticate', `${scheme} error="${refusal.code}", error_description="${description}"${scopeNeeded}, realm="userinfo"`)
      .type('application/json')
      .serializer(JSON.stringify)
      .send({ error: refusal.code, error_description: description })
  })
}

/** Shows refusals to the person at the browser: they cannot be sent anywhere. */
export function refuseWithPages(scope: App, store: DiagnosisStore, showPage: OAuthPages['error']): void {
  scope.setErrorHandler(async (error: FastifyError, request, reply) => {
    const refusal = asPageError(error)
    if (!refusal) throw error
    if (refusal.retryAfter !== undefined) reply.header('retry-after', refusal.retryAfter)
    return showRefusal({ store, showPage, endpoint: endpointOf(request) }, request, reply, refusal)
  })
}

/** Stores a refusal and shows its page, which names the reference. */
export async function showRefusal(
  { store, showPage, endpoint }: { store: DiagnosisStore; showPage: OAuthPages['error']; endpoint: OAuthEndpoint },
  request: FastifyRequest,
  reply: FastifyReply,
  refusal: AuthorizationPageError,
): Promise<FastifyReply> {
  // The page shows the branding of the client's organisation.
  const context = contextOf(request)
  context.client = refusal.client ?? context.client
  const { description, check } = refusal
  refusal.reference = await storeRefusal(store, callerAddress(request), {
    endpoint,
    error: 'invalid_request',
    description,
    check,
    ...context,
  })
  return showPage(request, forbidStoring(reply), refusal)
}

/** Forbids caching of tokens, codes and refusals (RFC 6749 §5.1). */
export function forbidStoring(reply: FastifyReply): FastifyReply {
  return reply.header('cache-control', 'no-store').header('pragma', 'no-cache')
}

const formOnly = () =>
  invalidRequest('send the parameters as application/x-www-form-urlencoded', {
    name: 'content_type',
    expected: 'application/x-www-form-urlencoded',
    received: say('another-content-type'),
  })

/** Converts the server's own refusals of a body to the words of the protocol. */
function asOAuthError(error: FastifyError): OAuthError | undefined {
  if (error instanceof OAuthError) return error
  if (error instanceof Problem && error.slug === 'bad-request') {
    const field = String(error.errors?.[0]?.path[0] ?? 'request')
    return invalidRequest(`${field} is malformed`, { name: field as CheckName })
  }
  if (error.code === 'FST_ERR_CTP_INVALID_MEDIA_TYPE') return formOnly()
  if (error.code === 'FST_ERR_CTP_BODY_TOO_LARGE') return invalidRequest('the request is too large', { name: 'body' })
  if (error.statusCode === 400) return invalidRequest('the request is malformed', { name: 'body' })
  return undefined
}

function asPageError(error: FastifyError): AuthorizationPageError | undefined {
  if (error instanceof AuthorizationPageError) return error
  if (error instanceof Problem && error.code === severalSessionCookiesOnPage.code) {
    return new AuthorizationPageError('several-session-cookies', error.detail, {
      name: 'session_cookie',
      expected: say('one'),
      received: say('several'),
    })
  }
  const refusal = asOAuthError(error)
  return refusal && new AuthorizationPageError('malformed-request', refusal.description, refusal.check)
}

function statusOf(error: FastifyError, { code, retryAfter }: OAuthError): number {
  if (error.code === 'FST_ERR_CTP_BODY_TOO_LARGE') return 413
  if (retryAfter !== undefined) return 429
  return code === 'invalid_client' ? 401 : 400
}
