import type { UserCaller } from '../access/caller.ts'
import { record } from '../activity/record.ts'
import type { Database } from '../platform/database/database.ts'
import { revokeSession } from './queries.ts'
import { presentSession } from './session-list.ts'

/** Ends the caller's session. */
export async function signOut(database: Database, caller: UserCaller): Promise<void> {
  await database.transaction(caller.organisationId, async (tenant) => {
    const session = await revokeSession(tenant, caller.session.id, caller.session.userId)
    if (!session) return
    await record(tenant, caller.actor, {
      action: 'auth.logout',
      session: presentSession(session, caller.session.id),
    })
  })
}
