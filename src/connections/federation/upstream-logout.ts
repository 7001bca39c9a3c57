import { secondsAfter } from '../../platform/clock.ts'
import type { Keyring } from '../../platform/crypto/keyring.ts'
import { hashSecret, newSecret } from '../../platform/crypto/secrets.ts'
import type { SignedOutSession } from '../../sessions/sign-out.ts'
import { UpstreamRefusal } from '../upstream/checks.ts'
import { findConnectionToUse } from './queries.ts'
import { settingsOf } from './settings.ts'
import { type Federation, requestLifetimeSeconds } from './start.ts'

/** Where a sign-out continues once the browser is back from the identity provider, and which browser that has to be. */
interface LogoutState {
  location: string
  browserHash: string
  expiresAt: string
}

const contextOf = (connectionId: string) => `upstream logout ${connectionId}`

/** Where an identity provider sends browsers back to that have signed out there. */
const loggedOutUrlOf = (publicUrl: string, connectionId: string): string => `${publicUrl}/federation/${connectionId}/logged-out`

export interface UpstreamLogout {
  /** At the identity provider. */
  url: string
  /** What the browser's cookie has to hold. */
  browser: string
}

/**
 * Where a browser whose session has ended signs out at the identity provider that the session came by.
 *
 * @param location where it is to continue afterwards: the caller has validated it
 * @param browser what the browser's cookie holds, if it has one
 * @returns undefined when it is not to sign out there, or cannot
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
    // The session has ended here: that the provider cannot be reached must not keep the browser.
    if (error instanceof UpstreamRefusal) return undefined
    throw error
  }
}

/**
 * Where a browser continues that has signed out at an identity provider. Other browsers are led nowhere: any organisation
 * registers addresses, and with such a link ours would lead there.
 *
 * @returns undefined for a state that is not ours, has expired, or is another browser's
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
