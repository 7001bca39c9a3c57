/** How a whole authorization request is read whose client and redirect URI are proven, wherever it has been sent. */
import { say } from '../../../shared/checks/said.ts'
import type { OAuthExtension, OAuthExtensions } from '../../clients/extensions.ts'
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
  isSigned: boolean
}

/** @throws OAuthError */
export async function readNewRequest(
  { database, signingKeys, issuer, pkcePlain, oauthExtensions }: ReadingDependencies,
  { client, redirectUri, received, isSigned }: NewRequest,
): Promise<CompleteRequest> {
  const { idTokenHint, redirectUri: redirectUriAsSent, state } = received.values
  const request = await readAuthorizationRequest(received, client, pkcePlain, () =>
    findAskedResources(database, client, received.values.resource, oauthExtensions),
  )
  const hint = await readIdTokenHint({ signingKeys, issuer }, idTokenHint)
  return {
    ...request,
    expectedSubject: oneSubject(request.expectedSubject, hint?.subject),
    redirectUri,
    redirectUriSent: redirectUriAsSent !== undefined,
    state,
    ...(isSigned && { isSigned }),
  }
}

/**
 * The user whom `claims` and `id_token_hint` name.
 *
 * @throws OAuthError `invalid_request` when they name two
 */
function oneSubject(ofClaims: string | undefined, ofHint: string | undefined): string | undefined {
  if (ofClaims === undefined || ofHint === undefined || ofClaims === ofHint) return ofClaims ?? ofHint
  throw invalidRequest('claims and id_token_hint name different users', { name: 'claims_parameter', expected: ofHint, received: ofClaims })
}

/**
 * Refuses a request that does not come in the form that its client is registered for: pushed (RFC 9126 §6), or signed (RFC 9101 §10.5).
 *
 * @param isPushed whether it was pushed, or is being pushed
 * @throws OAuthError `invalid_request`
 */
export function requireForm(client: OAuthClient, form: { isPushed: boolean; isSigned: boolean }, extensions: OAuthExtensions): void {
  const offHint = (extension: OAuthExtension) => (extensions.has(extension) ? undefined : say('extension-is-off', extension))
  if (client.requirePushedAuthorizationRequests && !form.isPushed) {
    const check = { name: 'request_uri', expected: say('a-pushed-request'), received: say('none'), hint: offHint('par') } as const
    throw invalidRequest('the client has to push its authorization requests', check)
  }
  if (client.requireSignedRequestObject && !form.isSigned) {
    const check = { name: 'request', expected: say('a-signed-jwt'), received: say('none'), hint: offHint('jar') } as const
    throw invalidRequest('the client has to sign its authorization requests', check)
  }
}
