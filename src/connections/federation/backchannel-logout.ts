import { type Origin, systemActor } from '../../activity/actor.ts'
import { secondsAfter } from '../../platform/clock.ts'
import { hashSecret } from '../../platform/crypto/secrets.ts'
import type { Tenant } from '../../platform/database/database.ts'
import { endAccessByConnection } from '../../sessions/end-access-by-connection.ts'
import { connectionNotFound, logoutTokenRefused } from '../refusals.ts'
import { type Check, UpstreamRefusal } from '../upstream/checks.ts'
import type { UpstreamLogout } from '../upstream/upstream.ts'
import { type ConnectionToUse, claimLogoutToken, findConnectionToUse, findUserOfSubject } from './queries.ts'

import { settingsOf } from './settings.ts'
import type { Federation } from './start.ts'
import { storeChecks } from './store-checks.ts'

/** How long a token may come again: until it is ten minutes old, by clocks that may each be wrong by a minute. */
const comesAgainSeconds = 12 * 60

/**
 * Ends the sessions that an identity provider has ended, with the tokens that applications hold by them
 * (OpenID Connect Back-Channel Logout 1.0 §2.7). A connection that is switched off still ends what it has begun.
 *
 * @throws Problem `not-found`; `bad-request` for a token that is not valid, or came before; `too-many-requests` after many of those
 */
export async function logOutByUpstream(
  dependencies: Federation,
  { connectionId, token, origin }: { connectionId: string; token: string; origin: Origin },
): Promise<void> {
  const { database, limits } = dependencies
  const connection = await findConnectionToUse(database, connectionId)
  if (connection?.type !== 'oidc') throw connectionNotFound()
  // Counted before anything is checked, and released where the token is right.
  const address = origin.ipAddress ?? ''
  await limits.logoutTokensByAddress.count(address)

  const logout = await check(dependencies, connection, token)
  if (logout instanceof UpstreamRefusal) throw await refusalOf(dependencies, connection, logout.checks, origin)
  const isFirst = await database.transaction(connection.organisationId, (tenant) => end(tenant, connectionId, logout, origin))
  if (!isFirst) {
    const repeated = { name: 'jti', expected: 'a token that has not come before', received: logout.jti, passed: false }
    throw await refusalOf(dependencies, connection, [repeated], origin)
  }
  await limits.logoutTokensByAddress.release(address)
}

async function refusalOf(dependencies: Federation, connection: ConnectionToUse, checks: readonly Check[], origin: Origin) {
  const { code, text: detail } = logoutTokenRefused
  return logoutTokenRefused(await storeChecks(dependencies, origin, { connection, checks, refusal: { code, detail } }))
}

async function check(dependencies: Federation, connection: ConnectionToUse, token: string): Promise<UpstreamLogout | UpstreamRefusal> {
  const upstream = await dependencies.openUpstream()
  try {
    return await upstream.logoutFrom(settingsOf(dependencies, connection, [], dependencies.database.clock.now()), token)
  } catch (error) {
    if (error instanceof UpstreamRefusal) return error
    throw error
  }
}

/** @returns false when the token came before: then nothing is done */
async function end(tenant: Tenant, connectionId: string, { jti, subject, sessionId }: UpstreamLogout, origin: Origin): Promise<boolean> {
  const expiresAt = secondsAfter(tenant.now, comesAgainSeconds)
  if (!(await claimLogoutToken(tenant, { connectionId, jtiHash: hashSecret(jti), expiresAt }))) return false
  const userId = subject === undefined ? undefined : await findUserOfSubject(tenant, connectionId, subject)
  // Without a user, what is asked for would be that of everybody.
  if (subject !== undefined && userId === undefined) return true
  const actor = { ...systemActor, ...origin }
  const access = { connectionId, userId, subject, upstreamSession: sessionId }
  await endAccessByConnection(tenant, actor, access, { recordEachSession: true })
  return true
}
