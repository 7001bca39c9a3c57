/** The first phase of an authorization request: determines the client and the target of the response. It needs no browser. */
import { type Said, say } from '../../../shared/checks/said.ts'
import { hintOfForm } from '../protocol/automatic-clients.ts'
import { requestOver, unknownClient } from '../protocol/common-errors.ts'
import { AuthorizationPageError, type ConcernedClient, type FailedCheck, OAuthError } from '../protocol/errors.ts'
import { findClient, findNamedClient, type OAuthClient } from '../protocol/queries.ts'
import { explainDifference, type ProvenRedirectUri, proveRedirectUri } from '../protocol/redirect-uri.ts'
import { readResponseMode } from './authorization-request.ts'
import type { ResponseTarget } from './authorization-response.ts'
import {
  findAskingClient,
  findOrganisationAgain,
  findOrganisationOf,
  type RefusedTarget,
  type TargetDependencies,
} from './automatic-target.ts'
import type { AuthorizationParameters, ReceivedAuthorization } from './parameters.ts'
import { readSigned } from './request-object.ts'
import { findPendingRequest, findPushedRequest, type PendingRequest, pushedRequestPrefix } from './stored-requests.ts'

/** A request whose client and redirect URI are proven: from here on, refusals are sent back. */
export type ProvenTarget = ResponseTarget & { client: OAuthClient } & (
    | { kind: 'new'; received: ReceivedAuthorization; isSigned: boolean }
    /** @property reference by which the browser brings it back */
    | { kind: 'stored'; reference: string; pending: PendingRequest }
    /** The browser has brought the address of a pushed request: its parameters alone count (RFC 9126 §4). */
    | { kind: 'pushed'; pushed: PendingRequest }
  )

/**
 * @param address that of the caller
 * @throws AuthorizationPageError when the client or the redirect URI is not proven: the refusal cannot be sent anywhere
 */
export async function proveTarget(
  dependencies: TargetDependencies,
  received: ReceivedAuthorization,
  address: string,
): Promise<ProvenTarget | RefusedTarget> {
  const parameters = received.values
  const reference = referenceOf(parameters)
  if (reference !== undefined) return resumeRequest(dependencies, reference, parameters.uiLocales)
  const pushed = dependencies.oauthExtensions.has('par') ? pushedReferenceOf(parameters) : undefined
  if (pushed !== undefined) return openPushed(dependencies, pushed)
  const { clientId } = parameters
  if (clientId !== undefined && dependencies.automaticClients.recognises(clientId)) {
    const asking = await findAskingClient(dependencies.automaticClients, clientId, address)
    const redirectUri = proveRedirectUriOf({ ...asking, clientType: 'public' }, received)
    const found = await findOrganisationOf(dependencies, asking, redirectUri, parameters.resource)
    const response = responseTo(parameters)
    if (found instanceof OAuthError) return { kind: 'refused', redirectUri, ...response, error: found }
    return { kind: 'new', client: requireActive(found, clientId), redirectUri, ...response, received, isSigned: false }
  }
  const named = await proveClient(dependencies, parameters)
  const signed = await readSigned(dependencies, named, received).catch(showOnPage)
  const redirectUri = proveRedirectUriOf(signed.client, signed.received)
  return { kind: 'new', redirectUri, ...responseTo(signed.received.values), ...signed }
}

/** How a request has its response. One with an unknown mode is refused through the default one. */
const responseTo = (parameters: AuthorizationParameters) => ({
  responseMode: readResponseMode(parameters) ?? ('query' as const),
  state: parameters.state,
})

/** What its client has not proven says nothing of where the browser may go. */
function showOnPage(error: unknown): never {
  if (!(error instanceof OAuthError)) throw error
  throw new AuthorizationPageError('malformed-request', error.description, error.check, error.client)
}

type RedirectableClient = Parameters<typeof proveRedirectUri>[0] & Partial<ConcernedClient & Pick<OAuthClient, 'profile'>>

/** Our own reference comes alone; next to a client_id, `request` is the parameter of OpenID Connect. */
function referenceOf({ clientId, request }: AuthorizationParameters): string | undefined {
  return clientId === undefined ? request : undefined
}

function pushedReferenceOf({ clientId, requestUri }: AuthorizationParameters): { clientId: string; reference: string } | undefined {
  if (clientId === undefined || !requestUri?.startsWith(pushedRequestPrefix)) return undefined
  return { clientId, reference: requestUri.slice(pushedRequestPrefix.length) }
}

/** @param uiLocales the language that the user has chosen on a page on the way, which counts more than that of the application */
async function resumeRequest(
  dependencies: TargetDependencies,
  reference: string,
  uiLocales: string | undefined,
): Promise<ProvenTarget | RefusedTarget> {
  const stored = await findPendingRequest(dependencies.database, reference)
  if (!stored) throw requestExpired()
  const pending = uiLocales === undefined ? stored : { ...stored, parameters: { ...stored.parameters, uiLocales } }
  const proven = await proveStored(dependencies, pending)
  return 'error' in proven ? proven : { kind: 'stored', ...proven, reference, pending }
}

async function openPushed(
  dependencies: TargetDependencies,
  { clientId, reference }: { clientId: string; reference: string },
): Promise<ProvenTarget | RefusedTarget> {
  const pushed = await findPushedRequest(dependencies.database, clientId, reference)
  if (!pushed) throw pushedRequestUnknown()
  const proven = await proveStored(dependencies, pushed)
  return 'error' in proven ? proven : { kind: 'pushed', ...proven, pushed }
}

/** Proves client and redirect URI of a stored request again: either may have changed meanwhile. */
async function proveStored(
  dependencies: TargetDependencies,
  pending: PendingRequest,
): Promise<(ResponseTarget & { client: OAuthClient }) | RefusedTarget> {
  const { parameters } = pending
  const { responseMode, state } = parameters
  if (parameters.automaticClient) {
    const again = await findOrganisationAgain(dependencies, pending.organisationId, parameters)
    if (!again) throw requestExpired()
    const response = { redirectUri: again.redirectUri, responseMode, state }
    if (again.found instanceof OAuthError) return { kind: 'refused', ...response, error: again.found }
    return { client: requireActive(again.found, again.found.clientId), ...response }
  }
  const client = await findClient(dependencies.database, pending.clientId)
  const redirectUri = client && proveRedirectUri(client, parameters.redirectUri)
  if (!client?.isActive || redirectUri === undefined) throw requestExpired()
  return { client, redirectUri, responseMode, state }
}

const requestExpired = () => requestOver('request', say('a-pending-request'))

const pushedRequestUnknown = () => requestOver('request_uri', say('a-pushed-request'))

async function proveClient({ database, oauthExtensions }: TargetDependencies, { clientId }: AuthorizationParameters): Promise<OAuthClient> {
  const client = clientId === undefined || clientId.length > 255 ? undefined : await findNamedClient(database, clientId)
  return requireActive(client, clientId, hintOfForm(clientId, oauthExtensions))
}

/**
 * @param hint why it may be unknown
 * @throws AuthorizationPageError unless the client exists and has not been revoked
 */
export function requireActive(client: OAuthClient | undefined, clientId: string | undefined, hint?: Said): OAuthClient {
  if (client?.isActive) return client
  const received = client ? say('a-revoked-client') : clientId
  const check: FailedCheck = { name: 'client_id', expected: say('an-active-client'), received, hint }
  throw unknownClient(check, client)
}

/** @throws AuthorizationPageError unless the redirect URI of the request is the client's */
export function proveRedirectUriOf(client: RedirectableClient, { values, malformed }: ReceivedAuthorization): ProvenRedirectUri {
  const sent = values.redirectUri
  const [only, ...others] = client.redirectUris
  // RFC 6749 §3.1.2.3 allows it to be omitted when only one is registered; OpenID Connect and FAPI 2.0 (§5.3.2.2 no. 6) do not.
  const isOpenid = values.scope?.split(' ').includes('openid') ?? false
  const mayBeLeftOut =
    only !== undefined && others.length === 0 && !isOpenid && client.profile == null && !malformed.includes('redirect_uri')
  const asked = sent ?? (mayBeLeftOut ? only : undefined)
  const proven = asked === undefined ? undefined : proveRedirectUri(client, asked)
  if (proven !== undefined) return proven
  const detail = 'The redirect_uri is missing or is not one that the application has registered.'
  const check: FailedCheck = {
    name: 'redirect_uri',
    expected: client.redirectUris,
    received: sent,
    hint: sent === undefined ? undefined : explainDifference(sent, client.redirectUris),
  }
  const { id, organisationId } = client
  const concerned = id !== undefined && organisationId !== undefined ? { id, organisationId } : undefined
  throw new AuthorizationPageError('unregistered-redirect-uri', detail, check, concerned)
}
