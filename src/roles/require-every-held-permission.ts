import { sql } from 'kysely'
import type { Caller } from '../access/caller.ts'
import { findLostPermission, lockUserOfCaller } from '../access/hold-caller.ts'
import { cannotGrant } from '../access/refusals.ts'
import { refuseGrantBeyond } from '../access/refuse-grant-beyond.ts'
import type { Tenant } from '../platform/database/database.ts'
import type { Giving } from './rules.ts'

/**
 * Admits a caller who decides how others sign in, and so could impersonate any of them: they must hold every permission that a user other
 * than the owner holds, and those of the roles that they thereby grant, the default role of new users among them. Blocked users count: they may be
 * unblocked. Until the commit, no role is taken from the caller's user.
 *
 * @param giving what the record gives after the change
 * @throws Problem `forbidden`, naming the first permission that they lack
 */
export async function requireEveryHeldPermission(tenant: Tenant, caller: Caller, giving: Giving): Promise<void> {
  const held = await findHeldPermissions(tenant, giving)
  refuseGrantBeyond(caller, held)
  if (caller.kind === 'system') return
  await lockUserOfCaller(tenant, caller)
  const lost = await findLostPermission(tenant, caller, held)
  if (lost) throw cannotGrant(lost)
}

/** The slugs that users other than the owner hold, and those of the roles that a record gives. */
export async function findHeldPermissions(tenant: Tenant, { roleIds, createsUsers }: Giving): Promise<string[]> {
  const { rows } = await sql<{ slug: string }>`
    select distinct held.slug
    from roles cross join lateral unnest(roles.permission_slugs) as held (slug)
    where roles.organisation_id = ${tenant.organisationId} and (roles.id = any(${roleIds}::text[])
      or (roles.is_default and ${createsUsers}::boolean) or exists (
      select from user_roles assigned
      join users on users.organisation_id = assigned.organisation_id and users.id = assigned.user_id
      join organisations on organisations.id = users.organisation_id
      where assigned.organisation_id = roles.organisation_id and assigned.role_id = roles.id
        and users.deleted_at is null and users.id is distinct from organisations.owner_id))
    order by held.slug`.execute(tenant)
  return rows.map(({ slug }) => slug)
}
