/** Rows of automatic clients: applications that no administrator has registered, and that a user of the organisation has allowed. */
import type { Actor } from '../activity/actor.ts'
import { changedFields } from '../activity/changes.ts'
import { record } from '../activity/record.ts'
import type { Tenant } from '../platform/database/database.ts'
import { newId } from '../platform/ids.ts'
import { clientChange, presentClient } from './present-client.ts'
import { activeClients, type Client, getClient, updateClient } from './queries.ts'

/** An automatic client, with what a user allows it: resource servers by their ids, and scopes of these. */
export interface AllowedClient extends Pick<Client, 'name' | 'redirectUris' | 'grantTypes' | 'idTokenSignedResponseAlg' | 'logoUrl'> {
  automaticClientId: string
  origin: Exclude<Client['origin'], 'admin'>
  consentVersion: string
  resourceServerIds: readonly string[]
  scopes: readonly string[]
}

/**
 * Makes the row of an automatic client, or brings it up to date, and adds what a user allows it.
 *
 * @returns the id of the row; undefined when an administrator has revoked the client
 */
export async function bindClient(tenant: Tenant, actor: Actor, allowed: AllowedClient): Promise<string | undefined> {
  const inserted = await insertAutomaticClient(tenant, allowed)
  if (inserted !== undefined) {
    await record(tenant, actor, { action: 'client.created', client: presentClient(await getClient(tenant, inserted)) })
    return inserted
  }
  const before = await lockAutomaticClient(tenant, allowed.automaticClientId)
  if (!before?.isActive) return undefined
  const { automaticClientId, origin, ...described } = allowed
  const changed = changedFields(before, {
    ...described,
    resourceServerIds: union(before.resourceServerIds ?? [], allowed.resourceServerIds),
    scopes: union(before.scopes, allowed.scopes),
  })
  if (!changed) return before.id
  await updateClient(tenant, before.id, changed)
  await clientChange.recordUpdate(tenant, actor, before, await getClient(tenant, before.id))
  return before.id
}

const union = (before: readonly string[], added: readonly string[]) => [...new Set([...before, ...added])]

/** @returns the id of the new row; undefined when there is one */
async function insertAutomaticClient(
  tenant: Tenant,
  { scopes, resourceServerIds, ...described }: AllowedClient,
): Promise<string | undefined> {
  const inserted = await tenant
    .insertInto('clients')
    .values({
      ...described,
      id: newId('cli', tenant.now),
      clientType: 'public',
      tokenEndpointAuthMethod: 'none',
      scopes: [...scopes],
      resourceServerIds: [...resourceServerIds],
      requirePkce: true,
      allowPlainPkce: false,
      requireConsent: true,
      createdAt: tenant.now,
      updatedAt: tenant.now,
    })
    .onConflict((conflict) =>
      conflict
        .columns(['automaticClientId', 'organisationId'])
        .where('automaticClientId', 'is not', null)
        .where('deletedAt', 'is', null)
        .doNothing(),
    )
    .returning('id')
    .executeTakeFirst()
  return inserted?.id
}

async function lockAutomaticClient(tenant: Tenant, automaticClientId: string): Promise<Client | undefined> {
  return activeClients(tenant).where('clients.automaticClientId', '=', automaticClientId).forUpdate('clients').executeTakeFirst()
}
