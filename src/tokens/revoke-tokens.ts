import { type RawBuilder, sql } from 'kysely'
import type { Tenant } from '../platform/database/database.ts'

/** Ends a family: its refresh tokens, and with them its access tokens, are dead from the next check on. Returns a row if it was alive. */
export const endFamily = ({ now }: Tenant, familyId: string): RawBuilder<unknown> =>
  sql`update token_families set revoked_at = ${now} where id = ${familyId} and revoked_at is null returning id`

/** Ends one access token; what else its family holds lives on. Returns a row if it was not ended already. */
export const endAccessToken = (jti: string, expiresAt: Date): RawBuilder<unknown> =>
  sql`insert into revoked_access_tokens (jti, expires_at) values (${jti}, ${expiresAt}) on conflict (organisation_id, jti) do nothing returning jti`

/** Runs one of the two. @returns whether it has ended something */
export async function end(tenant: Tenant, statement: RawBuilder<unknown>): Promise<boolean> {
  return (await statement.execute(tenant)).rows.length > 0
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
