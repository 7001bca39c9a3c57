/** How a whole authorization request is read whose client and redirect URI are proven, wherever it has been sent. */
import { say } from '../../../shared/checks/said.ts'
import type { OAuthExtensions } from '../../clients/extensions.ts'
import type { Database } from '../../platform/database/database.ts'
import type { SigningKeys } from '../../tokens/signing-keys.ts'
import { invalidRequest } from '../protocol/errors.ts'
import { readIdTokenHint } from '../protocol/id-token-hint.ts'
import type { OAuthClient } from '../protocol/queries.ts'
import type { ProvenRedirectUri } from '../protocol/redirect-uri.ts'
import { findAskedResources } from '../protocol/resources.ts'
import { readAuthorizationRequest } from './authorization-request.ts'
import type { ReceivedAuthorization } from './parameters.ts'
import type { StoredRequest } from './stored-requests.ts'

export interface ReadingDependencies {
  database: Database
  signingKeys: SigningKeys
  /** The origin of `PUBLIC_URL`. */
  issuer: string
  pkcePlain: 'allow' | 'deny'
  oauthExtensions: OAuthExtensions
}

export type CompleteRequest = StoredRequest & { redirectUri: ProvenRedirectUri }

interface NewRequest {
  client: OAuthClient
  redirectUri: ProvenRedirectUri
  received: ReceivedAuthorization
}

/** @throws OAuthError */
export async function readNewRequest(
  { database, signingKeys, issuer, pkcePlain, oauthExtensions }: ReadingDependencies,
  { client, redirectUri, received }: NewRequest,
): Promise<CompleteRequest> {
  const { idTokenHint, redirectUri: redirectUriAsSent, state } = received.values
  const request = await readAuthorizationRequest(received, client, pkcePlain, () =>
    findAskedResources(database, client, received.values.resource, oauthExtensions),
  )
  const hint = await readIdTokenHint({ signingKeys, issuer }, idTokenHint)
  return { ...request, expectedSubject: hint?.subject, redirectUri, redirectUriSent: redirectUriAsSent !== undefined, state }
}

/**
 * Refuses the request of a client that has to push it (RFC 9126 §6), unless it was pushed.
 *
 * @param pushedAs the hash of the pushed request that it is; undefined when it was not pushed
 * @throws OAuthError `invalid_request`
 */
export function requirePushed(
  { requirePushedAuthorizationRequests: isRequired }: Pick<OAuthClient, 'requirePushedAuthorizationRequests'>,
  pushedAs: string | undefined,
  extensions: OAuthExtensions,
): void {
  if (!isRequired || pushedAs !== undefined) return
  throw invalidRequest('the client has to push its authorization requests', {
    name: 'request_uri',
    expected: say('a-pushed-request'),
    received: say('none'),
    hint: extensions.has('par') ? undefined : say('extension-is-off', 'par'),
  })
}
