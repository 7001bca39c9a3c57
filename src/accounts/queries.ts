import { type ExpressionBuilder, type Selectable, sql, type Updateable } from 'kysely'
import { jsonArrayFrom } from 'kysely/helpers/postgres'
import { signInSetting } from '../access/sign-in-setting.ts'
import { compiledOnce } from '../platform/database/compiled.ts'
import { refuseViolation } from '../platform/database/constraints.ts'
import type { Database, SharedReads, System, Tenant } from '../platform/database/database.ts'
import { plannedEachTime } from '../platform/database/planned-each-time.ts'
import type { Tables, UsersTable } from '../platform/database/tables.ts'
import { newId } from '../platform/ids.ts'
import { sourcesOf } from '../roles/sources.ts'
import { emailTaken, userNotFound } from './refusals.ts'
import type { UserDetails, UserRecord } from './schemas.ts'
import { signsInByPasskey } from './signs-in-by-passkey.ts'

/**
 * A user's row without the hash of the password, which only signing in reads, and without the columns that only order lists. A
 * lock that has expired reads as no lock.
 */
export type User = Omit<
  Selectable<UsersTable>,
  | 'passwordHash'
  | 'passwordBreachedAt'
  | 'passkeyOfferedAt'
  | 'nameKey'
  | 'lastNameKey'
  | 'lastLoginKey'
  | 'erasedAt'
  | 'wrongCodes'
  | 'codesRefusedUntil'
>
export type UserWithReferences = User & Pick<UserRecord, 'roles' | 'teams'>
export type UserWithDetails = User & Pick<UserDetails, 'roles' | 'teams' | 'managedBy'>

const columns = [
  'users.organisationId',
  'users.id',
  'users.email',
  'users.firstName',
  'users.lastName',
  'users.name',
  'users.phone',
  'users.emailVerifiedAt',
  'users.passwordChangedAt',
  'users.mfaEnabled',
  'users.blockedAt',
  'users.blockedReason',
  'users.lastLoginAt',
  'users.metadata',
  'users.createdAt',
  'users.updatedAt',
  'users.deletedAt',
] as const

type UserExpression = ExpressionBuilder<Tables, 'users'>

const rolesOf = (user: UserExpression) =>
  user
    .selectFrom('userRoles')
    .innerJoin('roles', (join) =>
      join.onRef('roles.organisationId', '=', 'userRoles.organisationId').onRef('roles.id', '=', 'userRoles.roleId'),
    )
    .select(['roles.id', 'roles.name', 'roles.slug'])
    .whereRef('userRoles.organisationId', '=', 'users.organisationId')
    .whereRef('userRoles.userId', '=', 'users.id')
    .orderBy('roles.id')

const teamsOf = (user: UserExpression) =>
  user
    .selectFrom('teamMembers')
    .innerJoin('teams', (join) =>
      join.onRef('teams.organisationId', '=', 'teamMembers.organisationId').onRef('teams.id', '=', 'teamMembers.teamId'),
    )
    .select(['teams.id', 'teams.name', 'teams.slug'])
    .whereRef('teamMembers.organisationId', '=', 'users.organisationId')
    .whereRef('teamMembers.userId', '=', 'users.id')
    .orderBy('teams.id')

const lockedUntil = (now: Date) =>
  sql<Date | null>`case when ${sql.ref('users.lockedUntil')} > ${now} then ${sql.ref('users.lockedUntil')} end`.as('lockedUntil')

const all = (reads: SharedReads, now: Date) => reads.selectFrom('users').select(columns).select(lockedUntil(now))

/** All users, including deleted ones. */
export const allUsersWithReferences = (reads: SharedReads, now: Date) =>
  all(reads, now).select((user) => [jsonArrayFrom(rolesOf(user)).as('roles'), jsonArrayFrom(teamsOf(user)).as('teams')])

const usersWithReferences = (reads: SharedReads, now: Date) => allUsersWithReferences(reads, now).where('users.deletedAt', 'is', null)

const findUserAt = compiledOnce((reads, id: string, now: Date) => usersWithReferences(reads, now).where('users.id', '=', id))

export async function findUser(tenant: Tenant, id: string): Promise<UserWithReferences | undefined> {
  return findUserAt(tenant, id, tenant.now)
}

/** @throws Problem `not-found` */
export async function getUser(tenant: Tenant, id: string): Promise<UserWithReferences> {
  const user = await findUser(tenant, id)
  if (!user) throw userNotFound()
  return user
}

/** The users with these ids, except deleted ones. */
export async function findUsers(tenant: Tenant, ids: readonly string[]): Promise<UserWithReferences[]> {
  return usersWithReferences(tenant, tenant.now).where('users.id', '=', sql<string>`any(${ids}::text[])`).execute()
}

/** A user, deleted or not, unless erased. The row stays locked until the end of the transaction. */
export async function lockDeletedUser(tenant: Tenant, id: string): Promise<UserWithReferences | undefined> {
  await lockRow(tenant, id)
  return notErased(tenant).where('users.id', '=', id).executeTakeFirst()
}

export async function findUserByEmail(tenant: Tenant, email: string): Promise<UserWithReferences | undefined> {
  return notErased(tenant).where('users.email', '=', email).executeTakeFirst()
}

const notErased = (tenant: Tenant) => allUsersWithReferences(tenant, tenant.now).where('users.erasedAt', 'is', null)

/** The user, whose row stays locked until the end of the transaction. */
export async function lockUser(tenant: Tenant, id: string): Promise<User | undefined> {
  return all(tenant, tenant.now).where('users.id', '=', id).where('users.deletedAt', 'is', null).forUpdate('users').executeTakeFirst()
}

/** The same with roles and teams. What gives or takes one of them locks the user; the deletion of a role or a team does not. */
export async function lockUserWithReferences(tenant: Tenant, id: string): Promise<UserWithReferences | undefined> {
  await lockRow(tenant, id)
  return findUser(tenant, id)
}

/** To be called first: a statement that waits for the lock reads the roles and teams as they were before. */
async function lockRow(tenant: Tenant, id: string): Promise<void> {
  await tenant.selectFrom('users').select('id').where('id', '=', id).forUpdate().execute()
}

/** The directory that manages a user. */
const managedBy = sql<UserDetails['managedBy']>`(
  select json_build_object('type', 'directory', 'id', directories.id, 'name', directories.name)
  from directory_users managed
  join directories on directories.organisation_id = managed.organisation_id and directories.id = managed.directory_id
  where managed.organisation_id = users.organisation_id and managed.user_id = users.id and managed.deprovisioned_at is null)`

export async function findUserDetails(tenant: Tenant, id: string): Promise<UserWithDetails | undefined> {
  return findUserDetailsAt(tenant, id, tenant.now)
}

const findUserDetailsAt = compiledOnce((reads, id: string, now: Date) =>
  all(reads, now)
    .where('users.deletedAt', 'is', null)
    .select((user) => [
      jsonArrayFrom(
        rolesOf(user)
          .select(['roles.description', sourcesOf('user_roles', 'user_roles').as('sources')])
          .select((role) =>
            jsonArrayFrom(
              role
                .selectFrom('rolePermissions')
                .innerJoin('permissions', 'permissions.id', 'rolePermissions.permissionId')
                .select(['permissions.id', 'permissions.slug', 'permissions.name', 'permissions.description'])
                .whereRef('rolePermissions.organisationId', '=', 'roles.organisationId')
                .whereRef('rolePermissions.roleId', '=', 'roles.id')
                .orderBy('permissions.slug'),
            ).as('permissions'),
          ),
      ).as('roles'),
      jsonArrayFrom(teamsOf(user).select(['teams.description', sourcesOf('team_members', 'team_members').as('sources')])).as('teams'),
      managedBy.as('managedBy'),
    ])
    .where('users.id', '=', id),
)

/** For the operator: the organisation of the user with this e-mail address or id, deleted or not. */
export async function findUserAnywhere(
  database: Database,
  emailOrId: string,
): Promise<{ userId: string; organisationId: string; email: string } | undefined> {
  return database
    .system()
    .selectFrom('users')
    .select(['id as userId', 'organisationId', 'email'])
    .where((user) => user.or([user('email', '=', emailOrId), user('id', '=', emailOrId)]))
    .where('erasedAt', 'is', null)
    .executeTakeFirst()
}

/** The addresses of users in all organisations that begin so, in no order. */
export async function emailsBeginningWith(database: Database, beginning: string, most: number): Promise<string[]> {
  const rows = await database
    .system()
    .selectFrom('users')
    .select('email')
    .where(sql<boolean>`starts_with(email, ${beginning})`)
    .where('erasedAt', 'is', null)
    .limit(most)
    .execute()
  return rows.map(({ email }) => email)
}

/**
 * The organisations that these addresses belong to, by address: that of the user, deleted or not, or else the organisation that has
 * verified the address's domain, unless that is the asking organisation.
 *
 * @param organisationId the asking organisation; undefined for one that does not exist yet
 */
export async function findRegistered(
  database: Database,
  emails: readonly string[],
  organisationId: string | undefined,
): Promise<Map<string, string>> {
  if (emails.length === 0) return new Map()
  const { rows } = await sql<{ email: string; organisationId: string }>`${sql.raw(plannedEachTime)}
    select given.email, coalesce(users.organisation_id, kept.organisation_id) as organisation_id
    from unnest(${emails}::text[]) as given (email)
    left join users on users.email = given.email
    left join organisation_domains kept on kept.domain = split_part(given.email, '@', 2) and kept.status = 'verified'
      and kept.organisation_id is distinct from ${organisationId ?? null}::text
    where users.id is not null or kept.id is not null`.execute(database.system())
  return new Map(rows.map((row) => [row.email, row.organisationId]))
}

/** Whether the organisation cannot add a user with the address: the user exists, or another organisation has verified the domain. */
export async function isRegistered(database: Database, email: string, organisationId?: string): Promise<boolean> {
  return (await findRegistered(database, [email], organisationId)).has(email)
}

export interface UserToInsert {
  id?: string
  email: string
  firstName: string
  lastName: string
  phone?: string | null
  passwordHash: string | null
  emailVerifiedAt?: Date | null
  mfaEnabled?: boolean
  blockedAt?: Date | null
  metadata?: Record<string, unknown> | undefined
  /** When an imported user was created elsewhere, which the time in the id says, too. */
  createdAt?: Date
}

/** A new user as every way to create one stores it. */
const rowOf = ({ now }: Tenant, { id = newId('usr', now), metadata = {}, createdAt = now, ...user }: UserToInsert) => ({
  id,
  ...user,
  metadata: JSON.stringify(metadata),
  passwordChangedAt: user.passwordHash === null ? null : now,
  createdAt,
  updatedAt: now,
})

export async function insertUser(tenant: Tenant, user: UserToInsert): Promise<User> {
  return tenant
    .insertInto('users')
    .values(rowOf(tenant, user))
    .returning([...columns, 'users.lockedUntil'])
    .executeTakeFirstOrThrow()
    .catch(refuseViolation({ users_email_key: emailTaken }))
}

/** Inserts users with one statement. @returns their rows, in no order */
export async function insertUsers(tenant: Tenant, users: readonly UserToInsert[]): Promise<User[]> {
  return tenant
    .insertInto('users')
    .values(users.map((user) => rowOf(tenant, user)))
    .returning([...columns, 'users.lockedUntil'])
    .execute()
    .catch(refuseViolation({ users_email_key: emailTaken }))
}

type UserColumns = Omit<Updateable<UsersTable>, 'metadata'> & { metadata?: Record<string, unknown> }

export async function updateUser(tenant: Tenant, id: string, { metadata, ...changes }: UserColumns): Promise<void> {
  await tenant
    .updateTable('users')
    .set({ ...changes, ...(metadata && { metadata: JSON.stringify(metadata) }), updatedAt: tenant.now })
    .where('id', '=', id)
    .execute()
}

/** Switches off the second factor of every user who has not enrolled one. */
export async function switchOffMfaWithoutFactor(tenant: Tenant): Promise<void> {
  await sql`
    update users set mfa_enabled = false
    where organisation_id = ${tenant.organisationId} and mfa_enabled and not exists (
      select from mfa_credentials held
      where held.organisation_id = users.organisation_id and held.user_id = users.id and held.verified_at is not null)`.execute(tenant)
}

/**
 * Stores a new hash of an account's present password.
 *
 * @returns false when the password has changed meanwhile
 */
export async function renewHash(
  tenant: Tenant,
  { id, passwordHash }: { id: string; passwordHash: string | null },
  renewedHash: string | null,
): Promise<boolean> {
  const { numUpdatedRows } = await tenant
    .updateTable('users')
    .set({ passwordHash: renewedHash })
    .where('id', '=', id)
    .where('passwordHash', '=', passwordHash)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

/**
 * Marks an account's present password as breached.
 *
 * @returns false when it is marked already, or the password has changed meanwhile
 */
export async function markPasswordBreached(
  tenant: Tenant,
  { id, passwordHash }: { id: string; passwordHash: string | null },
): Promise<boolean> {
  const { numUpdatedRows } = await tenant
    .updateTable('users')
    .set({ passwordBreachedAt: tenant.now })
    .where('id', '=', id)
    .where('passwordHash', '=', passwordHash)
    .where('passwordBreachedAt', 'is', null)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

/**
 * Updates a user's last sign-in. The caller has locked the user's row.
 *
 * @returns the time of the previous sign-in
 */
export async function updateLastLogin(tenant: Tenant, userId: string): Promise<Date | null> {
  const { rows } = await sql<{ previousAt: Date | null }>`
    with before as (select id, last_login_at from users where id = ${userId})
    update users set last_login_at = ${tenant.now}, locked_until = null from before where users.id = before.id
    returning before.last_login_at as previous_at`.execute(tenant)
  return rows[0]?.previousAt ?? null
}

/**
 * Removes personal data from a deleted user's record.
 *
 * @returns the address that the user had; undefined when another call has erased it
 */
export async function eraseAccount(
  system: System,
  organisationId: string,
  userId: string,
  erasedEmail: string,
): Promise<string | undefined> {
  const { rows } = await sql<{ email: string }>`
    with before as (
      select organisation_id, id, email from users
      where organisation_id = ${organisationId} and id = ${userId} and deleted_at is not null and erased_at is null for update
    )
    update users set email = ${erasedEmail}, first_name = '', last_name = '', phone = null, metadata = '{}', email_verified_at = null,
      password_hash = null, password_changed_at = null, password_breached_at = null, passkey_offered_at = null, mfa_enabled = false, blocked_reason = null, last_login_at = null,
      locked_until = null, wrong_codes = 0, codes_refused_until = null, updated_at = ${system.now}, erased_at = ${system.now}
    from before where users.organisation_id = before.organisation_id and users.id = before.id
    returning before.email`.execute(system)
  return rows[0]?.email
}

/**
 * Records that a user is offered to register a passkey, unless they have one that signs in, their organisation accepts none, or they
 * have had the offer since that time. Of any number of concurrent sign-ins, only one makes the offer.
 */
export async function claimPasskeyOffer(tenant: Tenant, userId: string, { rpId, since }: { rpId: string; since: Date }): Promise<boolean> {
  const { rows } = await sql`
    update users set passkey_offered_at = ${tenant.now}
    from organisations o
    where users.id = ${userId} and users.deleted_at is null and o.id = users.organisation_id
      and (users.passkey_offered_at is null or users.passkey_offered_at <= ${since})
      and ${sql.raw(signInSetting('o', 'passkeys'))} <> 'off'
      and not ${signsInByPasskey('users', rpId)}
    returning users.id`.execute(tenant)
  return rows.length > 0
}
