import { type Caller, sessionIdOf, type UserCaller } from '../access/caller.ts'
import { holdCallerWith } from '../access/hold-caller.ts'
import { lockUser } from '../accounts/queries.ts'
import { userNotFound } from '../accounts/refusals.ts'
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
  return transactionOn(database, caller, userId, (tenant) => endSession(tenant, caller, userId, id))
}

/** Changes the sessions of a user. The user is locked before the caller is held, who may be the same. */
async function transactionOn<T>(database: Database, caller: Caller, userId: string, work: (tenant: Tenant) => Promise<T>): Promise<T> {
  return database.transaction(caller.organisationId, async (tenant) => {
    if (!(await lockUser(tenant, userId))) throw userNotFound()
    await holdCallerWith(tenant, caller, 'users:update')
    return work(tenant)
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
    await endAccess(tenant, caller.actor, userId, { exceptSessionId, tokens: 'none', recordsEach: { currentSessionId: undefined } })
  })
}

/**
 * Ends all sessions of a user of the caller's organisation, their pending second-factor challenges, and the tokens that
 * applications hold for the user.
 *
 * @throws Problem `not-found`
 */
export async function endSessionsOfUser(database: Database, caller: Caller, userId: string): Promise<void> {
  await transactionOn(database, caller, userId, (tenant) =>
    endAccess(tenant, caller.actor, userId, { recordsEach: { currentSessionId: sessionIdOf(caller) } }),
  )
}
