import type { Caller } from '../access/caller.ts'
import { changesBetween, withReason } from '../activity/changes.ts'
import { record } from '../activity/record.ts'
import type { Database } from '../platform/database/database.ts'
import { type ClientDependencies, refuseMistakes } from './create-client.ts'
import { presentClient } from './present-client.ts'
import { type Client, getClient, lockClient, updateClient } from './queries.ts'
import { clientNotFound } from './refusals.ts'
import { clientMistakes } from './rules.ts'

/**
 * Revokes a client: it gets no tokens until it is activated, and all its earlier tokens are revoked for good. Does nothing
 * when the client is revoked already.
 *
 * @throws Problem `not-found`
 */
export async function revokeClient(database: Database, caller: Caller, id: string, reason: string | undefined): Promise<void> {
  await changeActivity(database, caller, id, { isActive: false, reason })
}

/**
 * Lets a revoked client request tokens again. Its earlier tokens stay revoked.
 *
 * @throws Problem `not-found`; `bad-request` naming each field that does not fit an active client
 */
export async function activateClient(
  { database, grants }: Pick<ClientDependencies, 'database' | 'grants'>,
  caller: Caller,
  id: string,
): Promise<void> {
  await changeActivity(database, caller, id, {
    isActive: true,
    check: (client) => refuseMistakes(clientMistakes({ ...client, isActive: true }, grants)),
  })
}

interface ActivityChange {
  isActive: boolean
  reason?: string | undefined
  /** Called with the locked client, before it is changed. */
  check?: (client: Client) => void
}

async function changeActivity(database: Database, caller: Caller, id: string, { isActive, reason, check }: ActivityChange): Promise<void> {
  await database.transaction(caller.organisationId, async (tenant) => {
    const before = await lockClient(tenant, id)
    if (!before) throw clientNotFound()
    if (before.isActive === isActive) return
    check?.(before)
    await updateClient(tenant, id, { isActive, ...(!isActive && { tokensValidAfter: tenant.now }) })
    const client = await getClient(tenant, id)
    await record(tenant, caller.actor, {
      action: isActive ? 'client.activated' : 'client.revoked',
      client: presentClient(client),
      changes: changesBetween(presentClient(before), presentClient(client)),
      ...withReason(reason),
    })
  })
}
