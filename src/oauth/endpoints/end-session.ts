/** GET and POST /oauth2/logout: OpenID Connect RP-Initiated Logout §2 and §3. */
import { say } from '../../../shared/checks/said.ts'
import type { BrowserSession } from '../../access/caller.ts'
import type { AutomaticClients } from '../../automatic-clients/automatic-client.ts'
import type { Database } from '../../platform/database/database.ts'
import { cutText } from '../../platform/text.ts'
import { type SignedOutSession, signOut } from '../../sessions/sign-out.ts'
import type { SigningKeys } from '../../tokens/signing-keys.ts'
import { withParameters } from '../authorization/authorization-response.ts'
import { AuthorizationPageError, type ConcernedClient, type FailedCheck, OAuthError } from '../protocol/errors.ts'
import { type IdTokenHint, readIdTokenHint } from '../protocol/id-token-hint.ts'
import { refuseMalformed } from '../protocol/parameters.ts'
import { findAutomaticClientOfUser, findNamedClient, type OAuthClient } from '../protocol/queries.ts'
import { explainDifference } from '../protocol/redirect-uri.ts'
import type { ReceivedLogout } from './parameters.ts'

export interface LogoutDependencies {
  database: Database
  signingKeys: SigningKeys
  issuer: string
  automaticClients: AutomaticClients
}

/** The way back to an application, which the user may take or not. */
interface OfferedReturn {
  client: OAuthClient
  location: string
}

export type Logout =
  /** Nothing proves that the requesting application is the one that the user has signed in to: the user decides. */
  | { kind: 'confirm'; client: OAuthClient | undefined }
  /** No user is signed in, and nothing proves which application asks: the page shows where its link leads. */
  | ({ kind: 'offer' } & OfferedReturn)
  /** @property location where to continue once the session, if any, has ended */
  | { kind: 'finish'; location: string }

/** The page after signing out when no application requested it. */
const signedOutPage = '/logged-out'

/**
 * Decides what a logout request needs. The user is asked unless an ID token of this very session names them:
 * an ID token of an earlier session does not end a later one.
 *
 * @throws AuthorizationPageError for an invalid hint, client or URI
 */
export async function prepareLogout(
  dependencies: LogoutDependencies,
  browserSession: BrowserSession | undefined,
  received: ReceivedLogout,
): Promise<Logout> {
  const { hint, client, location } = await readLogoutRequest(dependencies, browserSession, received)
  const session = browserSession?.caller.session
  if (session) {
    const isMeant = hint?.subject === session.userId && hint.sessionId === session.id
    return isMeant ? { kind: 'finish', location } : { kind: 'confirm', client }
  }
  // Any tenant registers URLs: if we redirected there without a question, our links would lead anywhere.
  if (client && !hint && location !== signedOutPage) return { kind: 'offer', client, location }
  return { kind: 'finish', location }
}

/**
 * Ends the browser session.
 *
 * @returns the session, unless it had ended before, and the URL to continue at: the registered URI with `state`, or our page
 *   after signing out; and what a page of ours offers instead: the way back to an application of another organisation, whose link proves nothing
 * @throws AuthorizationPageError as {@link prepareLogout}
 */
export async function finishLogout(
  dependencies: LogoutDependencies,
  browserSession: BrowserSession | undefined,
  received: ReceivedLogout,
): Promise<{ location: string; session: SignedOutSession | undefined; offered: OfferedReturn | undefined }> {
  // Read it again: between the question and its confirmation only the browser held it.
  const { client, location } = await readLogoutRequest(dependencies, browserSession, received)
  const session = browserSession && (await signOut(dependencies.database, browserSession.caller))
  // Also with an ID token, which is of another user then: any tenant has some of its own.
  const isForeign = browserSession !== undefined && client?.organisationId !== browserSession.caller.organisationId
  const offered = client && isForeign && location !== signedOutPage ? { client, location } : undefined
  return { location: offered ? signedOutPage : location, session, offered }
}

async function readLogoutRequest(dependencies: LogoutDependencies, browserSession: BrowserSession | undefined, received: ReceivedLogout) {
  const hint = await readHint(dependencies, received)
  const { clientId = hint?.clientId } = received.values
  if (hint && clientId !== hint.clientId) {
    throw notValid('The client_id is not the one that the id_token_hint was issued to.', {
      name: 'client_id',
      expected: hint.clientId,
      received: clientId,
    })
  }
  const { database, automaticClients } = dependencies
  if (clientId !== undefined && automaticClients.recognises(clientId)) {
    // In which organisation it is meant, only a user of it says.
    const userId = hint?.subject ?? browserSession?.caller.session.userId
    const client = userId === undefined ? undefined : await findAutomaticClientOfUser(database, userId, clientId)
    return { hint, client, location: locationOf(client, received) }
  }
  const client = clientId === undefined ? undefined : await findNamedClient(database, cutText(clientId, 255))
  if (clientId !== undefined && !client) {
    throw notValid('The application is not known.', { name: 'client_id', expected: say('a-registered-client'), received: clientId })
  }
  return { hint, client, location: locationOf(client, received) }
}

async function readHint(dependencies: LogoutDependencies, received: ReceivedLogout): Promise<IdTokenHint | undefined> {
  try {
    refuseMalformed(received)
    return await readIdTokenHint(dependencies, received.values.idTokenHint)
  } catch (error) {
    // The refusal cannot be sent anywhere yet.
    if (error instanceof OAuthError) throw notValid(`The request is not valid: ${error.description}.`, error.check)
    throw error
  }
}

/** The target of the logout. The URI is compared as a string; without a client it cannot be compared with any. */
function locationOf(client: OAuthClient | undefined, { values }: ReceivedLogout): string {
  const { postLogoutRedirectUri: uri, state } = values
  if (uri === undefined) return signedOutPage
  const registered = client?.postLogoutRedirectUris ?? []
  if (registered.includes(uri)) return withParameters(uri, state === undefined ? {} : { state })
  const check: FailedCheck = {
    name: 'post_logout_redirect_uri',
    expected: client ? registered : say('a-client-id-or-hint'),
    received: uri,
    hint: explainDifference(uri, registered),
  }
  throw notValid('The post_logout_redirect_uri is not one that the application has registered.', check, client)
}

const notValid = (detail: string, check: FailedCheck, client?: ConcernedClient) =>
  new AuthorizationPageError('invalid-logout-request', detail, check, client)
