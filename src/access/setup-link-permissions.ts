import { sql } from 'kysely'
import type { Tenant } from '../platform/database/database.ts'
import { effectivePermissions } from './effective-permissions.ts'

/**
 * The permissions that the creator of an open set-up link has now; undefined when the link has ended, its creator has no access any more, or
 * the organisation is neither on trial nor active. An API key that created it counts as in its own requests.
 */
export async function findPermissionsOfSetupLink(tenant: Tenant, id: string): Promise<Pick<ReadonlySet<string>, 'has'> | undefined> {
  const { rows } = await sql<{ isOfOperator: boolean; permissions: string[] }>`
    select l.created_by_id is null as is_of_operator,
      array(${sql.raw(effectivePermissions('l.organisation_id', 'l.created_by_id'))}
        and (k.id is null or p.slug = any(k.permissions))) as permissions
    from setup_links l
    join organisations o on o.id = l.organisation_id
    left join users u on u.organisation_id = l.organisation_id and u.id = l.created_by_id
    left join api_keys k on k.organisation_id = l.organisation_id and k.id = l.created_by_key_id
    where l.organisation_id = ${tenant.organisationId} and l.id = ${id}
      and l.finished_at is null and l.ended_at is null and l.expires_at > ${tenant.now} and o.status in ('trial', 'active')
      and (l.created_by_id is null or (u.blocked_at is null and u.deleted_at is null))
      and (l.created_by_key_id is null or (k.deleted_at is null and (k.expires_at is null or k.expires_at > ${tenant.now})))`.execute(
    tenant,
  )
  const [found] = rows
  if (!found) return undefined
  return found.isOfOperator ? { has: () => true } : new Set(found.permissions)
}
