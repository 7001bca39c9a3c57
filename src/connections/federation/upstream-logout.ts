import { secondsAfter } from '../../platform/clock.ts'
import type { Keyring } from '../../platform/crypto/keyring.ts'
import { hashSecret, newSecret } from '../../platform/crypto/secrets.ts'
import { Problem } from '../../platform/http/problem.ts'
import type { SignedOutSession } from '../../sessions/sign-out.ts'
import { logoutRequest, type SessionAtProvider } from '../saml/messages.ts'
import { logoutEndpointOf, ownEntityIdOf, requestIdOf } from '../saml-settings.ts'
import { UpstreamRefusal } from '../upstream/checks.ts'
import { type ConnectionToUse, findConnectionToUse } from './queries.ts'
import { tooManyMessages } from './refusals.ts'
import { type Departure, samlDepartureOf } from './saml-departure.ts'
import { settingsOf } from './settings.ts'
import { type Federation, requestLifetimeSeconds } from './start.ts'

/** The target of a sign-out once the browser is back from the identity provider, and the browser that may continue there. */
interface LogoutState {
  location: string
  browserHash: string
  expiresAt: string
}

/** @param relayState by SAML: what the provider has to bring back, as the state comes from a cookie */
const contextOf = (connectionId: string, relayState = '') => `upstream logout ${connectionId} ${relayState}`.trim()

/** The URL to which an identity provider returns browsers after a sign-out. */
const loggedOutUrlOf = (publicUrl: string, connectionId: string): string => `${publicUrl}/federation/${connectionId}/logged-out`

export interface UpstreamLogout extends Departure {
  /** The value for the browser's cookie. */
  browser: string
  /** By SAML: the state for another cookie, which is too long for a RelayState (Bindings §3.4.3: 80 bytes). */
  sealed?: { connectionId: string; state: string }
}

/**
 * The sign-out at the identity provider through which a browser's session, now ended, had begun.
 *
 * @param location where it is to continue afterwards: the caller has validated it
 * @param browser the value of the browser's cookie, if it has one
 * @returns undefined when the browser should not sign out there, or cannot
 */
export async function upstreamLogoutOf(
  federation: Federation,
  { id: sessionId, connectionId, idTokenEncrypted }: SignedOutSession,
  location: string,
  browser = newSecret(),
): Promise<UpstreamLogout | undefined> {
  const { database, keyring, publicUrl } = federation
  const connection = connectionId === null ? undefined : await findConnectionToUse(database, connectionId)
  if (!connection?.upstreamLogout || !connection.isActive) return undefined
  const now = database.clock.now()
  const expiresAt = secondsAfter(now, requestLifetimeSeconds).toISOString()
  const state: LogoutState = { location, browserHash: hashSecret(browser), expiresAt }
  const hint = idTokenEncrypted === null ? undefined : keyring.decrypt(idTokenEncrypted, sessionId)
  try {
    if (connection.provider === 'saml') {
      const relayState = newSecret()
      const departure = hint === undefined ? undefined : await samlLogoutOf(federation, connection, { hint, relayState, now })
      const sealed = { connectionId: connection.id, state: keyring.encrypt(JSON.stringify(state), contextOf(connection.id, relayState)) }
      return departure && { ...departure, browser, sealed }
    }
    const upstream = await federation.openUpstream()
    const url = await upstream.endSessionUrlOf(settingsOf(federation, connection, [], now), {
      idTokenHint: hint,
      postLogoutRedirectUri: loggedOutUrlOf(publicUrl, connection.id),
      state: keyring.encrypt(JSON.stringify(state), contextOf(connection.id)),
    })
    return url && { location: url, browser }
  } catch (error) {
    // The session has ended here: an unreachable provider must not hold the browser up.
    const isOfProvider = error instanceof UpstreamRefusal || (error instanceof Problem && error.code === tooManyMessages.code)
    if (isOfProvider) return undefined
    throw error
  }
}

/** @param hint how the provider has named the session */
async function samlLogoutOf(
  federation: Federation,
  connection: ConnectionToUse,
  { hint, relayState, now }: { hint: string; relayState: string; now: Date },
): Promise<Departure | undefined> {
  const endpoint = logoutEndpointOf(connection)
  if (!endpoint) return undefined
  const xml = logoutRequest({
    ...(JSON.parse(hint) as SessionAtProvider),
    id: requestIdOf(newSecret()),
    issuedAt: now,
    destination: endpoint.location,
    issuer: ownEntityIdOf(federation.publicUrl, connection.id),
  })
  return samlDepartureOf(federation, { connection, now }, endpoint, { kind: 'SAMLRequest', xml, relayState })
}

/**
 * The URL at which a browser continues after a sign-out at an identity provider. Other browsers are not redirected: any organisation
 * can register URLs, and such a link of ours would lead to them.
 *
 * @returns undefined for a state that is not ours, has expired, or belongs to another browser
 */
export function readLogoutState(
  { keyring }: { keyring: Keyring },
  {
    connectionId,
    state,
    relayState,
    browser,
    now,
  }: { connectionId: string; state: string | undefined; relayState?: string | undefined; browser: string | undefined; now: Date },
): string | undefined {
  if (state === undefined || browser === undefined) return undefined
  let stored: LogoutState
  try {
    stored = JSON.parse(keyring.decrypt(state, contextOf(connectionId, relayState)))
  } catch {
    return undefined
  }
  return stored.browserHash === hashSecret(browser) && new Date(stored.expiresAt) > now ? stored.location : undefined
}
