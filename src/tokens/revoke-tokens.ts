import type { Tenant } from '../platform/database/database.ts'

/**
 * Ends a family: its refresh tokens, and with them its access tokens, are dead from the next check on.
 *
 * @returns whether it was alive until now
 */
export async function revokeFamily(tenant: Tenant, familyId: string): Promise<boolean> {
  const revoked = await tenant
    .updateTable('tokenFamilies')
    .set({ revokedAt: tenant.now })
    .where('id', '=', familyId)
    .where('revokedAt', 'is', null)
    .returning('id')
    .executeTakeFirst()
  return revoked !== undefined
}

/** Ends everything that a user has authorized, or only what they authorized one client. */
export async function revokeTokensOfUser(tenant: Tenant, userId: string, clientId?: string): Promise<void> {
  // Codes first: one that is being redeemed is waited for, and its family is then found.
  await tenant
    .updateTable('authorizationCodes')
    .set({ usedAt: tenant.now })
    .where('userId', '=', userId)
    .where('usedAt', 'is', null)
    .$if(clientId !== undefined, (query) => query.where('clientId', '=', clientId as string))
    .execute()
  await tenant
    .updateTable('tokenFamilies')
    .set({ revokedAt: tenant.now })
    .where('userId', '=', userId)
    .where('revokedAt', 'is', null)
    .$if(clientId !== undefined, (query) => query.where('clientId', '=', clientId as string))
    .execute()
}

/** Ends one access token; what else its family holds lives on. @returns whether it was not ended already */
export async function revokeAccessToken(tenant: Tenant, jti: string, expiresAt: Date): Promise<boolean> {
  const revoked = await tenant
    .insertInto('revokedAccessTokens')
    .values({ jti, expiresAt })
    .onConflict((conflict) => conflict.columns(['organisationId', 'jti']).doNothing())
    .returning('jti')
    .executeTakeFirst()
  return revoked !== undefined
}
