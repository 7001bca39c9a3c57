import { sql } from 'kysely'
import type { Actor } from '../activity/actor.ts'
import type { Tenant } from '../platform/database/database.ts'
import { revokeTokensOfUser } from '../tokens/revoke-tokens.ts'
import { endPendingSignIns } from './challenges.ts'
import { recordRevoked, reportEnded, revokeSessions } from './revoke-sessions.ts'

interface AccessVariants {
  /** The session of the user's own request, which continues. */
  exceptSessionId?: string
  /**
   * Which tokens of applications end: all, unless something else is said. `of-other-sessions` leaves those that the excepted session has
   * authorized, and `none` leaves all: they do not depend on the changed factor.
   */
  tokens?: 'all' | 'of-other-sessions' | 'none'
  /** Writes an audit entry for each session, which marks that of the request. Otherwise only the change that ends them is recorded. */
  recordsEach?: { currentSessionId: string | undefined }
}

/**
 * Ends a user's access from the next request to any process on: all sessions, sign-ins that wait for a second
 * factor or a new password, and the tokens that applications hold for the user. The user's row is locked first:
 * concurrent work for the user is waited for, and ends too; later work finds the session ended.
 */
export async function endAccess(tenant: Tenant, actor: Actor, userId: string, variants: AccessVariants = {}): Promise<void> {
  const { exceptSessionId, tokens = 'all', recordsEach } = variants
  await tenant.selectFrom('users').select('id').where('id', '=', userId).forNoKeyUpdate().execute()
  // End sessions first: this waits for a session that is issuing a code, so that the code is then found and revoked.
  const ended = await revokeSessions(tenant, userId, exceptSessionId)
  await endPendingSignIns(tenant, sql`(${userId})`)
  if (recordsEach) await recordRevoked(tenant, actor, ended, recordsEach.currentSessionId)
  else await reportEnded(tenant, actor, ended)
  if (tokens === 'none') return
  await revokeTokensOfUser(tenant, userId, { exceptSessionId: tokens === 'of-other-sessions' ? exceptSessionId : undefined })
}
