import type { RawBuilder } from 'kysely'
import type { Tenant } from '../platform/database/database.ts'
import { type KeyedValues, statement } from '../platform/database/statement.ts'

/** Ends a family, whose id is the key: its refresh tokens and its access tokens are refused from the next check on. */
export const endFamily = statement<KeyedValues & { now: Date }, { id: string }>(`
  update token_families set revoked_at = :now::timestamptz
  where organisation_id = :organisationId and id = :key and revoked_at is null returning id`)

/** Ends one access token, whose `jti` is the key; the rest of its family stays valid. */
export const endAccessToken = statement<KeyedValues & { expiresAt: Date }, { id: string }>(`
  insert into revoked_access_tokens (organisation_id, jti, expires_at) values (:organisationId, :key, :expiresAt::timestamptz)
  on conflict do nothing returning jti as id`)

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

/** Ends what users have authorized in sessions that did not come by a connection. A session that is gone came by none. */
export async function revokeTokensBesides(tenant: Tenant, users: RawBuilder<string>, connectionId: string): Promise<void> {
  const sessions = tenant.selectFrom('sessions').select('id').where('connectionId', '=', connectionId)
  // Codes first, as above.
  await tenant
    .updateTable('authorizationCodes')
    .set({ usedAt: tenant.now })
    .where('usedAt', 'is', null)
    .where('userId', 'in', users)
    .where('sessionId', 'not in', sessions)
    .execute()
  await tenant
    .updateTable('tokenFamilies')
    .set({ revokedAt: tenant.now })
    .where('revokedAt', 'is', null)
    .where('userId', 'in', users)
    .where('sessionId', 'not in', sessions)
    .execute()
}
