import { sql } from 'kysely'
import type { MfaMethod } from '../mfa/queries.ts'
import type { StoredPolicy } from '../organisations/rules.ts'
import type { Database, Tenant } from '../platform/database/database.ts'

export interface Account {
  organisationId: string
  id: string
  email: string
  name: string
  passwordHash: string | null
  passwordChangedAt: Date | null
  mfaEnabled: boolean
  mfaMethods: MfaMethod[]
  blockedAt: Date | null
  lockedUntil: Date | null
  organisationStatus: 'trial' | 'active' | 'suspended' | 'cancelled'
  requireMfa: boolean
  passwordPolicy: StoredPolicy
}

const accounts = (database: Database) =>
  database
    .system()
    .selectFrom('users')
    .innerJoin('organisations', 'organisations.id', 'users.organisationId')
    .select([
      'users.organisationId',
      'users.id',
      'users.email',
      'users.name',
      'users.passwordHash',
      'users.passwordChangedAt',
      'users.mfaEnabled',
      'users.blockedAt',
      'users.lockedUntil',
      'organisations.status as organisationStatus',
      'organisations.requireMfa',
      'organisations.passwordPolicy',
      sql<MfaMethod[]>`array(
        select method from mfa_credentials
        where organisation_id = users.organisation_id and user_id = users.id and verified_at is not null
        order by method desc)`.as('mfaMethods'),
    ])
    .where('users.deletedAt', 'is', null)
    .where('organisations.status', '!=', 'cancelled')

/** The account of an e-mail address in whichever organisation it is: nobody has said yet which. */
export async function findAccount(database: Database, email: string): Promise<Account | undefined> {
  return accounts(database).where('users.email', '=', email).executeTakeFirst()
}

/** Whose history a failed sign-in is written to. */
export type NamedAccount = Pick<Account, 'organisationId' | 'id' | 'email' | 'name'>

/** Some user or other; undefined while there are none. */
export async function findSomebody(database: Database): Promise<NamedAccount | undefined> {
  return database
    .system()
    .selectFrom('users')
    .select(['organisationId', 'id', 'email', 'name'])
    .orderBy('organisationId')
    .orderBy('id')
    .limit(1)
    .executeTakeFirst()
}

/** The account whose sign-in waits for a second factor, by the token that was given out for it. */
export async function findChallengedAccount(
  database: Database,
  tokenHash: string,
): Promise<(Account & { challengeId: string }) | undefined> {
  return accounts(database)
    .innerJoin('mfaChallenges', (join) =>
      join.onRef('mfaChallenges.organisationId', '=', 'users.organisationId').onRef('mfaChallenges.userId', '=', 'users.id'),
    )
    .select('mfaChallenges.id as challengeId')
    .where('mfaChallenges.tokenHash', '=', tokenHash)
    .executeTakeFirst()
}

const challengeFailuresMax = 5

/**
 * Has a sign-in wait for a second factor.
 *
 * @returns false when the password has been changed, or the user deleted, since it was checked
 */
export async function insertChallenge(
  tenant: Tenant,
  challenge: { id: string; userId: string; tokenHash: string; expiresAt: Date; passwordHash: string },
): Promise<boolean> {
  const { rows } = await sql`
    with allowed as (
      select id from users where id = ${challenge.userId} and password_hash = ${challenge.passwordHash} and deleted_at is null
      -- Not shared: two who both held it so would wait for each other to lift the lock.
      for no key update
    ), unlocked as (
      -- The lock has ended, or began while this attempt, whose password was right, still counted as failed.
      update users set locked_until = null from allowed where users.id = allowed.id and users.locked_until is not null
    )
    insert into mfa_challenges (id, user_id, token_hash, expires_at, created_at)
    select ${challenge.id}, id, ${challenge.tokenHash}, ${challenge.expiresAt}::timestamptz, ${tenant.now}::timestamptz from allowed
    returning id`.execute(tenant)
  return rows.length > 0
}

/** Whether a challenge may still be answered; it is answered by one at a time until the end of the transaction. */
export async function lockChallenge(tenant: Tenant, id: string): Promise<boolean> {
  const challenge = await tenant
    .selectFrom('mfaChallenges')
    .select('id')
    .where('id', '=', id)
    .where('usedAt', 'is', null)
    .where('expiresAt', '>', tenant.now)
    .where('failureCount', '<', challengeFailuresMax)
    .forUpdate()
    .executeTakeFirst()
  return challenge !== undefined
}

/** Ends the sign-ins of a user that wait for a second factor. */
export async function deleteChallenges(tenant: Tenant, userId: string): Promise<void> {
  await tenant.deleteFrom('mfaChallenges').where('userId', '=', userId).execute()
}

export async function markChallengeUsed(tenant: Tenant, id: string): Promise<void> {
  await tenant.updateTable('mfaChallenges').set({ usedAt: tenant.now }).where('id', '=', id).execute()
}

export async function countChallengeFailure(tenant: Tenant, id: string): Promise<void> {
  await tenant
    .updateTable('mfaChallenges')
    .set((challenge) => ({ failureCount: challenge('failureCount', '+', 1) }))
    .where('id', '=', id)
    .execute()
}

export interface NewSession {
  id: string
  userId: string
  tokenHash: string
  ipAddress: string
  userAgent: string
  authenticationMethods: readonly string[]
  awaitsMfaEnrolment: boolean
  /** The password that was checked: one that was changed meanwhile signs nobody in. Null after a second factor. */
  passwordHash: string | null
}

/**
 * Starts a session, unless the user has been blocked or deleted, or the organisation suspended, in the meantime: the
 * rows are locked against it. The user's for writing, which follows: two sign-ins that shared it would wait for each other.
 *
 * @returns undefined when the session may not start
 */
export async function insertSession(tenant: Tenant, session: NewSession): Promise<{ expiresAt: Date } | undefined> {
  const { rows } = await sql<{ expiresAt: Date }>`
    with allowed as (
      select u.id, o.session_lifetime, o.session_idle_timeout
      from users u join organisations o on o.id = u.organisation_id
      where u.id = ${session.userId} and (${session.passwordHash}::text is null or u.password_hash = ${session.passwordHash})
        and u.blocked_at is null and u.deleted_at is null and o.status in ('trial', 'active')
      -- The user's row is written next: two sign-ins that both held it shared would wait for each other.
      for no key update of u for share of o
    )
    insert into sessions (id, user_id, token_hash, ip_address, user_agent, authenticated_at, authentication_methods,
      awaits_mfa_enrolment, idle_timeout, last_activity_at, expires_at, created_at)
    select ${session.id}, id, ${session.tokenHash}, ${session.ipAddress}, ${session.userAgent}, ${tenant.now}::timestamptz,
      ${session.authenticationMethods}::text[], ${session.awaitsMfaEnrolment}::boolean, session_idle_timeout, ${tenant.now}::timestamptz,
      ${tenant.now}::timestamptz + make_interval(secs => session_lifetime), ${tenant.now}::timestamptz
    from allowed
    returning expires_at`.execute(tenant)
  return rows[0]
}

/**
 * Stores another hash of the password that an account has.
 *
 * @returns false when it has another password by now
 */
export async function renewHash(tenant: Tenant, { id, passwordHash }: Account, renewedHash: string | null): Promise<boolean> {
  const { numUpdatedRows } = await tenant
    .updateTable('users')
    .set({ passwordHash: renewedHash })
    .where('id', '=', id)
    .where('passwordHash', '=', passwordHash)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

export async function updateLastLogin(tenant: Tenant, userId: string): Promise<void> {
  await tenant.updateTable('users').set({ lastLoginAt: tenant.now, lockedUntil: null }).where('id', '=', userId).execute()
}

/** @returns the session that was live until now, undefined when there was none to revoke */
export async function revokeSession(tenant: Tenant, id: string, userId: string) {
  return tenant
    .updateTable('sessions')
    .set({ revokedAt: tenant.now })
    .where('id', '=', id)
    .where('userId', '=', userId)
    .where('revokedAt', 'is', null)
    .returning(['id', 'ipAddress', 'userAgent', 'lastActivityAt', 'expiresAt', 'createdAt'])
    .executeTakeFirst()
}

/** @returns the sessions of the user that were live until now */
export async function revokeSessions(tenant: Tenant, userId: string) {
  return tenant
    .updateTable('sessions')
    .set({ revokedAt: tenant.now })
    .where('userId', '=', userId)
    .where('revokedAt', 'is', null)
    .where('expiresAt', '>', tenant.now)
    .returning(['id', 'ipAddress', 'userAgent', 'lastActivityAt', 'expiresAt', 'createdAt'])
    .execute()
}

/** Makes a session that waited for enrolment a full one, under a new cookie. @returns undefined when it was no such session */
export async function upgradeSession(tenant: Tenant, id: string, tokenHash: string, authenticationMethods: readonly string[]) {
  const { rows } = await sql<{ expiresAt: Date }>`
    update sessions set token_hash = ${tokenHash}, awaits_mfa_enrolment = false, authentication_methods = ${authenticationMethods}::text[]
    where id = ${id} and revoked_at is null and awaits_mfa_enrolment
    returning expires_at`.execute(tenant)
  return rows[0]
}
