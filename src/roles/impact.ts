import { sql } from 'kysely'
import type { Caller } from '../access/caller.ts'
import { effectivePermissions } from '../access/effective-permissions.ts'
import type { Tenant } from '../platform/database/database.ts'
import { knownPermissions } from './create-role.ts'
import { getRole } from './queries.ts'
import { eitherPermissionsOrDeletion, ownerRoleCannotBeDeleted, ownerRoleKeepsItsPermissions } from './refusals.ts'
import type { AskedRoleChange, RoleImpact } from './schemas.ts'

const sampleSize = 10

/**
 * What would follow if the role got these permissions, or were deleted: who would gain or lose which permission. A user who
 * has it by another role too is not concerned, nor is one who is blocked or deleted and so has none.
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
 * Users with the same other roles are one group: which permissions those roles grant is asked once for each group, of its
 * first user.
 */
async function findImpact(tenant: Tenant, roleId: string, gained: readonly string[], lost: readonly string[]): Promise<FoundImpact> {
  const { rows } = await sql<FoundImpact>`
    with holders as (
      select users.organisation_id, users.id, array_agg(other.role_id order by other.role_id) as other_roles
      from user_roles held
      join users on users.organisation_id = held.organisation_id and users.id = held.user_id
      left join user_roles other
        on other.organisation_id = held.organisation_id and other.user_id = held.user_id and other.role_id <> held.role_id
      where held.organisation_id = ${tenant.organisationId} and held.role_id = ${roleId}
        and users.deleted_at is null and users.blocked_at is null
      group by users.organisation_id, users.id
    ), groups as (
      select organisation_id, other_roles, count(*) as users, min(id) as first_user
      from holders group by organisation_id, other_roles
    ), changes as (
      select slug, true as is_gained from unnest(${gained}::text[]) as slug
      union all select slug, false from unnest(${lost}::text[]) as slug
    ), concerned as (
      select groups.other_roles, groups.users, changes.slug, changes.is_gained
      from groups cross join lateral (
        select array(${sql.raw(effectivePermissions('groups.organisation_id', 'groups.first_user'))} and ur.role_id <> ${roleId}) as slugs
      ) remaining
      join changes on changes.slug <> all (remaining.slugs)
    ), concerned_users as (
      select holders.id, holders.other_roles from holders
      where exists (select from concerned where concerned.other_roles = holders.other_roles)
    )
    select (select count(*)::int from concerned_users) as "users",
      (select coalesce(json_agg(json_build_object('permission', slug, 'isGained', is_gained, 'users', users) order by slug), '[]')
        from (select slug, is_gained, sum(users)::int as users from concerned group by slug, is_gained) of_permission) as "permissions",
      (select count(*)::int from api_keys k join concerned_users on concerned_users.id = k.created_by_id
        where k.organisation_id = ${tenant.organisationId} and k.deleted_at is null and (k.expires_at is null or k.expires_at > ${tenant.now})
          and exists (select from concerned where concerned.other_roles = concerned_users.other_roles and slug = any (k.permissions)))
        as "apiKeys",
      (select coalesce(json_agg(json_build_object('id', id, 'name', name, 'email', email) order by id), '[]') from (
        select users.id, users.name, users.email from concerned_users
        join users on users.organisation_id = ${tenant.organisationId} and users.id = concerned_users.id
        order by users.id limit ${sampleSize}) named) as "sample"`.execute(tenant)
  return rows[0] as FoundImpact
}
