import { say } from '../../../shared/checks/said.ts'
import { type Origin, systemActor } from '../../activity/actor.ts'
import { secondsAfter } from '../../platform/clock.ts'
import { hashSecret } from '../../platform/crypto/secrets.ts'
import type { Tenant } from '../../platform/database/database.ts'
import { networkOf } from '../../platform/http/addresses.ts'
import { endAccessByConnection } from '../../sessions/end-access-by-connection.ts'
import { connectionNotFound, logoutTokenRefused } from '../refusals.ts'
import { type Check, checkOf, UpstreamRefusal } from '../upstream/checks.ts'
import type { UpstreamLogout } from '../upstream/upstream.ts'
import { type ConnectionToUse, claimLogoutToken, findConnectionToUse, findUsersOfSubject } from './queries.ts'

import { settingsOf } from './settings.ts'
import type { Federation } from './start.ts'
import { storeChecks } from './store-checks.ts'

/** How long a token could be replayed: until it is ten minutes old, by clocks that may each be wrong by a minute. */
const comesAgainSeconds = 12 * 60

/**
 * Ends the sessions that an identity provider has ended, with the tokens that applications obtained through them
 * (OpenID Connect Back-Channel Logout 1.0 §2.7). A connection that is switched off still ends the sessions that it has begun.
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
  // Count each connection separately: the providers of several tenants may share an address.
  const key = `${connectionId} ${networkOf(origin.ipAddress ?? '')}`
  await limits.logoutTokensByConnection.runQueued(key, async () => {
    const failed = await tryLogOut(dependencies, connection, token, origin)
    if (!failed) return
    // Count only failures, and only once they are known: a provider signs many users out at once, and does not retry.
    await limits.logoutTokensByConnection.count(key)
    throw await refusalOf(dependencies, connection, failed, origin)
  })
}

/** @returns the checks of a token that is not valid, or was presented before */
async function tryLogOut(
  dependencies: Federation,
  connection: ConnectionToUse,
  token: string,
  origin: Origin,
): Promise<readonly Check[] | undefined> {
  const logout = await check(dependencies, connection, token)
  if (logout instanceof UpstreamRefusal) return logout.checks
  const { organisationId, id } = connection
  const isFirst = await dependencies.database.transaction(organisationId, (tenant) => end(tenant, id, logout, origin))
  return isFirst ? undefined : [checkOf('jti', say('a-token-that-is-new'), logout.jti, false)]
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

/** @returns false when the token was presented before: then nothing is done */
async function end(tenant: Tenant, connectionId: string, { jti, subject, sessionId }: UpstreamLogout, origin: Origin): Promise<boolean> {
  const expiresAt = secondsAfter(tenant.now, comesAgainSeconds)
  if (!(await claimLogoutToken(tenant, { connectionId, jtiHash: hashSecret(jti), expiresAt }))) return false
  const actor = { ...systemActor, ...origin }
  // Without a subject, its session is that of one user; with one, the condition without a user would match the tokens of all.
  const users = subject === undefined ? [undefined] : await findUsersOfSubject(tenant, connectionId, subject)
  for (const userId of users) {
    const access = { connectionId, userId, subject, upstreamSession: sessionId }
    await endAccessByConnection(tenant, actor, access, { recordEachSession: true })
  }
  return true
}
