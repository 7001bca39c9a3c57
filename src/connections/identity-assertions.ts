import { isDeepStrictEqual } from 'node:util'
import { isSwitchedOn, type OAuthExtensions } from '../clients/extensions.ts'
import type { IdentityAssertions } from '../platform/database/column-types.ts'
import type { Tenant } from '../platform/database/database.ts'
import { type FieldError, invalidInput, unknownName } from '../platform/http/problem.ts'
import { findNamedResourceServers } from '../resource-servers/queries.ts'
import type { Connection } from './queries.ts'
import { assertionsOfOpenIdOnly, extensionNeeded, resourceServerNotFound } from './refusals.ts'

type Settings = IdentityAssertions | null

/**
 * Refuses what a connection cannot take of identity assertions. What is stored may be sent again.
 *
 * @throws Problem naming an extension that is off, a provider that has no such assertions, and each unknown resource server
 */
export async function refuseUnfitAssertions(
  tenant: Tenant,
  extensions: OAuthExtensions,
  { type }: Pick<Connection, 'type'>,
  sent: Settings,
  before: Settings = null,
): Promise<void> {
  if (sent === null) return
  if (sent.accepted && !before?.accepted && !isSwitchedOn(extensions, 'identity_assertions')) {
    throw extensionNeeded('identityAssertions', 'identity_assertions')
  }
  if (
    sent.allowsUnauthenticatedDocuments &&
    !before?.allowsUnauthenticatedDocuments &&
    !isSwitchedOn(extensions, 'client_metadata_documents')
  ) {
    throw extensionNeeded('identityAssertions', 'client_metadata_documents')
  }
  const mistakes: FieldError[] = sent.accepted && type !== 'oidc' ? [assertionsOfOpenIdOnly(['identityAssertions', 'accepted'])] : []
  const known = new Set([...(await findNamedResourceServers(tenant, sent.resourceServerIds)), ...(before?.resourceServerIds ?? [])])
  for (const [index, id] of sent.resourceServerIds.entries()) {
    if (!known.has(id)) mistakes.push(unknownName(['identityAssertions', 'resourceServerIds', index], resourceServerNotFound))
  }
  if (mistakes.length > 0) throw invalidInput(mistakes)
}

/**
 * Whether a change takes back what assertions were accepted for: then the tokens that clients got by them end. A resource server that has been
 * deleted is named still, and has taken its tokens with it.
 */
export async function withdrawsAssertions(tenant: Tenant, before: Settings, after: Settings): Promise<boolean> {
  if (!before?.accepted) return false
  if (!after?.accepted || after.tenant !== before.tenant) return true
  const leftOut = before.resourceServerIds.filter((id) => !after.resourceServerIds.includes(id))
  return (await findNamedResourceServers(tenant, leftOut)).length > 0
}

/**
 * Whether a change lets assertions count for more. What cannot be compared in size does so with every difference, as would a member that is added to
 * these settings.
 */
export function widensAssertions(before: Settings, after: Settings): boolean {
  if (!after?.accepted) return false
  if (!before?.accepted) return true
  const { resourceServerIds, maxLifetimeSeconds, allowsUnauthenticatedDocuments, ...further } = after
  return (
    resourceServerIds.some((id) => !before.resourceServerIds.includes(id)) ||
    maxLifetimeSeconds > before.maxLifetimeSeconds ||
    (allowsUnauthenticatedDocuments && !before.allowsUnauthenticatedDocuments) ||
    !isDeepStrictEqual({ ...before, ...further }, before)
  )
}
