import type { Selectable } from 'kysely'
import { secondsAfter } from '../../platform/clock.ts'
import type { Tenant } from '../../platform/database/database.ts'
import type { FederationRequestsTable } from '../../platform/database/tables.ts'

export type FederationRequest = Selectable<FederationRequestsTable>

export async function insertRequest(
  tenant: Tenant,
  request: Omit<FederationRequest, 'organisationId' | 'usedAt' | 'signInId' | 'responseEncrypted' | 'setupLinkId'> & {
    signInId?: string
    setupLinkId?: string | null
  },
): Promise<void> {
  await tenant.insertInto('federationRequests').values(request).execute()
}

/** Uses up a request, once, in the browser that began it. */
export async function claimRequest(
  tenant: Tenant,
  key: { stateHash: string; connectionId: string; browserHash: string },
): Promise<FederationRequest | undefined> {
  return tenant
    .updateTable('federationRequests')
    .set({ usedAt: tenant.now })
    .where('stateHash', '=', key.stateHash)
    .where('connectionId', '=', key.connectionId)
    .where('browserHash', '=', key.browserHash)
    .where('purpose', '!=', 'test')
    .where('usedAt', 'is', null)
    .where('expiresAt', '>', tenant.now)
    .returningAll()
    .executeTakeFirst()
}

/** A test that this user began, in any state. */
export async function findTest(
  tenant: Tenant,
  key: { stateHash: string } & ({ userId: string } | { setupLinkId: string }),
): Promise<FederationRequest | undefined> {
  return tenant
    .selectFrom('federationRequests')
    .selectAll()
    .where('stateHash', '=', key.stateHash)
    .where((request) => ('userId' in key ? request('userId', '=', key.userId) : request('setupLinkId', '=', key.setupLinkId)))
    .where('purpose', '=', 'test')
    .where('expiresAt', '>', tenant.now)
    .executeTakeFirst()
}

/** Takes the place of the browser's hash in a test that has not been opened yet: no hash is empty. */
export const noBrowser = ''

/** Assigns a test to the first browser of its user that opens it. @returns whether it is this browser */
export async function claimTestForBrowser(tenant: Tenant, stateHash: string, browserHash: string): Promise<boolean> {
  const { numUpdatedRows } = await tenant
    .updateTable('federationRequests')
    .set({ browserHash })
    .where('stateHash', '=', stateHash)
    .where('browserHash', '=', noBrowser)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

/** Uses up a test, once. @returns whether this call did */
export async function claimTestResponse(tenant: Tenant, stateHash: string): Promise<boolean> {
  const { numUpdatedRows } = await tenant
    .updateTable('federationRequests')
    .set({ usedAt: tenant.now })
    .where('stateHash', '=', stateHash)
    .where('usedAt', 'is', null)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

/** Stores the outcome of a used request for ten minutes more: an identity until its user has signed in, or the result of a test. */
export async function storePending(tenant: Tenant, stateHash: string, verifierEncrypted: string): Promise<void> {
  const expiresAt = secondsAfter(tenant.now, 10 * 60)
  await tenant.updateTable('federationRequests').set({ verifierEncrypted, expiresAt }).where('stateHash', '=', stateHash).execute()
}

/** Deletes the pending link requests and tests of a user. */
export async function deleteRequestsOf(tenant: Tenant, userId: string): Promise<void> {
  await tenant.deleteFrom('federationRequests').where('userId', '=', userId).execute()
}

export async function findPending(
  tenant: Tenant,
  key: { stateHash: string; connectionId: string; browserHash: string },
): Promise<FederationRequest | undefined> {
  return tenant
    .selectFrom('federationRequests')
    .selectAll()
    .where('stateHash', '=', key.stateHash)
    .where('connectionId', '=', key.connectionId)
    .where('browserHash', '=', key.browserHash)
    .where('usedAt', 'is not', null)
    .where('expiresAt', '>', tenant.now)
    .executeTakeFirst()
}

/** @returns whether this call claimed it */
export async function claimPending(tenant: Tenant, stateHash: string): Promise<boolean> {
  const { numDeletedRows } = await tenant.deleteFrom('federationRequests').where('stateHash', '=', stateHash).executeTakeFirst()
  return numDeletedRows > 0n
}

/** Stores a response with its request while that is open. @returns whether there is such a request */
export async function storeResponse(
  tenant: Tenant,
  { stateHash, connectionId, responseEncrypted }: { stateHash: string; connectionId: string; responseEncrypted: string },
): Promise<boolean> {
  const { numUpdatedRows } = await tenant
    .updateTable('federationRequests')
    .set({ responseEncrypted })
    .where('stateHash', '=', stateHash)
    .where('connectionId', '=', connectionId)
    .where('usedAt', 'is', null)
    .where('expiresAt', '>', tenant.now)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}
