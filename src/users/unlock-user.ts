import type { Caller } from '../access/caller.ts'
import { holdCallerWith } from '../access/hold-caller.ts'
import type { RateLimits } from '../access/rate-limits.ts'
import { clearLock } from '../accounts/lock-account.ts'
import { presentUser } from '../accounts/present-user.ts'
import { getUser, lockUser, type User } from '../accounts/queries.ts'
import { userNotFound } from '../accounts/refusals.ts'
import { forgetWrongCodes } from '../accounts/wrong-codes.ts'
import type { Actor } from '../activity/actor.ts'
import { record } from '../activity/record.ts'
import type { Database, Tenant } from '../platform/database/database.ts'

/**
 * Unlocks a user after too many failed sign-ins, and resets their count of wrong codes. It records nothing when the user is not locked.
 *
 * @throws Problem `not-found`
 */
export async function unlockUser(
  { database, limits }: { database: Database; limits: RateLimits },
  caller: Caller,
  id: string,
): Promise<void> {
  const user = await database.transaction(caller.organisationId, async (tenant) => {
    const before = await lockUser(tenant, id)
    if (!before) throw userNotFound()
    await holdCallerWith(tenant, caller, 'users:update')
    await liftRefusals(tenant, caller.actor, before)
    return before
  })
  await forgetFailures(limits, user)
}

/**
 * Lifts in the record of a user, whose row is locked, what failed sign-ins and wrong codes have closed.
 *
 * @returns whether anything was closed
 */
export async function liftRefusals(tenant: Tenant, actor: Actor, { id, lockedUntil }: Pick<User, 'id' | 'lockedUntil'>): Promise<boolean> {
  const wasLocked = await clearLock(tenant, id)
  const codesWereRefused = await forgetWrongCodes(tenant, id)
  if (!wasLocked && !codesWereRefused) return false
  await record(tenant, actor, {
    action: 'login.unlocked',
    user: presentUser(await getUser(tenant, id)),
    ...(wasLocked && { changes: { lockedUntil: { from: lockedUntil?.toISOString() ?? null, to: null } } }),
    ...(codesWereRefused && { metadata: { because: 'wrong codes' } }),
  })
  return true
}

/** Resets the counters of a user. Call it after the commit: they are not rolled back with a transaction. */
export async function forgetFailures(limits: RateLimits, { id, email }: { id: string; email: string }): Promise<void> {
  await Promise.all([limits.signInByAccount.forget(email), limits.codeByUser.forget(id)])
}
