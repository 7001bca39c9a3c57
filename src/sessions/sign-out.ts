import type { UserCaller } from '../access/caller.ts'
import { record } from '../activity/record.ts'
import type { Database } from '../platform/database/database.ts'
import { revokeSession } from './queries.ts'
import { presentSession } from './session-list.ts'

/** The part of an ended session that signs the user out at its identity provider. */
export interface SignedOutSession {
  id: string
  connectionId: string | null
  idTokenEncrypted: string | null
}

/**
 * Ends the caller's session.
 *
 * @returns undefined when it had ended before
 */
export async function signOut(database: Database, caller: UserCaller): Promise<SignedOutSession | undefined> {
  return database.transaction(caller.organisationId, async (tenant) => {
    const session = await revokeSession(tenant, caller.session.id, caller.session.userId)
    if (!session) return undefined
    await record(tenant, caller.actor, {
      action: 'auth.logout',
      session: presentSession(session, caller.session.id),
    })
    return session
  })
}
