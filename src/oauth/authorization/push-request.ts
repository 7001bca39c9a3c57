/** Requests that clients push before they send the browser (RFC 9126 §2). */
import { say } from '../../../shared/checks/said.ts'
import type { Quotas } from '../../access/rate-limits.ts'
import { organisationSuspended } from '../protocol/common-errors.ts'
import { invalidRequest, OAuthError } from '../protocol/errors.ts'
import type { OAuthClient } from '../protocol/queries.ts'
import { findAskingClient, findOrganisationOf, type TargetDependencies } from './automatic-target.ts'
import type { ReceivedAuthorization } from './parameters.ts'
import { proveRedirectUriOf } from './prove-target.ts'
import { type ReadingDependencies, readNewRequest, requireForm } from './read-request.ts'
import { readSigned } from './request-object.ts'
import { pushedRequestPrefix, pushedSeconds, storePushedRequest } from './stored-requests.ts'
import { withoutPage } from './without-page.ts'

export interface PushDependencies extends TargetDependencies, ReadingDependencies {
  quotas: Quotas
}

export interface PushedRequest {
  request_uri: string
  expires_in: number
}

/**
 * The automatic client that pushes a request, in the organisation whose resources the request is for.
 *
 * @throws OAuthError
 */
export async function findPushingClient(
  dependencies: TargetDependencies,
  clientId: string,
  received: ReceivedAuthorization,
  address: string,
): Promise<OAuthClient> {
  return withoutPage(async () => {
    const asking = await findAskingClient(dependencies.automaticClients, clientId, address)
    const redirectUri = proveRedirectUriOf({ ...asking, clientType: 'public' }, received)
    const found = await findOrganisationOf(dependencies, asking, redirectUri, received.values.resource)
    if (found instanceof OAuthError) throw found
    return found
  })
}

interface Pushing {
  /** The address of a client that has not authenticated: anyone can push in its name. */
  unprovenAddress: string | undefined
  /** The key that has been proven, which alone redeems the code (RFC 9449 §10.1). */
  jkt: string | undefined
}

/**
 * Checks a request as the authorization endpoint would, and stores it for the browser that brings its address.
 *
 * @throws OAuthError
 */
export async function pushRequest(
  dependencies: PushDependencies,
  pushing: OAuthClient,
  sent: ReceivedAuthorization,
  { unprovenAddress, jkt }: Pushing,
): Promise<PushedRequest> {
  if (sent.values.requestUri !== undefined) {
    const check = { name: 'request_uri', expected: say('nothing'), received: say('a-value') } as const
    throw invalidRequest('a pushed request must not name a request_uri', check)
  }
  const signed = pushing.automatic ? { client: pushing, received: sent, isSigned: false } : await readSigned(dependencies, pushing, sent)
  const { client } = signed
  const redirectUri = await withoutPage(async () => proveRedirectUriOf(client, signed.received))
  requireForm(client, { isPushed: true, isSigned: signed.isSigned }, dependencies.oauthExtensions)
  const request = await readNewRequest(dependencies, { redirectUri, ...signed })
  if (jkt !== undefined && (request.jkt ?? jkt) !== jkt) {
    const check = { name: 'dpop_jkt', expected: jkt, received: request.jkt } as const
    throw new OAuthError('invalid_dpop_proof', 'dpop_jkt is not the key of the proof', check)
  }
  if (client.organisationStatus === 'suspended') throw organisationSuspended()
  if (unprovenAddress !== undefined && !(await dependencies.quotas.pendingRequests.claim(unprovenAddress))) throw tooMany(client)
  const reference = await storePushedRequest(dependencies.database, client, jkt === undefined ? request : { ...request, jkt })
  if (reference === undefined) throw tooMany(client)
  return { request_uri: `${pushedRequestPrefix}${reference}`, expires_in: pushedSeconds }
}

const tooMany = (client: OAuthClient) =>
  new OAuthError(
    'temporarily_unavailable',
    'too many pushed requests are waiting, try again later',
    { name: 'rate_limit' },
    { retryAfter: String(pushedSeconds), client },
  )
