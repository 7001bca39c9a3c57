import { sql } from 'kysely'
import type { Tenant } from '../platform/database/database.ts'
import { getClient } from './queries.ts'
import type { ClientImpact } from './schemas.ts'

/**
 * Counts what would end with a client. Its token families are found by their index of users and clients, of which the part of the
 * organisation is read: an index by client alone would cost every sign-in, and this request is rare.
 *
 * @throws Problem `not-found`
 */
export async function countImpact(tenant: Tenant, id: string): Promise<ClientImpact> {
  const { tokensValidAfter } = await getClient(tenant, id)
  const { rows } = await sql<ClientImpact>`
    select count(distinct user_id) as users, count(*) as refresh_tokens,
      (select count(*) from consents where client_id = ${id}) as consents
    from token_families
    where client_id = ${id} and revoked_at is null and refreshable_until > ${tenant.now}
      and created_at > coalesce(${tokensValidAfter}::timestamptz, '-infinity')`.execute(tenant)
  return rows[0] as ClientImpact
}
