import { type Selectable, sql } from 'kysely'
import { jsonArrayFrom } from 'kysely/helpers/postgres'
import { permissionsHeldBy, type Responsible } from '../access/held-permissions.ts'
import { permissionBeyond } from '../access/rules.ts'
import { changeOf } from '../activity/change-of.ts'
import { compiledOnce } from '../platform/database/compiled.ts'
import { refuseViolation } from '../platform/database/constraints.ts'
import type { SharedReads, System, Tenant } from '../platform/database/database.ts'
import { lockUntilCommit } from '../platform/database/locks-and-channels.ts'
import { isNamed } from '../platform/database/named.ts'
import { storedCountOfGroup } from '../platform/database/stored-counts.ts'
import type { RolesTable } from '../platform/database/tables.ts'
import { presentTime } from '../platform/http/fields.ts'
import { defineVersion } from '../platform/http/versions.ts'
import { newId } from '../platform/ids.ts'
import { roleNotFound, roleSlugTaken } from './refusals.ts'
import { type NewRole, RoleChanges, type RoleRecord } from './schemas.ts'
import { rowsWithSources } from './sources.ts'

export type Role = Selectable<RolesTable> & { permissions: { id: string; slug: string; name: string }[] }

export type RoleWithUserCount = Role & Pick<RoleRecord, 'userCount'>

/** A role as events show it. */
export function presentRole({ id, name, slug, description, isDefault, permissions, createdAt, updatedAt }: Role) {
  return { id, name, slug, description, isDefault, permissions, createdAt: presentTime(createdAt), updatedAt: presentTime(updatedAt) }
}

export const presentRoleRecord = (role: RoleWithUserCount): RoleRecord => ({ ...presentRole(role), userCount: role.userCount })

export const roleVersion = defineVersion<Omit<RoleRecord, 'userCount'>>([...Object.keys(RoleChanges.shape), 'permissions'])

export const roleChange = changeOf({
  notFound: roleNotFound,
  version: roleVersion,
  present: presentRole,
  updated: (role) => ({ action: 'role.updated', role }),
  deleted: (role) => ({ action: 'role.deleted', role }),
})

const rolesWithPermissions = (reads: SharedReads) =>
  reads
    .selectFrom('roles')
    .selectAll('roles')
    .select((role) =>
      jsonArrayFrom(
        role
          .selectFrom('rolePermissions')
          .innerJoin('permissions', 'permissions.id', 'rolePermissions.permissionId')
          .select(['permissions.id', 'permissions.slug', 'permissions.name'])
          .whereRef('rolePermissions.organisationId', '=', 'roles.organisationId')
          .whereRef('rolePermissions.roleId', '=', 'roles.id')
          .orderBy('permissions.slug'),
      ).as('permissions'),
    )

export const rolesWithUserCount = (reads: SharedReads) =>
  rolesWithPermissions(reads).select(storedCountOfGroup('user_roles', 'roles').as('userCount'))

const findRole = compiledOnce((reads, id: string) => rolesWithUserCount(reads).where('roles.id', '=', id))

/** @throws Problem `not-found` */
export async function getRole(tenant: Tenant, id: string): Promise<RoleWithUserCount> {
  const role = await findRole(tenant, id)
  if (!role) throw roleNotFound()
  return role
}

/** The role, whose row stays locked until the end of the transaction. */
export async function lockRole(tenant: Tenant, id: string): Promise<Role | undefined> {
  // First: a statement that waits for the lock reads the permissions as they were before.
  await tenant.selectFrom('roles').select('id').where('id', '=', id).forUpdate().execute()
  return rolesWithPermissions(tenant).where('roles.id', '=', id).executeTakeFirst()
}

/** The roles with these ids or slugs, locked against deletion until the end of the transaction. Unknown ones are left out. */
export async function findRoles(tenant: Tenant, names: readonly string[]): Promise<Role[]> {
  return rolesWithPermissions(tenant).where(isNamed('roles', names)).forKeyShare('roles').execute()
}

export async function findDefaultRole(tenant: Tenant): Promise<Role | undefined> {
  return rolesWithPermissions(tenant).where('roles.isDefault', '=', true).forKeyShare('roles').executeTakeFirst()
}

/** The permissions that a user holds now, by a key of theirs or without one. */
export async function findPermissionsOf(tenant: Tenant, responsible: Responsible): Promise<Set<string>> {
  const { rows } = await sql<{ slug: string }>`select distinct held.slug from (${permissionsHeldBy(tenant, responsible)}) as held`.execute(
    tenant,
  )
  return new Set(rows.map(({ slug }) => slug))
}

/** Whether a user holds now all that a role gives, by a key of theirs or without one. */
export async function mayGrant(tenant: Tenant, responsible: Responsible, role: Role): Promise<boolean> {
  return permissionBeyond({ permissions: await findPermissionsOf(tenant, responsible) }, permissionsOf([role])) === undefined
}

export function permissionsOf(roles: readonly Role[]): Set<string> {
  return new Set(roles.flatMap(({ permissions }) => permissions.map(({ slug }) => slug)))
}

/** The role that holds every permission; each organisation has it. */
export async function findOwnerRole(tenant: Tenant): Promise<Role> {
  return rolesWithPermissions(tenant).where('roles.isOwner', '=', true).executeTakeFirstOrThrow()
}

export async function findOwnerRoles(system: System, organisationIds: readonly string[]): Promise<Role[]> {
  return rolesWithPermissions(system)
    .where('roles.isOwner', '=', true)
    .where('roles.organisationId', '=', sql<string>`any(${organisationIds}::text[])`)
    .execute()
}

export type RoleKey = Pick<Role, 'organisationId' | 'id'>

/** The roles of these organisations that hold a permission. */
export async function listRolesWith(system: System, permissionId: string, organisationIds: readonly string[]): Promise<RoleKey[]> {
  return system
    .selectFrom('rolePermissions')
    .select(['organisationId', 'roleId as id'])
    .where('permissionId', '=', permissionId)
    .where('organisationId', '=', sql<string>`any(${organisationIds}::text[])`)
    .execute()
}

/** These roles, of any organisations. */
export async function findRolesIn(system: System, keys: readonly RoleKey[]): Promise<Role[]> {
  const [organisationIds, ids] = [keys.map(({ organisationId }) => organisationId), keys.map(({ id }) => id)]
  const isOne = sql<boolean>`(roles.organisation_id, roles.id) in (select * from unnest(${organisationIds}::text[], ${ids}::text[]))`
  return rolesWithPermissions(system).where(isOne).execute()
}

type RoleToInsert = Omit<NewRole, 'permissionIds'> & { isOwner?: boolean }

export async function insertRole(tenant: Tenant, role: RoleToInsert): Promise<string> {
  const [id] = await insertRoles(tenant, [role])
  return id as string
}

/** @returns their ids, in the given order */
export async function insertRoles(tenant: Tenant, roles: readonly RoleToInsert[]): Promise<string[]> {
  const rows = roles.map(({ name, slug, description, isDefault, isOwner = false }) => ({
    id: newId('rol', tenant.now),
    name,
    slug,
    description,
    isDefault,
    isOwner,
    createdAt: tenant.now,
    updatedAt: tenant.now,
  }))
  await tenant
    .insertInto('roles')
    .values(rows)
    .execute()
    .catch(refuseViolation({ roles_slug_key: roleSlugTaken }))
  return rows.map(({ id }) => id)
}

export async function updateRole(tenant: Tenant, id: string, { name, description, isDefault }: RoleChanges): Promise<void> {
  await tenant
    .updateTable('roles')
    .set({
      ...(name !== undefined && { name }),
      ...(description !== undefined && { description }),
      ...(isDefault !== undefined && { isDefault }),
      updatedAt: tenant.now,
    })
    .where('id', '=', id)
    .execute()
}

/**
 * Makes the default role, if there is one, an ordinary role. It locks the organisation's row until the end of the
 * transaction, so that of two new defaults at once the second sees the first.
 *
 * @returns its id
 */
export async function clearDefaultRole(tenant: Tenant): Promise<string | undefined> {
  await tenant.selectFrom('organisations').select('id').forNoKeyUpdate().execute()
  const cleared = tenant.updateTable('roles').set({ isDefault: false, updatedAt: tenant.now }).where('isDefault', '=', true)
  return (await cleared.returning('id').executeTakeFirst())?.id
}

export async function replacePermissions(tenant: Tenant, roleId: string, permissionIds: readonly string[]): Promise<void> {
  await tenant
    .deleteFrom('rolePermissions')
    .where('roleId', '=', roleId)
    .where('permissionId', '!=', sql<string>`all(${permissionIds}::text[])`)
    .execute()
  await tenant
    .insertInto('rolePermissions')
    .columns(['roleId', 'permissionId'])
    .expression(sql`select ${roleId}, id from permissions where id = any(${permissionIds}::text[])`)
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

/**
 * Grants a new permission to the owner role of every organisation. It waits for organisations that are being created, and they wait for
 * it: otherwise the owner role of a new organisation could miss the permission.
 */
export async function grantToOwnerRoles(system: System, permissionId: string): Promise<void> {
  await lockUntilCommit(system, 'permissions')
  await system
    .insertInto('rolePermissions')
    .columns(['organisationId', 'roleId', 'permissionId'])
    .expression((query) =>
      query
        .selectFrom('roles')
        .select((role) => ['roles.organisationId', 'roles.id', role.val(permissionId).as('permissionId')])
        .where('roles.isOwner', '=', true),
    )
    .execute()
}

/** Grants each role every permission, except those that it excludes. */
export async function grantEveryPermission(tenant: Tenant, roles: readonly { roleId: string; except?: string }[]): Promise<void> {
  await lockUntilCommit(tenant, 'permissions', { shared: true })
  const roleIds = roles.map(({ roleId }) => roleId)
  const excepts = roles.map(({ except }) => except ?? null)
  await tenant
    .insertInto('rolePermissions')
    .columns(['roleId', 'permissionId'])
    .expression(
      sql`
        select role_id, id
        from permissions, unnest(${roleIds}::text[], ${excepts}::text[]) as role (role_id, except_slug)
        where slug is distinct from except_slug`,
    )
    .execute()
}

/** The statements that assign roles. */
export const assignments = rowsWithSources('user_roles')

/** Assigns roles manually to users who have none yet, in one statement. */
export async function assignRoles(tenant: Tenant, given: readonly { userId: string; roleId: string }[]): Promise<void> {
  if (given.length === 0) return
  await tenant
    .insertInto('userRoles')
    .values(given.map((row) => ({ ...row, createdAt: tenant.now })))
    .execute()
}

/** Removes a role from all users who have it, with its sources. */
export const unassignFromAll = (roleId: string) =>
  sql<{ userId: string }>`delete from user_roles where role_id = ${roleId} returning user_id`

export async function deleteRole(tenant: Tenant, id: string): Promise<void> {
  await tenant.deleteFrom('roles').where('id', '=', id).execute()
}
