import { sql } from 'kysely'
import type { StoredPolicy } from '../organisations/rules.ts'
import type { Database, Tenant } from '../platform/database/database.ts'

export interface PasswordConditions {
  passwordPolicy: StoredPolicy
  /** The hash of the user's password; null when the user has no password, or does not exist yet. */
  currentHash: string | null
  /** The hashes of the user's former passwords, the newest first. */
  formerHashes: string[]
}

/** The conditions of a new password in this organisation, and of this user if it exists already. */
export async function findPasswordConditions(tenant: Tenant, userId: string | undefined): Promise<PasswordConditions> {
  const { rows } = await sql<PasswordConditions>`
    select o.password_policy, u.password_hash as current_hash,
      array(
        select f.password_hash from former_passwords f where f.user_id = u.id order by f.replaced_at desc
      ) as former_hashes
    from organisations o left join users u on u.organisation_id = o.id and u.id = ${userId ?? null}`.execute(tenant)
  return rows[0] ?? { passwordPolicy: null, currentHash: null, formerHashes: [] }
}

/** The user's password hash, and the policy of the organisation; the user's row stays locked. */
export async function lockPassword(
  tenant: Tenant,
  userId: string,
): Promise<{ passwordHash: string | null; passwordPolicy: StoredPolicy } | undefined> {
  return tenant
    .selectFrom('users')
    .innerJoin('organisations', 'organisations.id', 'users.organisationId')
    .select(['users.passwordHash', 'organisations.passwordPolicy'])
    .where('users.id', '=', userId)
    .where('users.deletedAt', 'is', null)
    .forNoKeyUpdate('users')
    .executeTakeFirst()
}

/** Stores a password that is being replaced, and deletes the former ones beyond the policy's number. */
export async function storeFormerPassword(tenant: Tenant, userId: string, passwordHash: string | null, keep: number): Promise<void> {
  if (passwordHash !== null && keep > 0) {
    await tenant
      .insertInto('formerPasswords')
      .values({ userId, passwordHash, replacedAt: tenant.now })
      .onConflict((conflict) => conflict.doNothing())
      .execute()
  }
  await sql`
    delete from former_passwords where user_id = ${userId} and password_hash not in (
      select password_hash from former_passwords where user_id = ${userId} order by replaced_at desc limit ${keep})`.execute(tenant)
}

export interface ForgetfulUser {
  organisationId: string
  id: string
  email: string
  name: string
  ownerId: string | null
  mfaEnabled: boolean
  /** Whether the link is for this user. If not, it is written but never sent. */
  isAddressee: boolean
}

/**
 * Finds the user who may get a new password by mail: the address alone identifies the organisation. Where none may, it is some other user,
 * so that the same work can be done in vain; undefined only when there are no users at all.
 */
export async function findForgetfulUser(database: Database, email: string): Promise<ForgetfulUser | undefined> {
  const { rows } = await sql<ForgetfulUser>`
    (
      select u.organisation_id, u.id, u.email, u.name, o.owner_id, u.mfa_enabled, true as is_addressee
      from users u join organisations o on o.id = u.organisation_id
      where u.email = ${email} and u.deleted_at is null and u.blocked_at is null and o.status in ('trial', 'active')
    ) union all (
      select organisation_id, id, email, name, null, false, false from users order by organisation_id, id limit 1
    )
    order by is_addressee desc limit 1`.execute(database.system())
  return rows[0]
}
