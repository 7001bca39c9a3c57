import type { Caller } from '../access/caller.ts'
import { changedFields } from '../activity/changes.ts'
import { forgetResourceServer } from '../clients/queries.ts'
import type { Database } from '../platform/database/database.ts'
import { type ResourceServerAdministration, refuseUnfitClients, refuseWithoutExtension } from './create-resource-server.ts'
import { resourceServerChange } from './present-resource-server.ts'
import { deleteResourceServerRow, lockResourceServer, type ResourceServer, updateResourceServer } from './queries.ts'
import type { ResourceServerChanges } from './schemas.ts'

/**
 * Changes a resource server. Switching it off ends all its access tokens for good; families of tokens stay, and get tokens for their
 * other resource servers.
 *
 * @throws Problem `not-found`, `precondition-failed`; `bad-request` as `createResourceServer`
 */
export async function changeResourceServer(
  { database, signingKeys, oauthExtensions }: Omit<ResourceServerAdministration, 'issuer' | 'environment'>,
  caller: Caller,
  id: string,
  changes: ResourceServerChanges,
  ifMatch: string | undefined,
): Promise<ResourceServer> {
  const updated = await database.transaction(caller.organisationId, async (tenant) => {
    const before = resourceServerChange.requireCurrent(await lockResourceServer(tenant, id), ifMatch)
    const changed = changedFields(before, changes)
    if (!changed) return before
    await refuseUnfitClients(tenant, changed, before)
    // What was set while the extension was on may be sent unchanged.
    refuseWithoutExtension(changed, oauthExtensions)
    const ends = changed.isActive === false && { tokensValidAfter: tenant.now }
    const after = await updateResourceServer(tenant, id, { ...changed, ...ends })
    await resourceServerChange.recordUpdate(tenant, caller.actor, before, after)
    return after
  })
  await signingKeys.signer(updated.accessTokenSigningAlg)
  return updated
}

/**
 * Deletes a resource server: its access tokens end, and no client may ask for it any more.
 *
 * @throws Problem `not-found`, `precondition-failed`; `conflict` while it is the `defaultResource` of a client
 */
export async function deleteResourceServer(
  database: Database,
  caller: Caller,
  id: string,
  ifMatch: string | undefined,
  reason: string | undefined,
): Promise<void> {
  await database.transaction(caller.organisationId, async (tenant) => {
    const server = resourceServerChange.requireCurrent(await lockResourceServer(tenant, id), ifMatch)
    await deleteResourceServerRow(tenant, id)
    await forgetResourceServer(tenant, id)
    await resourceServerChange.recordDeletion(tenant, caller.actor, server, reason)
  })
}
