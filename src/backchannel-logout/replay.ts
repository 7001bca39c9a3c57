import type { Caller } from '../access/caller.ts'
import { transactionOf } from '../access/hold-caller.ts'
import { record } from '../activity/record.ts'
import type { OAuthExtensions } from '../clients/extensions.ts'
import { presentClient } from '../clients/present-client.ts'
import { type Client, lockClient } from '../clients/queries.ts'
import type { Database, Tenant } from '../platform/database/database.ts'
import { newId } from '../platform/ids.ts'
import { findLogout, insertLogout } from './queries.ts'
import { clientNotFound, deliveryNotFound, logoutIsOff, withoutLogoutUri } from './refusals.ts'

interface LogoutDependencies {
  database: Database
  oauthExtensions: OAuthExtensions
}

/**
 * Tells a client of the end of a session again: a new delivery, whose tokens have a `jti` of their own, since clients take each once.
 *
 * @returns the new delivery's id
 * @throws Problem `not-found`, `conflict` for a client without an address, and while the extension is off: nothing would be sent
 */
export async function replayLogout(
  { database, oauthExtensions }: LogoutDependencies,
  caller: Caller,
  clientId: string,
  deliveryId: string,
): Promise<string> {
  return transactionOf(database, caller, 'clients:update', async (tenant) => {
    const client = await lockReceiver(tenant, clientId)
    const former = await findLogout(tenant, clientId, deliveryId)
    if (!former) throw deliveryNotFound()
    requireTellable(client, oauthExtensions)
    const { userId, sessionId, isTest } = former
    const id = await insertLogout(tenant, { clientId, userId, sessionId, isTest })
    await record(tenant, caller.actor, {
      action: 'client.logout_replayed',
      client: presentClient(client),
      metadata: { replayedDeliveryId: deliveryId, deliveryId: id },
    })
    return id
  })
}

/**
 * Sends a client a logout token of a session that never was: a client that finds nothing to end has still checked the token.
 *
 * @returns the id of the delivery
 * @throws Problem `not-found`, `conflict` for a client without an address, and while the extension is off: nothing would be sent
 */
export async function testLogout({ database, oauthExtensions }: LogoutDependencies, caller: Caller, clientId: string): Promise<string> {
  return transactionOf(database, caller, 'clients:update', async (tenant) => {
    const client = await lockReceiver(tenant, clientId)
    requireTellable(client, oauthExtensions)
    const id = await insertLogout(tenant, { clientId, userId: null, sessionId: newId('ses', tenant.now), isTest: true })
    await record(tenant, caller.actor, { action: 'client.logout_tested', client: presentClient(client), metadata: { deliveryId: id } })
    return id
  })
}

/** @throws Problem `conflict` */
function requireTellable({ backchannelLogoutUri }: Client, extensions: OAuthExtensions): void {
  if (!extensions.has('backchannel_logout')) throw logoutIsOff()
  if (backchannelLogoutUri === null) throw withoutLogoutUri()
}

async function lockReceiver(tenant: Tenant, id: string): Promise<Client> {
  const client = await lockClient(tenant, id)
  if (!client) throw clientNotFound()
  return client
}
