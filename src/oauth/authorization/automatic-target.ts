/** The first phase of an authorization request of an automatic client: the resource decides to which organisation it belongs. */
import { say } from '../../../shared/checks/said.ts'
import { type AutomaticClient, AutomaticClientRefused, type AutomaticClients } from '../../automatic-clients/automatic-client.ts'
import { judgeClient } from '../../automatic-clients/judge-client.ts'
import { findVouchedResources, type VouchedResources } from '../../automatic-clients/vouched-resources.ts'
import type { Database } from '../../platform/database/database.ts'
import { unknownClient } from '../protocol/common-errors.ts'
import { AuthorizationPageError, invalidTarget, OAuthError } from '../protocol/errors.ts'
import { valuesOf } from '../protocol/parameters.ts'
import type { OAuthClient } from '../protocol/queries.ts'
import { type ProvenRedirectUri, proveRedirectUri } from '../protocol/redirect-uri.ts'
import { identifiersOf } from '../protocol/resources.ts'
import { askingClient } from './asking-client.ts'
import type { ResponseTarget } from './authorization-response.ts'
import type { RequestObjectDependencies } from './request-object.ts'
import type { StoredRequest } from './stored-requests.ts'

export interface TargetDependencies extends RequestObjectDependencies {
  database: Database
  automaticClients: AutomaticClients
  environment: 'production' | 'development'
}

/** What is needed to say of which organisation an automatic client is. */
export type AcceptanceDependencies = Pick<TargetDependencies, 'database' | 'automaticClients' | 'environment'>

/** The redirect URI is the client's, and the request is refused before any organisation is known. */
export type RefusedTarget = ResponseTarget & { kind: 'refused'; error: OAuthError }

/**
 * The client as it describes itself now.
 *
 * @param address that of the caller, for a request that any stranger can send; undefined for one that is stored
 * @throws AuthorizationPageError
 */
export async function findAskingClient(automaticClients: AutomaticClients, clientId: string, address?: string): Promise<AutomaticClient> {
  const client = await automaticClients.find(clientId, address).catch((error: unknown) => {
    if (error instanceof AutomaticClientRefused) throw pageOf(error, clientId)
    throw error
  })
  if (client) return client
  const check = { name: 'client_id', expected: say('an-active-client'), received: clientId } as const
  throw unknownClient(check)
}

function pageOf({ reason, message, expected, received = undefined, retryAfter }: AutomaticClientRefused, clientId: string) {
  const page = reason === 'limit' ? 'too-many-client-documents' : 'unusable-client'
  return new AuthorizationPageError(page, message, { name: 'client_id', expected, received: received ?? clientId }, undefined, retryAfter)
}

/**
 * The organisation whose resources a new request is for, and the client as that organisation knows it.
 *
 * @param redirectUri undefined for a device, which has none
 * @returns the refusal to send back, when no organisation lets automatic clients use these resources
 * @throws AuthorizationPageError when the organisation refuses the client or its redirect URI
 */
export async function findOrganisationOf(
  { database, environment }: AcceptanceDependencies,
  client: AutomaticClient,
  redirectUri: ProvenRedirectUri | undefined,
  resource: string | undefined,
): Promise<OAuthClient | OAuthError> {
  const named = valuesOf(resource)
  const identifiers = readIdentifiers(named)
  const vouched = identifiers instanceof OAuthError ? undefined : await findVouchedResources(database, { identifiers }, environment)
  await requireAcceptance(database, client, redirectUri, vouched)
  if (identifiers instanceof OAuthError) return identifiers
  if (!vouched) return named.length === 0 ? noResource() : notVouched(named[0])
  return askingClient(database, client, vouched)
}

/**
 * The same by the ids of the resource servers, for an organisation that is known.
 *
 * @throws AuthorizationPageError when the organisation refuses the client or its redirect URI
 */
export async function findOrganisationByIds(
  { database, environment }: AcceptanceDependencies,
  organisationId: string,
  client: AutomaticClient,
  redirectUri: ProvenRedirectUri | undefined,
  ids: readonly string[],
): Promise<OAuthClient | OAuthError> {
  const vouched = await findVouchedResources(database, { ids }, environment)
  const same = vouched?.organisationId === organisationId ? vouched : undefined
  await requireAcceptance(database, client, redirectUri, same)
  return same ? askingClient(database, client, same) : notVouched(undefined)
}

/** The same for a request that was stored: everything is asked again, since it may have changed meanwhile. */
export async function findOrganisationAgain(
  dependencies: AcceptanceDependencies,
  organisationId: string,
  { automaticClient, redirectUri, resources = [] }: StoredRequest,
): Promise<{ redirectUri: ProvenRedirectUri; found: OAuthClient | OAuthError } | undefined> {
  if (!automaticClient) return undefined
  const client = await findAskingClient(dependencies.automaticClients, automaticClient.clientId)
  const proven = proveRedirectUri({ ...client, clientType: 'public' }, redirectUri)
  // A user decides on what the page has shown, and on nothing else.
  if (proven === undefined || client.version !== automaticClient.version) return undefined
  const ids = resources.map(({ id }) => id)
  return { redirectUri: proven, found: await findOrganisationByIds(dependencies, organisationId, client, proven, ids) }
}

/** @throws AuthorizationPageError */
async function requireAcceptance(
  database: Database,
  client: AutomaticClient,
  redirectUri: ProvenRedirectUri | undefined,
  vouched: VouchedResources | undefined,
): Promise<void> {
  const refused = await judgeClient(database, client, redirectUri, vouched)
  if (refused === undefined) return
  const concerned = vouched && { id: client.clientId, organisationId: vouched.organisationId }
  if (refused === 'foreign-redirect-uri') {
    const check = { name: 'redirect_uri', expected: say('the-host-of-the-document'), received: redirectUri } as const
    const detail = 'The redirect_uri is not of the host of the client ID metadata document, and the organisation does not allow that.'
    throw new AuthorizationPageError('unregistered-redirect-uri', detail, check, concerned)
  }
  const check = { name: 'client_id', expected: say('a-host-that-the-organisation-accepts'), received: client.clientId } as const
  throw new AuthorizationPageError('unusable-client', 'The organisation does not accept applications of this host.', check, concerned)
}

function readIdentifiers(named: readonly string[]): string[] | OAuthError {
  try {
    return identifiersOf(named)
  } catch (error) {
    if (error instanceof OAuthError) return error
    throw error
  }
}

const noResource = (): OAuthError =>
  invalidTarget('an application that is not registered has to name a resource, which decides its organisation', {
    name: 'resource',
    expected: say('a-resource-that-automatic-clients-may-use'),
    received: undefined,
  })

const notVouched = (resource: string | undefined): OAuthError =>
  invalidTarget('no organisation lets applications that are not registered use this resource', {
    name: 'resource',
    expected: say('a-resource-that-automatic-clients-may-use'),
    received: resource,
  })
