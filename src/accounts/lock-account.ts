import { sql } from 'kysely'
import type { RateLimits } from '../access/rate-limits.ts'
import type { Actor } from '../activity/actor.ts'
import { record, recordCounted } from '../activity/record.ts'
import { countFailure } from '../activity/sign-in-counts.ts'
import type { Database, Tenant } from '../platform/database/database.ts'

interface FailedAccount {
  id: string
  email: string
  name: string
}

/**
 * Records a wrong password in the audit log. If the limit of failures allows no further attempt, it also locks the account in its
 * row: lists cannot read the counters, and the counters are lost when their process restarts.
 *
 * @param isLast whether the attempt was counted as the last that the limit allows
 * @param isRehearsal for an unknown address: does the same work, so that it takes as long, and rolls it back
 */
export async function recordWrongPassword(
  { database, limits }: { database: Database; limits: RateLimits },
  organisationId: string,
  actor: Actor,
  account: FailedAccount,
  { reason, isLast, isRehearsal = false }: { reason: string; isLast: boolean; isRehearsal?: boolean },
): Promise<void> {
  const checkedAt = database.clock.now()
  // Check again: earlier attempts may have turned out right and been released.
  const lockedUntil = isLast ? await limits.signInByAccount.fullUntil(account.email) : undefined
  const work = async (tenant: Tenant) => {
    const user = { id: account.id, email: account.email, name: account.name }
    await recordCounted(tenant, actor, { action: 'login.failed', user, metadata: { reason } }, countFailure(tenant))
    if (!lockedUntil || !(await lockAccount(tenant, user.id, lockedUntil, checkedAt))) return
    await record(tenant, actor, { action: 'login.locked', user, metadata: { lockedUntil: lockedUntil.toISOString() } })
  }
  await (isRehearsal ? database.rehearse(organisationId, work) : database.transaction(organisationId, work))
}

/**
 * Locks an account, unless it is locked already, or its user has signed in or set a password since the counter was read.
 * In the latter case the counter included an attempt that was still being checked.
 *
 * @returns whether this call locked it
 */
async function lockAccount(tenant: Tenant, userId: string, until: Date, checkedAt: Date): Promise<boolean> {
  const { rows } = await sql`
    update users set locked_until = ${until}
    where id = ${userId} and coalesce(locked_until < ${until}, true)
      and coalesce(greatest(last_login_at, password_changed_at) < ${checkedAt}, true)
    returning id`.execute(tenant)
  return rows.length > 0
}

/** Lifts the lock of an account in its record. @returns whether it was locked */
export async function clearLock(tenant: Tenant, userId: string): Promise<boolean> {
  const { rows } = await sql<{ wasLocked: boolean }>`
    with before as (select id, locked_until from users where id = ${userId} and locked_until is not null for no key update)
    update users set locked_until = null from before where users.id = before.id
    returning before.locked_until > ${tenant.now} as was_locked`.execute(tenant)
  return rows[0]?.wasLocked ?? false
}
