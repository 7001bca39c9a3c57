import { type RawBuilder, sql } from 'kysely'
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

/** Ends everything that a user has authorized, optionally only for one client, or in all sessions except one. */
export async function revokeTokensOfUser(
  tenant: Tenant,
  userId: string,
  { clientId, exceptSessionId }: { clientId?: string; exceptSessionId?: string | undefined } = {},
): Promise<void> {
  await endTokens(
    tenant,
    sql<boolean>`user_id = ${userId} and (${clientId ?? null}::text is null or client_id = ${clientId ?? null})
      and (${exceptSessionId ?? null}::text is null or session_id is distinct from ${exceptSessionId ?? null})`,
  )
}

/** Ends everything that users of the organisation have authorized. */
export async function revokeTokensOfOrganisation(tenant: Tenant): Promise<void> {
  await endTokens(tenant, sql<boolean>`true`)
}

/** Ends everything that users have authorized in sessions that are not by a given connection. */
export async function revokeTokensBesides(tenant: Tenant, users: RawBuilder<string>, connectionId: string): Promise<void> {
  await endTokens(tenant, sql<boolean>`user_id in ${users} and connection_id is distinct from ${connectionId}`)
}

/** Sign-ins by a connection: all, or those of a user, of one session at the identity provider, or both. */
export interface SignInsByConnection {
  connectionId: string
  userId?: string | undefined
  upstreamSession?: string | undefined
  /** A session of ours that continues, with the tokens that it has authorized. */
  exceptSessionId?: string | undefined
}

/** Ends everything that users have authorized in sessions by a connection, whether or not those sessions are still active. */
export async function revokeTokensOfConnection(
  tenant: Tenant,
  { connectionId, userId, upstreamSession, exceptSessionId }: SignInsByConnection,
): Promise<void> {
  await endTokens(
    tenant,
    sql<boolean>`connection_id = ${connectionId}
      and (${userId ?? null}::text is null or user_id = ${userId ?? null})
      and (${upstreamSession ?? null}::text is null or upstream_session = ${upstreamSession ?? null}
        -- The provider never said which session it was.
        or (upstream_session is null and ${userId ?? null}::text is not null))
      and session_id is distinct from ${exceptSessionId ?? null}`,
  )
}

/** Ends everything that clients may do for users by assertions of a connection's provider. */
export async function revokeAssertedTokens(tenant: Tenant, connectionId: string): Promise<void> {
  await tenant
    .updateTable('tokenFamilies')
    .set({ revokedAt: tenant.now })
    .where('connectionId', '=', connectionId)
    .where('identityId', 'is not', null)
    .where('revokedAt', 'is', null)
    .execute()
}

/** Ends codes first: this waits for one that is being redeemed, so that its family is then found. */
async function endTokens(tenant: Tenant, which: RawBuilder<boolean>): Promise<void> {
  await tenant.updateTable('authorizationCodes').set({ usedAt: tenant.now }).where('usedAt', 'is', null).where(which).execute()
  await tenant.updateTable('deviceCodes').set({ usedAt: tenant.now }).where('usedAt', 'is', null).where(which).execute()
  await tenant.updateTable('tokenFamilies').set({ revokedAt: tenant.now }).where('revokedAt', 'is', null).where(which).execute()
}
