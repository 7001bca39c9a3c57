import type { Caller } from '../access/caller.ts'
import { transactionOf } from '../access/hold-caller.ts'
import { record } from '../activity/record.ts'
import { secondsAfter } from '../platform/clock.ts'
import { hashSecret, newSecret } from '../platform/crypto/secrets.ts'
import type { Database } from '../platform/database/database.ts'
import { presentClient } from './present-client.ts'
import { type Client, getClient, lockClient, replaceSecret } from './queries.ts'
import { clientNotFound, publicClientHasNoSecret } from './refusals.ts'

/**
 * Gives a client a new secret. The current secret remains valid for the grace period. An older secret stops working, even
 * within its own grace period.
 *
 * @returns the client and the secret, which cannot be shown again
 * @throws Problem `not-found`, or `bad-request` for a public client
 */
export async function rotateSecret(
  database: Database,
  caller: Caller,
  id: string,
  gracePeriodSeconds: number,
): Promise<{ client: Client; secret: string }> {
  const secret = newSecret()
  return transactionOf(database, caller, 'clients:update', async (tenant) => {
    const before = await lockClient(tenant, id)
    if (!before) throw clientNotFound()
    if (before.clientType === 'public') throw publicClientHasNoSecret()
    const previousExpiresAt = gracePeriodSeconds > 0 ? secondsAfter(tenant.now, gracePeriodSeconds) : null
    await replaceSecret(tenant, id, hashSecret(secret), previousExpiresAt)
    const client = await getClient(tenant, id)
    await record(tenant, caller.actor, { action: 'client.secret_rotated', client: presentClient(client), metadata: { gracePeriodSeconds } })
    return { client, secret }
  })
}
