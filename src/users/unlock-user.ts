import type { Caller } from '../access/caller.ts'
import type { RateLimits } from '../access/rate-limits.ts'
import { clearLock } from '../accounts/lock-account.ts'
import { presentUser } from '../accounts/present-user.ts'
import { getUser, lockUser } from '../accounts/queries.ts'
import { userNotFound } from '../accounts/refusals.ts'
import { forgetWrongCodes } from '../accounts/wrong-codes.ts'
import { record } from '../activity/record.ts'
import type { Database } from '../platform/database/database.ts'

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
    const wasLocked = await clearLock(tenant, id)
    const codesWereRefused = await forgetWrongCodes(tenant, id)
    if (wasLocked || codesWereRefused) {
      const changes = { lockedUntil: { from: before.lockedUntil?.toISOString() ?? null, to: null } }
      await record(tenant, caller.actor, {
        action: 'login.unlocked',
        user: presentUser(await getUser(tenant, id)),
        ...(wasLocked && { changes }),
        ...(codesWereRefused && { metadata: { because: 'wrong codes' } }),
      })
    }
    return before
  })
  // Reset them after the commit: counters are not rolled back with a transaction.
  await Promise.all([limits.signInByAccount.forget(user.email), limits.codeByUser.forget(user.id)])
}
