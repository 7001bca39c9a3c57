import type { Caller } from '../access/caller.ts'
import { holdCallerWith, lockUserOfCaller, transactionOf } from '../access/hold-caller.ts'
import { changedFields } from '../activity/changes.ts'
import { record } from '../activity/record.ts'
import { canBeAskedFor, type OAuthExtensions } from '../clients/extensions.ts'
import type { Database } from '../platform/database/database.ts'
import { type FieldError, invalidInput } from '../platform/http/problem.ts'
import { withNamedRecords } from './named-records.ts'
import { presentResourceAuthorizationServer, resourceAuthorizationServerChange } from './present-resource-authorization-server.ts'
import {
  deleteResourceAuthorizationServerRow,
  insertResourceAuthorizationServer,
  lockAndCountResourceAuthorizationServers,
  lockResourceAuthorizationServer,
  type ResourceAuthorizationServer,
  updateResourceAuthorizationServer,
} from './queries.ts'
import {
  extensionNeeded,
  identifierNotAbsolute,
  identifierNotHttps,
  identifierOfThisService,
  identifierWithCredentials,
  issuerWithQuery,
  tooManyResourceAuthorizationServers,
} from './refusals.ts'
import { type IssuerMistake, issuerMistake } from './rules.ts'
import type { NewResourceAuthorizationServer, ResourceAuthorizationServerChanges } from './schemas.ts'

const serversMax = 200

export interface ResourceAuthorizationServerAdministration {
  database: Database
  /** The origin of `PUBLIC_URL`. */
  issuer: string
  environment: 'production' | 'development'
  oauthExtensions: OAuthExtensions
}

/**
 * Registers an authorization server of another company, with the grants of our clients there.
 *
 * @throws Problem `bad-request` naming an issuer that cannot be one, a level whose extension is off and everything that does not exist, and
 *   for the 201st; `conflict` when the organisation has the issuer
 */
export async function createResourceAuthorizationServer(
  { database, issuer, environment, oauthExtensions }: ResourceAuthorizationServerAdministration,
  caller: Caller,
  input: NewResourceAuthorizationServer,
): Promise<ResourceAuthorizationServer> {
  const mistake = issuerMistake(input.issuer, { issuer, allowLoopback: environment === 'development' })
  if (mistake) throw invalidInput([errorOf[mistake](['issuer'])])
  return database.transaction(caller.organisationId, async (tenant) => {
    await lockUserOfCaller(tenant, caller)
    if ((await lockAndCountResourceAuthorizationServers(tenant)) >= serversMax) throw tooManyResourceAuthorizationServers()
    const names = await withNamedRecords(tenant, input)
    refuseUnreachableLevel(input, oauthExtensions)
    await holdCallerWith(tenant, caller, 'resource_servers:create')
    const server = await insertResourceAuthorizationServer(tenant, { ...input, ...names })
    await record(tenant, caller.actor, {
      action: 'resource_authorization_server.created',
      resource_authorization_server: presentResourceAuthorizationServer(server),
    })
    return server
  })
}

const errorOf: Record<NonNullable<IssuerMistake>, (path: FieldError['path']) => FieldError> = {
  'issuer-with-query': issuerWithQuery,
  'identifier-not-absolute': identifierNotAbsolute,
  'identifier-with-credentials': identifierWithCredentials,
  'identifier-not-https': identifierNotHttps,
  'identifier-of-this-service': identifierOfThisService,
}

/** @throws Problem naming a level that is being set: with one that no client can ask for, no assertion would ever be issued */
function refuseUnreachableLevel(
  { requiredAcr }: Pick<ResourceAuthorizationServerChanges, 'requiredAcr'>,
  extensions: OAuthExtensions,
): void {
  if (requiredAcr && !canBeAskedFor(requiredAcr, extensions)) throw extensionNeeded('requiredAcr', 'step_up')
}

/**
 * Changes one. Assertions that were issued before stay valid for their few minutes.
 *
 * @throws Problem `not-found`, `precondition-failed`; `bad-request` as {@link createResourceAuthorizationServer}
 */
export async function changeResourceAuthorizationServer(
  { database, oauthExtensions }: Pick<ResourceAuthorizationServerAdministration, 'database' | 'oauthExtensions'>,
  caller: Caller,
  id: string,
  changes: ResourceAuthorizationServerChanges,
  ifMatch: string | undefined,
): Promise<ResourceAuthorizationServer> {
  return transactionOf(database, caller, 'resource_servers:update', async (tenant) => {
    const before = resourceAuthorizationServerChange.requireCurrent(await lockResourceAuthorizationServer(tenant, id), ifMatch)
    const namesChange = changes.audienceClientId !== undefined || changes.resources !== undefined || changes.grants !== undefined
    const { audienceClientId = before.audienceClientId, resources = before.resources, grants = before.grants } = changes
    const names = namesChange ? await withNamedRecords(tenant, { audienceClientId, resources, grants }, before) : {}
    const changed = changedFields(before, { ...changes, ...names })
    if (!changed) return before
    // What was set while the extension was on may be sent unchanged.
    refuseUnreachableLevel(changed, oauthExtensions)
    const server = await updateResourceAuthorizationServer(tenant, id, changed)
    await resourceAuthorizationServerChange.recordUpdate(tenant, caller.actor, before, server)
    return server
  })
}

/** @throws Problem `not-found`, `precondition-failed` */
export async function deleteResourceAuthorizationServer(
  database: Database,
  caller: Caller,
  id: string,
  ifMatch: string | undefined,
  reason: string | undefined,
): Promise<void> {
  await transactionOf(database, caller, 'resource_servers:delete', async (tenant) => {
    const server = resourceAuthorizationServerChange.requireCurrent(await lockResourceAuthorizationServer(tenant, id), ifMatch)
    await deleteResourceAuthorizationServerRow(tenant, id)
    await resourceAuthorizationServerChange.recordDeletion(tenant, caller.actor, server, reason)
  })
}
