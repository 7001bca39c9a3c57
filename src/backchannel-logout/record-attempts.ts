import { sql } from 'kysely'
import type { System } from '../platform/database/database.ts'
import { plannedEachTime } from '../platform/database/planned-each-time.ts'
import type { FinishedAttempt } from '../webhooks/delivery/attempt.ts'
import type { ClaimedLogout } from './claim.ts'

/**
 * Writes finished attempts to the database, with the state of their deliveries. An attempt is left out when its lease had ended and another
 * process has recorded one meanwhile.
 */
export async function recordLogoutAttempts(system: System, attempts: readonly FinishedAttempt<ClaimedLogout>[]): Promise<void> {
  await sql`${sql.raw(plannedEachTime)}
    with attempted as (
      select * from json_to_recordset(${JSON.stringify(attempts.map(rowOf))}::json) as attempted (
        organisation_id text, delivery_id text, number integer, at timestamptz, status integer, duration integer, error text, response text,
        outcome text, next_attempt_at timestamptz)),
    recorded as (
      update logout_deliveries delivery
      set status = attempted.outcome, attempt_count = attempted.number, next_attempt_at = attempted.next_attempt_at,
        claimed_until = null, last_status_code = attempted.status,
        delivered_at = case attempted.outcome when 'delivered' then ${system.now}::timestamptz end
      from attempted
      where delivery.organisation_id = attempted.organisation_id and delivery.id = attempted.delivery_id
        and delivery.attempt_count = attempted.number - 1
      returning attempted.*)
    insert into logout_attempts (organisation_id, delivery_id, number, at, status, duration_milliseconds, error, response)
    select organisation_id, delivery_id, number, at, status, duration, error, response from recorded`.execute(system)
}

const rowOf = ({ delivery, at, result, verdict }: FinishedAttempt<ClaimedLogout>) => ({
  organisation_id: delivery.organisationId,
  delivery_id: delivery.id,
  number: delivery.attemptCount + 1,
  at: at.toISOString(),
  status: result.status,
  duration: result.durationMilliseconds,
  error: result.error,
  response: result.response,
  outcome: verdict.kind === 'retry' ? 'pending' : verdict.kind,
  next_attempt_at: verdict.kind === 'retry' ? verdict.at.toISOString() : null,
})
