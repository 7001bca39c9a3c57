import type { UserCaller } from '../access/caller.ts'
import { presentUser } from '../accounts/present-user.ts'
import { getUser, lockUser, updateUser } from '../accounts/queries.ts'
import { userNotFound } from '../accounts/refusals.ts'
import { changedFields, changesBetween } from '../activity/changes.ts'
import { record } from '../activity/record.ts'
import type { Database } from '../platform/database/database.ts'
import type { ProfileChanges } from './schemas.ts'

/** Changes what users may change of themselves. What is not sent stays as it is. */
export async function changeProfile(database: Database, caller: UserCaller, changes: ProfileChanges): Promise<void> {
  const { userId } = caller.session
  await database.transaction(caller.organisationId, async (tenant) => {
    const before = await lockUser(tenant, userId)
    if (!before) throw userNotFound()
    const changed = changedFields(before, changes)
    if (!changed) return
    await updateUser(tenant, userId, changed)
    const user = presentUser(await getUser(tenant, userId))
    await record(tenant, caller.actor, { action: 'user.updated', user, changes: changesBetween(presentUser(before), user) })
  })
}
