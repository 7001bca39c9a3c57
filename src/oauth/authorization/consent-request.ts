import { say } from '../../../shared/checks/said.ts'
import type { UserCaller } from '../../access/caller.ts'
import { holdCaller } from '../../access/hold-caller.ts'
import type { Database } from '../../platform/database/database.ts'
import { AuthorizationPageError } from '../protocol/errors.ts'
import { grantConsent } from './consents.ts'
import { decideRequest, findPendingRequest, type PendingRequest } from './stored-requests.ts'

export interface ConsentRequest {
  client: { id: string; name: string; description: string | null; logoUrl: string | null }
  scopes: string[]
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
    scopes: parameters.scope,
    organisation: { name: organisationName, branding },
    user: { email, name: userName },
    uiLocales: parameters.uiLocales,
  }
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
    if (decision === 'allow') await grantConsent(tenant, caller, clientId, parameters.scope)
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
