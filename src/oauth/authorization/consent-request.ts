import { say } from '../../../shared/checks/said.ts'
import type { UserCaller } from '../../access/caller.ts'
import { holdCaller } from '../../access/hold-caller.ts'
import type { Database, Tenant } from '../../platform/database/database.ts'
import { AuthorizationPageError } from '../protocol/errors.ts'
import { type GrantedResource, ownScopes } from '../protocol/resources.ts'
import { grantConsent } from './consents.ts'
import { decideRequest, findPendingRequest, type PendingRequest } from './stored-requests.ts'

export interface ConsentRequest {
  client: { id: string; name: string; description: string | null; logoUrl: string | null }
  /** The scopes that are of no resource server. */
  scopes: string[]
  /** The resource servers that it is for, with what is asked for at each. */
  resources: { name: string; identifier: string; scopes: { name: string; description: string | null }[] }[]
  organisation: { name: string; branding: Record<string, unknown> | null }
  user: { email: string; name: string }
  uiLocales: string | undefined
}

/**
 * The consent that the caller is asked for.
 *
 * @param reference the `request` of the consent page's URL
 * @throws AuthorizationPageError when it is not pending for this caller
 */
export async function getConsentRequest(database: Database, caller: UserCaller, reference: string): Promise<ConsentRequest> {
  const { clientId, parameters } = await getPendingRequest(database, caller, reference)
  const found = await database
    .tenant(caller.organisationId)
    .selectFrom('clients')
    .innerJoin('organisations', 'organisations.id', 'clients.organisationId')
    .innerJoin('users', 'users.organisationId', 'clients.organisationId')
    .select([
      'clients.id',
      'clients.name',
      'clients.description',
      'clients.logoUrl',
      'organisations.name as organisationName',
      'organisations.branding',
      'users.email',
      'users.name as userName',
    ])
    .where('clients.id', '=', clientId)
    .where('clients.deletedAt', 'is', null)
    .where('clients.isActive', '=', true)
    .where('users.id', '=', caller.session.userId)
    .executeTakeFirst()
  if (!found) throw requestIsOver()
  const { id, name, description, logoUrl, organisationName, branding, email, userName } = found
  return {
    client: { id, name, description, logoUrl },
    scopes: ownScopes(parameters.scope, parameters.resources ?? []),
    resources: await describeResources(database.tenant(caller.organisationId), parameters.resources ?? []),
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
  { database }: { database: Database },
  caller: UserCaller,
  reference: string,
  decision: 'allow' | 'cancel',
): Promise<string> {
  const { referenceHash, clientId, parameters } = await getPendingRequest(database, caller, reference)
  await database.transaction(caller.organisationId, async (tenant) => {
    await holdCaller(tenant, caller)
    if (!(await decideRequest(tenant, referenceHash, decision, caller.session.userId))) throw requestIsOver()
    if (decision === 'allow') await grantConsent(tenant, caller, clientId, parameters)
  })
  return `/oauth2/authorize?${new URLSearchParams({ request: reference })}`
}

/** The pending request. A request of another organisation looks unknown, like one that never existed. */
async function getPendingRequest(database: Database, caller: UserCaller, reference: string): Promise<PendingRequest> {
  const pending = await findPendingRequest(database, reference)
  if (pending?.organisationId !== caller.organisationId) throw requestIsOver()
  return pending
}

const requestIsOver = () =>
  new AuthorizationPageError('request-expired', 'It was completed already, or took too long. Go back to the application and start again.', {
    name: 'request',
    expected: say('a-pending-request-of-this-user'),
    received: say('none'),
  })
