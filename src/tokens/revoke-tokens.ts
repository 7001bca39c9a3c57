import { CompiledQuery } from 'kysely'
import type { Tenant } from '../platform/database/database.ts'

/** Ends a family: its refresh tokens, and with them its access tokens, are dead from the next check on. Returns a row if it was alive. */
export const endFamily = (organisationId: string, familyId: string, now: Date): CompiledQuery =>
  CompiledQuery.raw(
    'update token_families set revoked_at = $3::timestamptz where organisation_id = $1 and id = $2 and revoked_at is null returning id',
    [organisationId, familyId, now],
  )

/** Ends one access token; what else its family holds lives on. Returns a row if it was not ended already. */
export const endAccessToken = (organisationId: string, jti: string, expiresAt: Date): CompiledQuery =>
  CompiledQuery.raw(
    'insert into revoked_access_tokens (organisation_id, jti, expires_at) values ($1, $2, $3::timestamptz) on conflict do nothing returning jti',
    [organisationId, jti, expiresAt],
  )

/** Runs one of the two. @returns whether it has ended something */
export async function end(tenant: Tenant, statement: CompiledQuery): Promise<boolean> {
  return (await tenant.getExecutor().executeQuery(statement)).rows.length > 0
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
