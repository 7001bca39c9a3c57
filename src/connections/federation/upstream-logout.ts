import { secondsAfter } from '../../platform/clock.ts'
import type { Keyring } from '../../platform/crypto/keyring.ts'
import { hashSecret, newSecret } from '../../platform/crypto/secrets.ts'
import type { SignedOutSession } from '../../sessions/sign-out.ts'
import { UpstreamRefusal } from '../upstream/checks.ts'
import { findConnectionToUse } from './queries.ts'
import { settingsOf } from './settings.ts'
import { type Federation, requestLifetimeSeconds } from './start.ts'

/** The target of a sign-out once the browser is back from the identity provider, and the browser that may continue there. */
interface LogoutState {
  location: string
  browserHash: string
  expiresAt: string
}

const contextOf = (connectionId: string) => `upstream logout ${connectionId}`

/** The URL to which an identity provider returns browsers after a sign-out. */
const loggedOutUrlOf = (publicUrl: string, connectionId: string): string => `${publicUrl}/federation/${connectionId}/logged-out`

export interface UpstreamLogout {
  /** A URL at the identity provider. */
  url: string
  /** The value for the browser's cookie. */
  browser: string
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
  if (!connection?.upstreamLogout || !connection.isActive || connection.type === 'saml') return undefined
  const now = database.clock.now()
  const expiresAt = secondsAfter(now, requestLifetimeSeconds).toISOString()
  const state: LogoutState = { location, browserHash: hashSecret(browser), expiresAt }
  const upstream = await federation.openUpstream()
  try {
    const url = await upstream.endSessionUrlOf(settingsOf(federation, connection, [], now), {
      idTokenHint: idTokenEncrypted === null ? undefined : keyring.decrypt(idTokenEncrypted, sessionId),
      postLogoutRedirectUri: loggedOutUrlOf(publicUrl, connection.id),
      state: keyring.encrypt(JSON.stringify(state), contextOf(connection.id)),
    })
    return url && { url: url.href, browser }
  } catch (error) {
    // The session has ended here: an unreachable provider must not hold the browser up.
    if (error instanceof UpstreamRefusal) return undefined
    throw error
  }
}

/**
 * The URL at which a browser continues after a sign-out at an identity provider. Other browsers are not redirected: any organisation
 * can register URLs, and such a link of ours would lead to them.
 *
 * @returns undefined for a state that is not ours, has expired, or belongs to another browser
 */
export function readLogoutState(
  { keyring }: { keyring: Keyring },
  { connectionId, state, browser, now }: { connectionId: string; state: string | undefined; browser: string | undefined; now: Date },
): string | undefined {
  if (state === undefined || browser === undefined) return undefined
  let stored: LogoutState
  try {
    stored = JSON.parse(keyring.decrypt(state, contextOf(connectionId)))
  } catch {
    return undefined
  }
  return stored.browserHash === hashSecret(browser) && new Date(stored.expiresAt) > now ? stored.location : undefined
}
