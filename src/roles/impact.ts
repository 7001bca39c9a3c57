import { sql } from 'kysely'
import type { Caller } from '../access/caller.ts'
import { effectivePermissions } from '../access/effective-permissions.ts'
import type { Tenant } from '../platform/database/database.ts'
import { plannedEachTime } from '../platform/database/planned-each-time.ts'
import { storedCountOfGroup } from '../platform/database/stored-counts.ts'
import { knownPermissions } from './create-role.ts'
import { getRole } from './queries.ts'
import { eitherPermissionsOrDeletion, ownerRoleCannotBeDeleted, ownerRoleKeepsItsPermissions } from './refusals.ts'
import type { AskedRoleChange, RoleImpact } from './schemas.ts'

const sampleSize = 10

/**
 * Predicts which users would gain or lose which permission if the role got these permissions, or were deleted. A user who has the
 * permission by another role too is not concerned, nor is one who is blocked or deleted and so has none.
 *
 * @throws Problem `not-found`; `bad-request` for an unknown permission, for neither or both, or for the owner role
 */
export async function roleImpact(tenant: Tenant, caller: Caller, id: string, asked: AskedRoleChange): Promise<RoleImpact> {
  const role = await getRole(tenant, id)
  if ((asked.permissionIds === undefined) === (asked.delete === undefined)) throw eitherPermissionsOrDeletion()
  if (asked.delete && role.isOwner) throw ownerRoleCannotBeDeleted()
  const held = new Set(role.permissions.map(({ slug }) => slug))
  const wanted = new Set((await knownPermissions(tenant, asked.permissionIds ?? [])).map(({ slug }) => slug))
  if (role.isOwner && wanted.symmetricDifference(held).size > 0) throw ownerRoleKeepsItsPermissions()

  const { users, permissions, apiKeys, sample } = await findImpact(tenant, id, [...wanted.difference(held)], [...held.difference(wanted)])
  const usersOf = (isGained: boolean) =>
    permissions.filter((one) => one.isGained === isGained).map(({ permission, users }) => ({ permission, users }))
  return { users, gains: usersOf(true), losses: usersOf(false), apiKeys, sample: caller.permissions.has('users:read') ? sample : [] }
}

interface FoundImpact {
  users: number
  permissions: { permission: string; isGained: boolean; users: number }[]
  apiKeys: number
  sample: { id: string; name: string; email: string }[]
}

/**
 * The number of the role's holders is stored, so only those are read who may have to be left out of the count: holders who are blocked,
 * and holders whose other roles grant some of the changed permissions. The latter are grouped by these roles, and the remaining
 * permissions are computed once for each group, for its first user.
 */
async function findImpact(tenant: Tenant, roleId: string, gained: readonly string[], lost: readonly string[]): Promise<FoundImpact> {
  const changed = [...gained, ...lost]
  if (changed.length === 0) return { users: 0, permissions: [], apiKeys: 0, sample: [] }
  const holds = (user: string) =>
    sql`held.organisation_id = ${tenant.organisationId} and held.role_id = ${roleId} and held.user_id = ${sql.raw(user)}`
  const isActive = sql`users.organisation_id = ${tenant.organisationId} and users.deleted_at is null and users.blocked_at is null`
  const { rows } = await sql<FoundImpact>`${sql.raw(plannedEachTime)}
    with active as materialized (
      select ${storedCountOfGroup('user_roles', 'roles')} - (
        select count(*) from users join user_roles held on ${holds('users.id')}
        where users.organisation_id = ${tenant.organisationId} and users.deleted_at is null and users.blocked_at is not null
      ) as holders
      from roles where roles.organisation_id = ${tenant.organisationId} and roles.id = ${roleId}
    ), others as materialized (
      select other.user_id, array_agg(other.role_id order by other.role_id) as role_ids
      from roles
      join user_roles other on other.organisation_id = roles.organisation_id and other.role_id = roles.id
      join user_roles held on ${holds('other.user_id')}
      join users on users.id = other.user_id and ${isActive}
      where roles.organisation_id = ${tenant.organisationId} and roles.id <> ${roleId} and roles.permission_slugs && ${changed}::text[]
      group by other.user_id
    ), changes as (
      select slug, true as is_gained from unnest(${gained}::text[]) as slug
      union all select slug, false from unnest(${lost}::text[]) as slug
    ), groups as (
      select role_ids, count(*) as users, min(user_id) as first_user from others group by role_ids
    ), unchanged as materialized (
      select groups.role_ids, groups.users, changes.slug
      from groups cross join lateral (
        select array(${sql.raw(effectivePermissions("current_setting('app.organisation_id')", 'groups.first_user'))} and ur.role_id <> ${roleId}) as slugs
      ) remaining
      join changes on changes.slug = any (remaining.slugs)
    ), unconcerned as materialized (
      select role_ids, users from unchanged group by role_ids, users having count(*) = ${changed.length}
    )
    select (select (holders - coalesce((select sum(users) from unconcerned), 0))::int from active) as "users",
      (select coalesce(json_agg(json_build_object('permission', slug, 'isGained', is_gained, 'users', users) order by slug), '[]') from (
        select slug, is_gained, (holders - coalesce((select sum(users) from unchanged where unchanged.slug = changes.slug), 0))::int as users
        from changes cross join active) of_permission where users > 0) as "permissions",
      (select count(*)::int from api_keys k
        join user_roles held on ${holds('k.created_by_id')}
        join users on users.id = k.created_by_id and ${isActive}
        left join others on others.user_id = k.created_by_id
        where k.organisation_id = ${tenant.organisationId} and k.deleted_at is null and (k.expires_at is null or k.expires_at > ${tenant.now})
          and exists (select from changes where slug = any (k.permissions)
            and not exists (select from unchanged where unchanged.role_ids = others.role_ids and unchanged.slug = changes.slug))) as "apiKeys",
      (select coalesce(json_agg(json_build_object('id', id, 'name', name, 'email', email) order by id), '[]') from (
        select users.id, users.name, users.email from user_roles held join users on users.id = held.user_id and ${isActive}
        where ${holds('held.user_id')}
          and held.user_id not in (select others.user_id from others join unconcerned on unconcerned.role_ids = others.role_ids)
        order by held.user_id limit ${sampleSize}) named) as "sample"`.execute(tenant)
  return rows[0] as FoundImpact
}
