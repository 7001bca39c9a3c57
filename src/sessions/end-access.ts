import type { Actor } from '../activity/actor.ts'
import type { Tenant } from '../platform/database/database.ts'
import { revokeTokensOfUser } from '../tokens/revoke-tokens.ts'
import { deleteChallenges } from './challenges.ts'
import { recordRevoked, reportEnded, revokeSessions } from './revoke-sessions.ts'

export interface AccessVariants {
  /** The session of the user's own request, which continues. */
  exceptSessionId?: string
  /** Tokens of applications stay valid: they do not depend on the changed factor. */
  exceptApplications?: boolean
  /** Only tokens that applications hold by the ended sessions become invalid. */
  exceptApplicationsOfSession?: boolean
  /** Writes an audit entry for each session. Otherwise only the change that ends them is recorded. */
  recordEachSession?: boolean
  /** The session of the request, which these entries mark. */
  currentSessionId?: string | undefined
}

/**
 * Ends a user's access from the next request to any process on: all sessions, pending second-factor
 * challenges, and the tokens that applications hold for the user. The user's row is locked first:
 * concurrent work for the user is waited for, and ends too; later work finds the session ended.
 */
export async function endAccess(tenant: Tenant, actor: Actor, userId: string, variants: AccessVariants = {}): Promise<void> {
  const {
    exceptSessionId,
    exceptApplications = false,
    exceptApplicationsOfSession = false,
    recordEachSession = false,
    currentSessionId,
  } = variants
  await tenant.selectFrom('users').select('id').where('id', '=', userId).forNoKeyUpdate().execute()
  // End sessions first: this waits for a session that is issuing a code, so that the code is then found and revoked.
  const ended = await revokeSessions(tenant, userId, exceptSessionId)
  await deleteChallenges(tenant, userId)
  if (recordEachSession) await recordRevoked(tenant, actor, ended, currentSessionId)
  else await reportEnded(tenant, actor, ended)
  if (exceptApplications) return
  await revokeTokensOfUser(tenant, userId, { exceptSessionId: exceptApplicationsOfSession ? exceptSessionId : undefined })
}
