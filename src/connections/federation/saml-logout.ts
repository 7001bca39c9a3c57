import { say } from '../../../shared/checks/said.ts'
import { type Origin, systemActor } from '../../activity/actor.ts'
import { hashSecret, newSecret } from '../../platform/crypto/secrets.ts'
import type { Tenant } from '../../platform/database/database.ts'
import { networkOf } from '../../platform/http/addresses.ts'
import { Problem } from '../../platform/http/problem.ts'
import { endAccessByConnection } from '../../sessions/end-access-by-connection.ts'
import type { LogoutMessageReceived, SamlLogout } from '../saml/check-logout.ts'
import { logoutResponse } from '../saml/messages.ts'
import { logoutEndpointOf, ownEntityIdOf, requestIdOf, samlSettingsOf, sloUrlOf } from '../saml-settings.ts'
import { type Check, checkOf, UpstreamRefusal } from '../upstream/checks.ts'
import { type ConnectionToUse, claimSamlMessage, findConnectionToUse, listUpstreamSessions } from './queries.ts'
import { connectionNotFound, logoutRequestRefused, tooManyMessages } from './refusals.ts'
import { type Departure, samlDepartureOf } from './saml-departure.ts'
import { renewedAfter } from './saml-response.ts'
import { samlSessionOf, samlSessionsOf } from './saml-session.ts'
import type { Federation } from './start.ts'
import { storeChecks } from './store-checks.ts'

/** A message that a browser has brought from an identity provider. */
export interface BroughtLogout {
  connectionId: string
  received: LogoutMessageReceived
  relayState: string | undefined
  origin: Origin
}

export type LogoutBySaml =
  /** With the response for the provider, if it takes one. */
  | { kind: 'ended'; response: Departure | undefined }
  | { kind: 'refused'; refusal: Problem; reference: string | undefined; organisationId: string }

/**
 * A connection whose provider signs users out here.
 *
 * @throws Problem `not-found`
 */
export async function getSingleLogout({ database }: Pick<Federation, 'database'>, connectionId: string): Promise<ConnectionToUse> {
  const connection = await findConnectionToUse(database, connectionId)
  // One that is switched off still ends the sessions that it has begun.
  if (connection?.provider !== 'saml' || !connection.upstreamLogout) throw connectionNotFound()
  return connection
}

/**
 * Ends the sessions that an identity provider asks to end, with the tokens that applications obtained through them, and
 * says so to it (Profiles §4.4). Only a request that the provider has signed ends anything.
 *
 * @throws Problem `not-found`; `too-many-requests` after many that were refused; `too-many-messages`
 */
export async function logOutBySaml(
  federation: Federation,
  { connectionId, received, relayState, origin }: BroughtLogout,
): Promise<LogoutBySaml> {
  const { database, limits } = federation
  const connection = await getSingleLogout(federation, connectionId)
  const { organisationId } = connection
  const key = `${connectionId} ${networkOf(origin.ipAddress ?? '')}`
  const checkAndEnd = async () => {
    const checked = await check(federation, connection, received)
    if (checked instanceof UpstreamRefusal) return { checked, isFirst: false }
    return { checked, isFirst: await database.transaction(organisationId, (tenant) => end(tenant, connectionId, checked, origin)) }
  }
  return limits.logoutTokensByConnection.runQueued(key, async () => {
    // Counted before, and released where it succeeds: a stranger may send any number, and reading one takes the time of sign-ins.
    await limits.logoutTokensByConnection.count(key)
    const { checked, isFirst } = await checkAndEnd().catch(async (error: unknown) => {
      // The request was not refused: we could not read it, or end the sessions.
      await limits.logoutTokensByConnection.release(key)
      throw error
    })
    if (isFirst && !(checked instanceof UpstreamRefusal)) {
      await limits.logoutTokensByConnection.release(key)
      return { kind: 'ended', response: await responseTo(federation, connection, checked.id, relayState) }
    }
    const checks: readonly Check[] =
      checked instanceof UpstreamRefusal
        ? checked.checks
        : [...checked.checks, checkOf('message_id', say('a-request-that-is-new'), checked.id, false)]
    const refusal = logoutRequestRefused()
    return { kind: 'refused', refusal, reference: await storeChecks(federation, origin, { connection, checks, refusal }), organisationId }
  })
}

async function check(
  federation: Federation,
  connection: ConnectionToUse,
  received: LogoutMessageReceived,
): Promise<SamlLogout | UpstreamRefusal> {
  const { database, publicUrl } = federation
  const now = database.clock.now()
  const saml = await federation.openSaml()
  const checkBy = async (trusted: ConnectionToUse) => {
    const { entityId: issuer, certificates } = samlSettingsOf(trusted, now)
    return saml.run(connection.organisationId, 'checkLogoutRequest', received, {
      issuer,
      certificates,
      destination: sloUrlOf(publicUrl, connection.id),
      now,
    })
  }
  try {
    return await checkBy(connection).catch(async (error: unknown) => {
      const renewed = await renewedAfter(federation, connection, error)
      if (!renewed) throw error
      return checkBy(renewed)
    })
  } catch (error) {
    if (error instanceof UpstreamRefusal) return error
    throw error
  }
}

/** @returns false when the request came before: then nothing is done */
async function end(
  tenant: Tenant,
  connectionId: string,
  { id, expiresAt, nameId, sessionIndexes }: SamlLogout,
  origin: Origin,
): Promise<boolean> {
  if (!(await claimSamlMessage(tenant, { connectionId, assertionHash: hashSecret(`LogoutRequest ${id}`), expiresAt }))) return false
  const actor = { ...systemActor, ...origin }
  const named =
    sessionIndexes.length === 0
      ? await listUpstreamSessions(tenant, connectionId, samlSessionsOf(nameId))
      : // Also those that the provider has never given a SessionIndex.
        [undefined, ...sessionIndexes].map((index) => samlSessionOf(nameId, index))
  for (const upstreamSession of new Set(named))
    await endAccessByConnection(tenant, actor, { connectionId, upstreamSession }, { recordEachSession: true })
  return true
}

async function responseTo(
  federation: Federation,
  connection: ConnectionToUse,
  inResponseTo: string,
  relayState: string | undefined,
): Promise<Departure | undefined> {
  const now = federation.database.clock.now()
  const endpoint = logoutEndpointOf(connection)
  // One that was imported without its secrets has no key to sign by.
  if (!endpoint || connection.secretEncrypted === null) return undefined
  const { responseLocation: location, binding } = endpoint
  const issuer = ownEntityIdOf(federation.publicUrl, connection.id)
  const xml = logoutResponse({ id: requestIdOf(newSecret()), issuedAt: now, destination: location, issuer, inResponseTo })
  const message = { kind: 'SAMLResponse', xml, relayState } as const
  return samlDepartureOf(federation, { connection, now }, { location, binding }, message).catch((error: unknown) => {
    // The sessions have ended, whether or not the provider hears of it.
    if (error instanceof Problem && error.code === tooManyMessages.code) return undefined
    throw error
  })
}
