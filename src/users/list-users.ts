import { type RawBuilder, sql } from 'kysely'
import { effectivePermissions } from '../access/effective-permissions.ts'
import { presentUser } from '../accounts/present-user.ts'
import { allUsersWithReferences } from '../accounts/queries.ts'
import { UserFilters, UserRecord } from '../accounts/schemas.ts'
import type { Tenant } from '../platform/database/database.ts'
import { storedCount } from '../platform/database/stored-counts.ts'
import { defineList } from '../platform/http/record-list.ts'
import { idsFrom } from '../platform/ids.ts'

export const userList = defineList({
  record: UserRecord,
  present: presentUser,
  rows: (tenant: Tenant) => allUsersWithReferences(tenant, tenant.now),
  storedCount: (tenant: Tenant) => storedCount(tenant, 'users'),
  idColumn: 'users.id',
  sorts: {
    createdAt: 'users.id',
    name: 'users.nameKey',
    email: 'users.email',
    lastLoginAt: { time: 'users.lastLoginKey' },
  },
  defaultSort: 'createdAt',
  search: ['users.nameKey', 'users.lastNameKey', 'users.email'],
  searched: 'name, last name or e-mail address',
  filters: { fields: UserFilters.shape, conditions: conditionsOf },
})

const column = (name: string) => sql.ref(`users.${name}`)
const isNotDeleted = sql<boolean>`${column('deletedAt')} is null`
const hasSignedIn = sql<boolean>`${column('lastLoginAt')} is not null`

/** The condition of each status, for users who have not been deleted. */
const statuses = {
  active: sql<boolean>`${column('blockedAt')} is null`,
  blocked: sql<boolean>`${column('blockedAt')} is not null`,
  unverified: sql<boolean>`${column('emailVerifiedAt')} is null`,
  // The index for sorting by the last sign-in serves this condition.
  never_signed_in: sql<boolean>`${column('lastLoginKey')} = '1970-01-01T00:00:00Z'`,
}

function conditionsOf(filters: UserFilters) {
  const { status, roleId, teamId, permission, emailDomain, mfaEnabled, createdFrom, createdTo, lastLoginBefore } = filters
  return [
    ...(status === 'deleted'
      ? [sql<boolean>`${column('deletedAt')} is not null`, sql<boolean>`${column('erasedAt')} is null`]
      : [isNotDeleted]),
    ...(status && status !== 'deleted' ? [statuses[status]] : []),
    ...(roleId ? [ofUser(sql`select from user_roles r where ${isOfUser('r')} and r.role_id = ${roleId}`)] : []),
    ...(teamId ? [ofUser(sql`select from team_members t where ${isOfUser('t')} and t.team_id = ${teamId}`)] : []),
    ...(permission ? [ofUser(heldPermission(permission))] : []),
    ...(emailDomain ? [sql<boolean>`split_part(${column('email')}, '@', 2) = ${emailDomain.toLowerCase()}`] : []),
    ...(mfaEnabled !== undefined ? [sql<boolean>`${column('mfaEnabled')} = ${mfaEnabled}`] : []),
    ...(createdFrom ? [sql<boolean>`${column('id')} >= ${idsFrom('usr', createdFrom)}`] : []),
    ...(createdTo ? [sql<boolean>`${column('id')} < ${idsFrom('usr', createdTo)}`] : []),
    ...(lastLoginBefore ? [hasSignedIn, sql<boolean>`${column('lastLoginKey')} < ${lastLoginBefore}`] : []),
  ]
}

const ofUser = (rows: RawBuilder<unknown>) => sql<boolean>`exists (${rows})`
const isOfUser = (alias: string) =>
  sql`${sql.ref(`${alias}.organisationId`)} = ${column('organisationId')} and ${sql.ref(`${alias}.userId`)} = ${column('id')}`

const heldPermission = (slug: string) => sql`${sql.raw(effectivePermissions('users.organisation_id', 'users.id'))} and p.slug = ${slug}`
