import type { Caller } from '../access/caller.ts'
import { transactionOf } from '../access/hold-caller.ts'
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
  await changeActivity(database, caller, id, { isActive: false, permission: 'clients:delete', reason })
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
    permission: 'clients:update',
    check: (client) => refuseMistakes(clientMistakes({ ...client, isActive: true }, grants)),
  })
}

interface ActivityChange {
  isActive: boolean
  permission: string
  reason?: string | undefined
  /** Called with the locked client, before it is changed. */
  check?: (client: Client) => void
}

async function changeActivity(
  database: Database,
  caller: Caller,
  id: string,
  { isActive, permission, reason, check }: ActivityChange,
): Promise<void> {
  await transactionOf(database, caller, permission, async (tenant) => {
    const before = await lockClient(tenant, id)
    if (!before) throw clientNotFound()
    if (before.isActive === isActive) return
    check?.(before)
    // Not when the transaction began: what was made while this waited for the lock is from before. The same at the activation, for what
    // a request has written since the revocation that had found the client active.
    await updateClient(tenant, id, { isActive, tokensValidAfter: database.clock.now() })
    const client = await getClient(tenant, id)
    await record(tenant, caller.actor, {
      action: isActive ? 'client.activated' : 'client.revoked',
      client: presentClient(client),
      changes: changesBetween(presentClient(before), presentClient(client)),
      ...withReason(reason),
    })
  })
}
