import { say } from '../../../shared/checks/said.ts'
import type { Actor } from '../../activity/actor.ts'
import { record } from '../../activity/record.ts'
import { findVouchedResources } from '../../automatic-clients/vouched-resources.ts'
import { isOffered } from '../../clients/extensions.ts'
import { clientNotFound } from '../../clients/refusals.ts'
import { findClientOfAssertion } from '../../oauth/authorization/asserting-clients.ts'
import type { AcceptanceDependencies } from '../../oauth/authorization/automatic-target.ts'
import { findUsableGrant } from '../../oauth/endpoints/token.ts'
import { requireProofFor } from '../../oauth/grants/bound-tokens.ts'
import type { Requester } from '../../oauth/grants/grant.ts'
import { grants } from '../../oauth/grants/grants.ts'
import { decideResources, decideScope, jwtBearerGrantType, requireConfidential } from '../../oauth/grants/jwt-bearer.ts'
import { stateOf } from '../../oauth/protocol/client-authentication.ts'
import { invalidClient, invalidTarget } from '../../oauth/protocol/errors.ts'
import { findNamedClient, type OAuthClient } from '../../oauth/protocol/queries.ts'
import { identifiersOf } from '../../oauth/protocol/resources.ts'
import { readJwt } from '../../oauth/protocol/signed-by-client.ts'
import { presentOrganisation } from '../../organisations/present-organisation.ts'
import { getOwnOrganisation } from '../../organisations/queries.ts'
import { newId } from '../../platform/ids.ts'
import { findSubject } from '../../tokens/subject.ts'
import { type AcceptingAssertions, actForUser, requireFirstUse } from './act-for-user.ts'
import { checkClaims, decodeAssertion } from './check-claims.ts'
import { clientNamedBy } from './client-named-by.ts'
import { type AskedAssertionCheck, type AssertionCheck, inspectedChecks } from './inspection-schemas.ts'
import { Notes } from './notes.ts'
import type { AcceptingConnection } from './queries.ts'
import { connectionOf, identityOf } from './read-assertion.ts'

export type InspectingAssertions = AcceptingAssertions & AcceptanceDependencies

/** Who asks, and of which organisation the assertion is. */
interface Asking {
  organisationId: string
  actor: Actor
}

/** What was found, as far as it can be said. */
interface Found {
  client: OAuthClient | undefined
  connection: AcceptingConnection | undefined
  userId: string | undefined
  resources: string[]
  scope: readonly string[]
}

/**
 * Judges an assertion that an application of the organisation would present now, by the rules of the grant: every check, also behind one
 * that is not met. That the client authenticates, and proves its key, is assumed. It issues nothing, uses nothing up, and leaves an entry.
 *
 * @throws Problem `not-found` for an application that the organisation does not have
 */
export async function inspectAssertion(
  inspecting: InspectingAssertions,
  asking: Asking,
  asked: AskedAssertionCheck,
): Promise<AssertionCheck> {
  const { database } = inspecting
  const { organisationId, actor } = asking
  const notes = new Notes()
  const { client, connection, userId, resources, scope } = await judgeAll(inspecting, asking, asked, notes)
  const isKnown = userId !== undefined && (await findSubject(database, organisationId, userId)) !== undefined
  const { unmet } = notes
  const shown = [...inspectedChecks, ...unmet.filter((name) => !(inspectedChecks as readonly string[]).includes(name))]
  const check = {
    allowed: unmet.length === 0 && userId !== undefined,
    clientId: client?.clientId ?? null,
    connectionId: connection?.id ?? null,
    userId: isKnown ? userId : null,
    createsUser: userId !== undefined && !isKnown,
    resources,
    scope: [...scope],
    checks: shown.map((name) => notes.present(name, asked.assertion)),
  }
  const { allowed, clientId, connectionId } = check
  await database.transaction(organisationId, async (tenant) =>
    record(tenant, actor, {
      action: 'oauth2.identity_assertion.checked',
      organisation: presentOrganisation(await getOwnOrganisation(tenant)),
      metadata: { allowed, clientId, connectionId },
    }),
  )
  return check
}

async function judgeAll(
  inspecting: InspectingAssertions,
  { organisationId, actor: origin }: Asking,
  { assertion, clientId: sentClientId, resource, scope: sentScope }: AskedAssertionCheck,
  notes: Notes,
): Promise<Found> {
  const { database, issuer: ownIssuer, oauthExtensions } = inspecting
  const now = database.clock.now()
  const named = sentClientId ?? clientNamedBy(assertion)
  const client = await notes.part(() =>
    clientOf(inspecting, organisationId, { named, isSent: sentClientId !== undefined, assertion }, notes),
  )
  if (client) {
    const offered = grants.filter((grant) => isOffered(grant, oauthExtensions))
    await notes.part(() => findUsableGrant(offered, client, jwtBearerGrantType, notes))
    requireConfidential(client, undefined, notes)
  }

  const decoded = await notes.part(() => decodeAssertion(assertion, ownIssuer, notes))
  const connection = decoded && (await notes.part(() => connectionOf(inspecting, organisationId, decoded.issuer, decoded.claims, notes)))
  if (!decoded || !connection) return { client, connection, userId: undefined, resources: [], scope: [] }
  const { claims } = decoded
  const { maxLifetimeSeconds, resourceServerIds } = connection.identityAssertions
  const read = checkClaims(claims, { ownIssuer, clientId: client?.clientId ?? named ?? '', maxLifetimeSeconds, now }, notes)
  const hasId = !notes.isUnmet('assertion_id')
  const identity = await notes.part(() => identityOf(inspecting, connection, assertion, claims, notes))
  const isFirstUse = () => database.rehearse(organisationId, (tenant) => requireFirstUse(tenant, connection, read, notes))
  if (!client) {
    if (hasId) await isFirstUse()
    return { client, connection, userId: undefined, resources: [], scope: [] }
  }

  requireConfidential(client, connection.identityAssertions, notes)
  const requester = asRequester(client, origin)
  const resources = notes.isUnmet('resource')
    ? undefined
    : await notes.part(() => decideResources(inspecting, requester, { ...read, resourceServerIds }, resource, notes))
  if (resources) await notes.part(() => requireProofFor(resources, proving(requester, inspecting), oauthExtensions))
  const scope =
    resources && !notes.isUnmet('scope') ? await notes.part(() => decideScope(read, resources, client.scopes, sentScope, notes)) : undefined

  const servers = resources?.asked ?? []
  const granted = { familyId: newId('fam', now), scope: scope ?? [], resourceServerIds: servers.map(({ id }) => id), keptUntil: now }
  const user =
    identity && hasId
      ? await notes.part(() => actForUser(inspecting, requester, { connection, identity, assertion: read }, granted, notes))
      : undefined
  if (hasId && !user) await isFirstUse()
  return { client, connection, userId: user?.userId, resources: servers.map(({ identifier }) => identifier), scope: scope ?? [] }
}

interface NamedClient {
  named: string | undefined
  /** Whether the caller has named it, or the assertion. */
  isSent: boolean
  assertion: string
}

/**
 * The client in the organisation: of another one it is as unknown as one that does not exist.
 *
 * @throws OAuthError; Problem `not-found` for one that the caller has named
 */
async function clientOf(
  inspecting: InspectingAssertions,
  organisationId: string,
  { named, isSent, assertion }: NamedClient,
  notes: Notes,
): Promise<OAuthClient | undefined> {
  const { database, automaticClients } = inspecting
  const isAutomatic = named !== undefined && automaticClients.recognises(named)
  const found = isAutomatic
    ? await automaticClientOf(inspecting, organisationId, named, assertion)
    : named !== undefined && (await findNamedClient(database, named))
  const client = found && found.organisationId === organisationId ? found : undefined
  if (!client && isSent) throw clientNotFound()
  const received = named ?? say('none')
  notes.need(client !== undefined, invalidClient, 'the client is unknown', {
    name: 'client_id',
    expected: say('a-registered-client'),
    received,
  })
  if (client) notes.expect(client.isActive, invalidClient, 'the client has been revoked', stateOf(client))
  return client
}

/** An automatic client: the organisation of the resource decides about it, and of another one nothing is said. */
async function automaticClientOf(
  inspecting: InspectingAssertions,
  organisationId: string,
  clientId: string,
  assertion: string,
): Promise<OAuthClient> {
  const { database, environment } = inspecting
  const resources = [readJwt(assertion)?.claims.resource].flat().filter((one) => typeof one === 'string')
  const vouched = await findVouchedResources(database, { identifiers: identifiersOf(resources) }, environment)
  if (vouched?.organisationId === organisationId) return findClientOfAssertion(inspecting, clientId, assertion)
  throw invalidTarget('no resource of the organisation may be used by applications that are not registered', {
    name: 'resource',
    expected: say('a-resource-that-automatic-clients-may-use'),
    received: resources,
  })
}

/** The client as it would present the assertion. */
const asRequester = (client: OAuthClient, { ipAddress, userAgent, requestId }: Actor): Requester => ({
  client,
  origin: { ipAddress, userAgent, requestId },
  jkt: undefined,
  certificate: undefined,
  noteSignIn: () => {},
  noteLeftOut: () => {},
})

/** With the proof of a key, wherever the service takes one. */
const proving = (requester: Requester, { oauthExtensions }: InspectingAssertions): Requester => ({
  ...requester,
  jkt: oauthExtensions.has('dpop') ? 'assumed' : undefined,
})
