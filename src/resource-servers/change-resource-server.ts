import type { Caller } from '../access/caller.ts'
import { transactionOf } from '../access/hold-caller.ts'
import { changedFields } from '../activity/changes.ts'
import { addsAboutUsers, requireReadUsers } from '../claims/require-read-users.ts'
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
  // As it is stored, so that an empty list is no change of none.
  const sent = { ...changes, ...(changes.claimMappings?.length === 0 && { claimMappings: null }) }
  const updated = await transactionOf(database, caller, 'resource_servers:update', async (tenant) => {
    const before = resourceServerChange.requireCurrent(await lockResourceServer(tenant, id), ifMatch)
    if (addsAboutUsers(changes.claimMappings ?? [], before.claimMappings)) await requireReadUsers(tenant, caller)
    const changed = changedFields(before, sent)
    if (!changed) return before
    await refuseUnfitClients(tenant, changed, before)
    // What was set while the extension was on may be sent unchanged.
    refuseWithoutExtension(changed, oauthExtensions)
    // Not when the transaction began: what was made while this waited for the lock is from before. The same when it is switched on again,
    // for what a request has made since that had found it active.
    const ends = changed.isActive !== undefined && { tokensValidAfter: database.clock.now() }
    const after = await updateResourceServer(tenant, id, { ...changed, ...ends })
    await resourceServerChange.recordUpdate(tenant, caller.actor, before, after)
    return after
  })
  await signingKeys.ensure(updated.accessTokenSigningAlg)
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
  await transactionOf(database, caller, 'resource_servers:delete', async (tenant) => {
    const server = resourceServerChange.requireCurrent(await lockResourceServer(tenant, id), ifMatch)
    await deleteResourceServerRow(tenant, id)
    await forgetResourceServer(tenant, id)
    await resourceServerChange.recordDeletion(tenant, caller.actor, server, reason)
  })
}
