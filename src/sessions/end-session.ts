import { type Caller, sessionIdOf, type UserCaller } from '../access/caller.ts'
import { getUser } from '../accounts/queries.ts'
import { record } from '../activity/record.ts'
import type { Database, Tenant } from '../platform/database/database.ts'
import { endAccess } from './end-access.ts'
import { revokeSession } from './queries.ts'
import { presentSession } from './session-list.ts'

/**
 * Ends one of the caller's own sessions. It has no effect on an unknown one.
 *
 * @returns whether it was the session of this request
 */
export async function endOwnSession(database: Database, caller: UserCaller, id: string): Promise<{ signedOut: boolean }> {
  return database.transaction(caller.organisationId, (tenant) => endSession(tenant, caller, caller.session.userId, id))
}

/**
 * Ends one session of a user of the caller's organisation. It has no effect on an unknown one.
 *
 * @returns whether it was the session of this request
 * @throws Problem `not-found` for an unknown user
 */
export async function endSessionOfUser(
  database: Database,
  caller: Caller,
  { userId, id }: { userId: string; id: string },
): Promise<{ signedOut: boolean }> {
  return database.transaction(caller.organisationId, async (tenant) => {
    await getUser(tenant, userId)
    return endSession(tenant, caller, userId, id)
  })
}

async function endSession(tenant: Tenant, caller: Caller, userId: string, id: string): Promise<{ signedOut: boolean }> {
  const current = sessionIdOf(caller)
  const session = await revokeSession(tenant, id, userId)
  if (!session) return { signedOut: false }
  const signedOut = session.id === current
  await record(tenant, caller.actor, { action: signedOut ? 'auth.logout' : 'session.revoked', session: presentSession(session, current) })
  return { signedOut }
}

/** Ends the caller's sessions except the one of this request, and their pending sign-ins. The tokens of applications stay valid. */
export async function endOtherSessions(database: Database, caller: UserCaller): Promise<void> {
  const { userId, id: exceptSessionId } = caller.session
  await database.transaction(caller.organisationId, async (tenant) => {
    await endAccess(tenant, caller.actor, userId, { exceptSessionId, exceptApplications: true, recordEachSession: true })
  })
}

/**
 * Ends all sessions of a user of the caller's organisation, their pending second-factor challenges, and the tokens that
 * applications hold for the user.
 *
 * @throws Problem `not-found`
 */
export async function endSessionsOfUser(database: Database, caller: Caller, userId: string): Promise<void> {
  await database.transaction(caller.organisationId, async (tenant) => {
    await getUser(tenant, userId)
    await endAccess(tenant, caller.actor, userId, { recordEachSession: true, currentSessionId: sessionIdOf(caller) })
  })
}
