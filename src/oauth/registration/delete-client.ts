import type { Origin } from '../../activity/actor.ts'
import { clientChange } from '../../clients/present-client.ts'
import { lockClient, updateClient } from '../../clients/queries.ts'
import type { Database } from '../../platform/database/database.ts'
import { clientActor } from './register-client.ts'

/**
 * Deletes a client at its own request, with all its tokens.
 *
 * @returns whether it was there
 */
export async function deleteClientOf(database: Database, organisationId: string, id: string, origin: Origin): Promise<boolean> {
  return database.transaction(organisationId, async (tenant) => {
    const client = await lockClient(tenant, id)
    if (!client) return false
    await updateClient(tenant, id, { deletedAt: tenant.now, tokensValidAfter: tenant.now, defaultResource: null })
    await clientChange.recordDeletion(tenant, clientActor(client, origin), client, undefined)
    return true
  })
}
