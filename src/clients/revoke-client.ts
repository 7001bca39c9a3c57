import type { Caller } from '../access/caller.ts'
import { changesBetween } from '../activity/changes.ts'
import { record } from '../activity/record.ts'
import type { Database } from '../platform/database/database.ts'
import { presentClient } from './present-client.ts'
import { getClient, lockClient, updateClient } from './queries.ts'
import { clientNotFound } from './refusals.ts'

/**
 * Revokes a client: nothing is issued to it until it is activated, and every token from before is revoked for good. A client
 * that is revoked already stays as it is.
 *
 * @throws Problem `not-found`
 */
export async function revokeClient(database: Database, caller: Caller, id: string): Promise<void> {
  await changeActivity(database, caller, id, false)
}

/**
 * Lets a revoked client ask for tokens again. What it had been issued before stays revoked.
 *
 * @throws Problem `not-found`
 */
export async function activateClient(database: Database, caller: Caller, id: string): Promise<void> {
  await changeActivity(database, caller, id, true)
}

async function changeActivity(database: Database, caller: Caller, id: string, isActive: boolean): Promise<void> {
  await database.transaction(caller.organisationId, async (tenant) => {
    const before = await lockClient(tenant, id)
    if (!before) throw clientNotFound()
    if (before.isActive === isActive) return
    await updateClient(tenant, id, { isActive, ...(!isActive && { tokensValidAfter: tenant.now }) })
    const client = await getClient(tenant, id)
    await record(tenant, caller.actor, {
      action: isActive ? 'client.activated' : 'client.revoked',
      client: presentClient(client),
      changes: changesBetween(presentClient(before), presentClient(client)),
    })
  })
}
