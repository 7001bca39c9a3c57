import { sql } from 'kysely'
import { isSessionActiveAt } from '../access/session-expiry.ts'
import { getUser } from '../accounts/queries.ts'
import type { UserImpact } from '../accounts/schemas.ts'
import type { Tenant } from '../platform/database/database.ts'

/**
 * Counts what would end with the access of a user. An application that the user has only let in holds no tokens.
 *
 * @throws Problem `not-found`
 */
export async function countImpact(tenant: Tenant, userId: string): Promise<UserImpact> {
  const { id } = await getUser(tenant, userId)
  const { now } = tenant
  // Families are kept for a day beyond their tokens. A refresh puts that off once a day, so of what can be refreshed it says nothing.
  const { rows } = await sql<UserImpact>`
    select (select count(*) from sessions where user_id = ${id} and ${isSessionActiveAt('sessions', now)}) as sessions,
      (
        select count(distinct f.client_id)
        from token_families f join clients c on c.organisation_id = f.organisation_id and c.id = f.client_id
        where f.user_id = ${id} and f.revoked_at is null
          and (f.refreshable_until > ${now} or f.kept_until > ${now}::timestamptz + interval '1 day')
          and (f.consented_until is null or f.consented_until > ${now})
          and f.created_at > coalesce(c.tokens_valid_after, '-infinity')
      ) as applications`.execute(tenant)
  return rows[0] as UserImpact
}
