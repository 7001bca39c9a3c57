import type { Actor } from '../activity/actor.ts'
import { recordEach } from '../activity/record.ts'
import type { Tenant } from '../platform/database/database.ts'
import { revokeTokensOfUser } from '../tokens/revoke-tokens.ts'
import { deleteChallenges } from './challenges.ts'
import { reportEnded, revokeSessions } from './revoke-sessions.ts'
import { presentSession } from './session-list.ts'

export interface AccessVariants {
  /** A session that stays: that of the user's own request. */
  exceptSessionId?: string
  /** Applications keep what they may do in the user's name: it was proven without what has changed. */
  keepApplications?: boolean
  /** Each session gets an audit entry of its own; else the change that it ends with leaves the entry. */
  recordEachSession?: boolean
  /** The session of the request, for these entries. */
  currentSessionId?: string | undefined
}

/**
 * Ends what a user can reach, on every process with the next request: all sessions, sign-ins that wait for a second
 * factor, and what applications may do in the user's name.
 */
export async function endAccess(tenant: Tenant, actor: Actor, userId: string, variants: AccessVariants = {}): Promise<void> {
  const { exceptSessionId, keepApplications = false, recordEachSession = false, currentSessionId } = variants
  // Sessions first: a session that is issuing a code is waited for, and the code is then found.
  const ended = await revokeSessions(tenant, userId, exceptSessionId)
  await deleteChallenges(tenant, userId)
  if (recordEachSession) {
    const unexpired = ended.filter(({ expiresAt }) => expiresAt > tenant.now)
    await recordEach(
      tenant,
      actor,
      unexpired.map((session) => ({ action: 'session.revoked', session: presentSession(session, currentSessionId) })),
    )
  } else await reportEnded(tenant, actor, ended)
  if (!keepApplications) await revokeTokensOfUser(tenant, userId)
}
