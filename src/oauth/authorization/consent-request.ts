import { say } from '../../../shared/checks/said.ts'
import type { UserCaller } from '../../access/caller.ts'
import { holdCaller } from '../../access/hold-caller.ts'
import { allowAutomaticClient } from '../../automatic-clients/allow-client.ts'
import type { AutomaticClient, AutomaticClients } from '../../automatic-clients/automatic-client.ts'
import type { Database, Tenant } from '../../platform/database/database.ts'
import { requestOver } from '../protocol/common-errors.ts'
import { type GrantedResource, ownScopes } from '../protocol/resources.ts'
import { presentReach, type ReachOnPage, refreshSecondsOf } from './automatic-on-page.ts'
import { findAskingClient } from './automatic-target.ts'
import { allNames } from './claims-parameter.ts'
import { type ConsentDecision, endOfConsent } from './consent-lifetimes.ts'
import { grantConsent, isOfOtherVersion } from './consents.ts'
import { decideRequest, findPendingRequest, type PendingRequest, type StoredRequest } from './stored-requests.ts'

export interface ConsentRequest {
  client: { id: string; name: string; description: string | null; logoUrl: string | null }
  /** The host that vouches for a client that has introduced itself, null if none does; undefined for any other client. */
  automatic: { host: string | null } | undefined
  /** Where the response goes, if no administrator has registered the client; undefined for any other. */
  reach: ReachOnPage | undefined
  /** How long it can refresh its tokens, in seconds, if no administrator has registered it; undefined if it cannot. */
  refreshSeconds: number | undefined
  /** The scopes that are of no resource server. */
  scopes: string[]
  /** The claims that it asks for by their names, besides those of the scopes. */
  claims: string[]
  /** The resource servers that it is for, with what is asked for at each. */
  resources: { name: string; identifier: string; scopes: { name: string; description: string | null }[] }[]
  organisation: { name: string; branding: Record<string, unknown> | null }
  user: { email: string; name: string }
  uiLocales: string | undefined
}

export interface ConsentDependencies {
  database: Database
  automaticClients: AutomaticClients
}

/**
 * The consent that the caller is asked for.
 *
 * @param reference the `request` of the consent page's URL
 * @throws AuthorizationPageError when it is not pending for this caller
 */
export async function getConsentRequest(
  { database, automaticClients }: ConsentDependencies,
  caller: UserCaller,
  reference: string,
): Promise<ConsentRequest> {
  const { clientId, parameters } = await getPendingRequest(database, caller, reference)
  const { resources = [] } = parameters
  const asking = await findSameVersion(automaticClients, parameters)
  const found = await database
    .tenant(caller.organisationId)
    .selectFrom('users')
    .innerJoin('organisations', 'organisations.id', 'users.organisationId')
    .leftJoin('clients', (join) =>
      join
        .onRef('clients.organisationId', '=', 'users.organisationId')
        .on(asking ? 'clients.automaticClientId' : 'clients.id', '=', asking?.clientId ?? clientId)
        .on('clients.deletedAt', 'is', null),
    )
    .select([
      'clients.name',
      'clients.description',
      'clients.logoUrl',
      'clients.isActive',
      'clients.refreshTokenAbsoluteLifetime',
      'clients.registeredMetadata',
      'clients.consentVersion',
      'clients.origin',
      'clients.grantTypes',
      'clients.redirectUris',
      'organisations.tokenLifetimePolicy',
      'organisations.name as organisationName',
      'organisations.branding',
      'users.email',
      'users.name as userName',
    ])
    .where('users.id', '=', caller.session.userId)
    .executeTakeFirst()
  // An automatic client has no row before it is allowed.
  if (!found || (found.isActive === null ? !asking : !found.isActive)) throw requestIsOver()
  if (!asking && isOfOtherVersion(parameters, found)) throw requestIsOver()
  const { organisationName, branding, email, userName } = found
  const { name, description, logoUrl } = asking ? { ...asking, description: null } : found
  return {
    client: { id: clientId, name: name ?? '', description, logoUrl },
    automatic: asking && { host: asking.host },
    reach: presentReach(asking ?? found, parameters.redirectUri),
    // What it has said since it asked is for the next request.
    refreshSeconds: parameters.refreshes === false ? undefined : refreshSecondsOf(asking ?? found, found),
    scopes: ownScopes(parameters.scope, resources),
    claims: allNames(parameters.claims),
    resources: await describeResources(database.tenant(caller.organisationId), resources),
    organisation: { name: organisationName, branding },
    user: { email, name: userName },
    uiLocales: parameters.uiLocales,
  }
}

/** What the page says of the resource servers; one that has been deleted meanwhile is left out. */
export async function describeResources(tenant: Tenant, resources: readonly GrantedResource[]): Promise<ConsentRequest['resources']> {
  if (resources.length === 0) return []
  const servers = await tenant
    .selectFrom('resourceServers')
    .select(['id', 'name', 'identifier', 'scopes'])
    .where(
      'id',
      'in',
      resources.map(({ id }) => id),
    )
    .orderBy('id')
    .execute()
  return servers.map(({ id, name, identifier, scopes }) => {
    const asked = resources.find((resource) => resource.id === id)?.scopes ?? []
    return { name, identifier, scopes: scopes.filter((scope) => asked.includes(scope.name)) }
  })
}

/**
 * Stores the caller's decision: consent is stored for later requests too, a refusal only for this one.
 *
 * @returns the URL to continue at, where the request gets its response
 * @throws AuthorizationPageError when it is not pending for this caller
 */
export async function decideConsent(
  { database, automaticClients }: ConsentDependencies,
  caller: UserCaller,
  reference: string,
  { decision, lifetime }: ConsentDecision,
): Promise<string> {
  const { referenceHash, clientId, parameters } = await getPendingRequest(database, caller, reference)
  const asking = decision === 'allow' ? await findSameVersion(automaticClients, parameters) : undefined
  await database.transaction(caller.organisationId, async (tenant) => {
    await holdCaller(tenant, caller)
    if (!(await decideRequest(tenant, referenceHash, decision, caller.session.userId))) throw requestIsOver()
    if (decision === 'cancel') return
    const id = asking ? await allowAutomaticClient(tenant, caller.actor, asking, parameters.resources ?? [], 'user') : clientId
    if (id === undefined) throw requestIsOver()
    const expiresAt = endOfConsent(tenant.now, lifetime)
    if (!(await grantConsent(tenant, caller, id, { ...parameters, expiresAt }))) throw requestIsOver()
  })
  return `/oauth2/authorize?${new URLSearchParams({ request: reference })}`
}

/**
 * The automatic client of a request, in the version that the request came from; undefined for any other client.
 *
 * @throws AuthorizationPageError
 */
async function findSameVersion(
  automaticClients: AutomaticClients,
  { automaticClient }: StoredRequest,
): Promise<AutomaticClient | undefined> {
  if (!automaticClient) return undefined
  const asking = await findAskingClient(automaticClients, automaticClient.clientId)
  if (asking.version !== automaticClient.version) throw requestIsOver()
  return asking
}

/** The pending request. A request of another organisation looks unknown, like one that never existed. */
async function getPendingRequest(database: Database, caller: UserCaller, reference: string): Promise<PendingRequest> {
  const pending = await findPendingRequest(database, reference)
  if (pending?.organisationId !== caller.organisationId) throw requestIsOver()
  return pending
}

const requestIsOver = () => requestOver('request', say('a-pending-request-of-this-user'))
