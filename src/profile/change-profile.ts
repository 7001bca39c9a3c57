import type { UserCaller } from '../access/caller.ts'
import { holdCaller } from '../access/hold-caller.ts'
import { userChange } from '../accounts/present-user.ts'
import { getUser, lockUserWithReferences, updateUser } from '../accounts/queries.ts'
import { changedFields } from '../activity/changes.ts'
import type { Database } from '../platform/database/database.ts'
import type { ProfileChanges } from './schemas.ts'

/**
 * Changes the profile fields that users may change themselves. A field that is not sent stays unchanged.
 *
 * @throws Problem `unauthorized` when the caller's session has ended meanwhile
 */
export async function changeProfile(database: Database, caller: UserCaller, changes: ProfileChanges): Promise<void> {
  const { userId } = caller.session
  await database.transaction(caller.organisationId, async (tenant) => {
    const found = await lockUserWithReferences(tenant, userId)
    await holdCaller(tenant, caller)
    const before = userChange.requireCurrent(found, undefined)
    const changed = changedFields(before, changes)
    if (!changed) return
    await updateUser(tenant, userId, changed)
    await userChange.recordUpdate(tenant, caller.actor, before, await getUser(tenant, userId))
  })
}
