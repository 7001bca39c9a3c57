/** GET and POST /oauth2/authorize (RFC 6749 §4.1.1): decides alone what a request needs next. */
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Database } from '../../platform/database/database.ts'
import { callerAddress } from '../../platform/http/addresses.ts'
import type { SigningKeys } from '../../tokens/signing-keys.ts'
import { describeRefusal } from '../protocol/answer-errors.ts'
import type { DiagnosisStore } from '../protocol/diagnostics.ts'
import { AuthorizationPageError, invalidRequest, OAuthError } from '../protocol/errors.ts'
import { readIdTokenHint } from '../protocol/id-token-hint.ts'
import { type Parameters, readParameters } from '../protocol/parameters.ts'
import { findClient, type OAuthClient } from '../protocol/queries.ts'
import { explainDifference, type ProvenRedirectUri, proveRedirectUri } from '../protocol/redirect-uri.ts'
import { readAuthorizationRequest, readResponseMode, unknownResponseMode } from './authorization-request.ts'
import { type ResponseTarget, sendResponse } from './authorization-response.ts'
import { findConsentedScopes } from './consents.ts'
import { issueCode } from './issue-code.ts'
import { decideNextStep } from './next-step.ts'
import { findWaitingRequest, type StoredRequest, storeRequest, type WaitingRequest } from './stored-requests.ts'

export interface AuthorizationDependencies extends DiagnosisStore {
  signingKeys: SigningKeys
  /** Origin of `PUBLIC_URL`. */
  issuer: string
  pkcePlain: 'allow' | 'deny'
}

/** A request whose client and redirect URI are proven: from here on, refusals are sent back. */
interface ProvenRequest extends ResponseTarget {
  client: OAuthClient
  /** Reads the rest, or refuses it. */
  read(): Promise<StoredRequest & { redirectUri: ProvenRedirectUri }>
  waiting: WaitingRequest | undefined
}

/**
 * Answers an authorization request, or sends the browser to what has to come first.
 *
 * @throws AuthorizationPageError while the client or the redirect URI is not proven
 */
export async function authorize(
  dependencies: AuthorizationDependencies,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const parameters = readParameters(request.method === 'POST' ? request.body : request.query)
  request.oauth.parameters = parameters
  const reference = referenceOf(parameters)
  const onFound = (client: OAuthClient) => {
    // Known before its redirect URI is proven: its organisation is to learn why it was not.
    request.oauth.client = client
  }
  const proven =
    reference === undefined ? await proveNewRequest(dependencies, parameters, onFound) : await resumeRequest(dependencies, reference)
  const { client } = proven
  onFound(client)
  request.logContext = { ...request.logContext, organisationId: client.organisationId }
  try {
    return await takeNextStep(dependencies, request, reply, proven, reference)
  } catch (error) {
    if (!(error instanceof OAuthError)) throw error
    const description = await describeRefusal(dependencies, request, 'authorize', error)
    return sendResponse(reply, dependencies.issuer, proven, { error: error.code, error_description: description })
  }
}

async function takeNextStep(
  dependencies: AuthorizationDependencies,
  httpRequest: FastifyRequest,
  reply: FastifyReply,
  proven: ProvenRequest,
  reference: string | undefined,
): Promise<FastifyReply> {
  const { database, issuer, quotas } = dependencies
  const { client, waiting } = proven
  const request = await proven.read()
  const store = async () => {
    // Anybody can have requests stored; who is signed in has a name.
    if (!httpRequest.browserSession && !(await quotas.waitingRequests.claim(callerAddress(httpRequest)))) throw tooManyWaiting()
    return storeRequest(database, client, request)
  }
  const goOn = async (to: (reference: string) => string) =>
    reply.header('cache-control', 'no-store').redirect(to(reference ?? (await store())), 303)
  // Another site's form comes without the session's cookie; the redirect that follows brings it.
  if (httpRequest.method === 'POST') return goOn(ownAddress)

  const { browserSession } = httpRequest
  const step = decideNextStep({
    request,
    client,
    browserSession: browserSession && {
      ...browserSession,
      userId: browserSession.caller.session.userId,
      organisationId: browserSession.caller.organisationId,
    },
    waitingSince: waiting?.createdAt,
    decision: waiting?.decidedById === browserSession?.caller.session.userId ? (waiting?.decision ?? undefined) : undefined,
    consented: browserSession && client.requireConsent ? await findConsentedScopes(database, client, browserSession.caller) : undefined,
    now: database.clock.now(),
  })
  switch (step.kind) {
    case 'refuse':
      throw step.error
    case 'sign-in':
      return goOn((kept) => signInAddress(kept, request, step.again))
    case 'enrol':
      return goOn((kept) => `/mfa/enroll?${new URLSearchParams({ returnTo: ownAddress(kept) })}`)
    case 'consent':
      return goOn((kept) => `/oauth2/consent?${new URLSearchParams({ request: kept })}`)
    case 'issue': {
      const code = browserSession && (await issueCode(database, client, browserSession, request, waiting?.referenceHash ?? null))
      if (code === undefined) throw invalidRequest('the request has been answered, or the session has ended', { name: 'request' })
      return sendResponse(reply, issuer, proven, { code })
    }
  }
}

const tooManyWaiting = () =>
  new OAuthError('temporarily_unavailable', 'too many sign-ins are waiting, try again in a minute', { name: 'rate_limit' })

const ownAddress = (reference: string) => `/oauth2/authorize?${new URLSearchParams({ request: reference })}`

/** @param again that a session is there and does not suffice */
function signInAddress(reference: string, { loginHint, uiLocales }: StoredRequest, again: boolean): string {
  return `/login?${new URLSearchParams({
    returnTo: ownAddress(reference),
    ...(loginHint !== undefined && { login_hint: loginHint }),
    ...(uiLocales !== undefined && { ui_locales: uiLocales }),
    ...(again && { prompt: 'login' }),
  })}`
}

/** Our own reference stands alone; beside a client_id, `request` is the parameter of OpenID Connect. */
function referenceOf(parameters: Parameters): string | undefined {
  return parameters.has('client_id') ? undefined : parameters.get('request')
}

async function resumeRequest({ database }: AuthorizationDependencies, reference: string): Promise<ProvenRequest> {
  const waiting = await findWaitingRequest(database, reference)
  const client = waiting && (await findClient(database, waiting.clientId))
  // Proven again: it may have been taken off the client's list meanwhile.
  const redirectUri = client && proveRedirectUri(client, waiting.parameters.redirectUri)
  if (!waiting || !client?.isActive || redirectUri === undefined) {
    throw new AuthorizationPageError(
      'request-expired',
      'It was finished before, or waited for too long. Go back to the application and start again.',
      { name: 'request', expected: 'a request that waits', received: 'none' },
    )
  }
  const { parameters } = waiting
  const { responseMode, state } = parameters
  return { client, redirectUri, responseMode, state, waiting, read: async () => ({ ...parameters, redirectUri }) }
}

async function proveNewRequest(
  dependencies: AuthorizationDependencies,
  parameters: Parameters,
  onFound: (client: OAuthClient) => void,
): Promise<ProvenRequest> {
  const { database, signingKeys, issuer, pkcePlain } = dependencies
  const client = await proveClient(database, parameters, onFound)
  const redirectUri = proveRedirectUriOf(client, parameters)
  const responseMode = readResponseMode(parameters)
  const state = parameters.get('state')
  return {
    client,
    redirectUri,
    responseMode: responseMode ?? 'query',
    state,
    waiting: undefined,
    async read() {
      if (responseMode === undefined) throw unknownResponseMode(parameters.get('response_mode'))
      const request = readAuthorizationRequest(parameters, client, pkcePlain)
      const hint = await readIdTokenHint({ signingKeys, issuer }, parameters)
      const redirectUriSent = parameters.has('redirect_uri')
      return { ...request, expectedSubject: hint?.subject, redirectUri, redirectUriSent, responseMode, state }
    },
  }
}

async function proveClient(database: Database, parameters: Parameters, onFound: (client: OAuthClient) => void): Promise<OAuthClient> {
  const clientId = parameters.get('client_id')
  const client = clientId === undefined || clientId.length > 255 ? undefined : await findClient(database, clientId)
  if (client) onFound(client)
  if (client?.isActive) return client
  const received = client ? 'a revoked client' : clientId
  throw new AuthorizationPageError('unknown-client', 'The client_id is missing, unknown or has been revoked.', {
    name: 'client_id',
    expected: 'an active client',
    received,
  })
}

function proveRedirectUriOf(client: OAuthClient, parameters: Parameters): ProvenRedirectUri {
  const sent = parameters.get('redirect_uri')
  const [only, ...others] = client.redirectUris
  // RFC 6749 §3.1.2.3 lets it be left out where there is one; OpenID Connect does not.
  const isOpenid = parameters.get('scope')?.split(' ').includes('openid') ?? false
  const mayBeLeftOut = only !== undefined && others.length === 0 && !isOpenid && !parameters.malformed.includes('redirect_uri')
  const asked = sent ?? (mayBeLeftOut ? only : undefined)
  const proven = asked === undefined ? undefined : proveRedirectUri(client, asked)
  if (proven !== undefined) return proven
  const detail = 'The redirect_uri is missing or is not one that the application has registered.'
  throw new AuthorizationPageError('unregistered-redirect-uri', detail, {
    name: 'redirect_uri',
    expected: client.redirectUris,
    received: sent,
    hint: sent === undefined ? undefined : explainDifference(sent, client.redirectUris),
  })
}
