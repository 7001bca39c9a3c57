import { type RawBuilder, sql } from 'kysely'
import { sessionExpiry } from '../access/session-expiry.ts'
import type { System } from '../platform/database/database.ts'

interface NamedSession {
  organisationId: string
  sessionId: string
}

/** Sessions of any organisations as rows `named` of a statement, each once. */
export function namedSessions(sessions: readonly NamedSession[]): RawBuilder<unknown> {
  const keys = sessions.map(({ organisationId, sessionId }) => ({ organisation_id: organisationId, id: sessionId }))
  return sql`(
    select distinct organisation_id, id from json_to_recordset(${JSON.stringify(keys)}::json) as keys (organisation_id text, id text)) named`
}

/**
 * Marks those of the sessions as ended that have expired or been idle for too long. They could not be used before either: a request sees
 * it by their times.
 */
export async function endExpiredSessions(system: System, sessions: readonly NamedSession[]): Promise<void> {
  const { now } = system
  await sql`
    update sessions set revoked_at = ${now} from ${namedSessions(sessions)}
    where sessions.organisation_id = named.organisation_id and sessions.id = named.id and sessions.revoked_at is null
      and ${sql.raw(sessionExpiry('sessions'))} <= ${now}`.execute(system)
}
