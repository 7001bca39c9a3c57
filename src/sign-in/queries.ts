import { sql } from 'kysely'
import type { Database, Tenant } from '../platform/database/database.ts'

export interface Account {
  organisationId: string
  id: string
  email: string
  name: string
  passwordHash: string | null
  blockedAt: Date | null
  organisationStatus: 'trial' | 'active' | 'suspended' | 'cancelled'
}

/** The account of an e-mail address in whichever organisation it is: nobody has said yet which. */
export async function findAccount(database: Database, email: string): Promise<Account | undefined> {
  return database
    .system()
    .selectFrom('users')
    .innerJoin('organisations', 'organisations.id', 'users.organisationId')
    .select([
      'users.organisationId',
      'users.id',
      'users.email',
      'users.name',
      'users.passwordHash',
      'users.blockedAt',
      'organisations.status as organisationStatus',
    ])
    .where('users.email', '=', email)
    .where('users.deletedAt', 'is', null)
    .where('organisations.status', '!=', 'cancelled')
    .executeTakeFirst()
}

export interface NewSession {
  id: string
  userId: string
  tokenHash: string
  ipAddress: string
  userAgent: string
  authenticationMethods: readonly string[]
  /** The password that was checked: one that was changed meanwhile signs nobody in. */
  passwordHash: string
}

/**
 * Starts a session, unless the user has been blocked or deleted, or the organisation suspended, in the meantime: the
 * rows are locked against it.
 *
 * @returns undefined when the session may not start
 */
export async function insertSession(tenant: Tenant, session: NewSession): Promise<{ expiresAt: Date } | undefined> {
  const { rows } = await sql<{ expiresAt: Date }>`
    with allowed as (
      select u.id, o.session_lifetime, o.session_idle_timeout
      from users u join organisations o on o.id = u.organisation_id
      where u.id = ${session.userId} and u.password_hash = ${session.passwordHash}
        and u.blocked_at is null and u.deleted_at is null and o.status in ('trial', 'active')
      for share
    )
    insert into sessions (id, user_id, token_hash, ip_address, user_agent, authenticated_at, authentication_methods,
      idle_timeout, last_activity_at, expires_at, created_at)
    select ${session.id}, id, ${session.tokenHash}, ${session.ipAddress}, ${session.userAgent}, ${tenant.now}::timestamptz,
      ${session.authenticationMethods}::text[], session_idle_timeout, ${tenant.now}::timestamptz,
      ${tenant.now}::timestamptz + make_interval(secs => session_lifetime), ${tenant.now}::timestamptz
    from allowed
    returning expires_at`.execute(tenant)
  return rows[0]
}

export async function updateLastLogin(tenant: Tenant, userId: string): Promise<void> {
  await tenant.updateTable('users').set({ lastLoginAt: tenant.now }).where('id', '=', userId).execute()
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
