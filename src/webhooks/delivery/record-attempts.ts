import { sql } from 'kysely'
import type { System } from '../../platform/database/database.ts'
import { plannedEachTime } from '../../platform/database/planned-each-time.ts'
import { failuresMax } from '../endpoints/deactivate-endpoint.ts'
import type { EndpointKey } from '../endpoints/queries.ts'
import { startOfHour } from '../endpoints/rules.ts'
import type { FinishedAttempt } from './attempt.ts'
import { binCount, binOf } from './durations.ts'

/**
 * Writes finished attempts to the database, many in one statement: the attempts, the state of their deliveries, the endpoints' counters,
 * and the results of each hour. An attempt is left out when its lease had ended and another process has recorded one meanwhile.
 *
 * @returns the endpoints that are to be deactivated
 */
export async function recordAttempts(system: System, attempts: readonly FinishedAttempt[]): Promise<EndpointKey[]> {
  const { rows } = await sql<EndpointKey>`${sql.raw(plannedEachTime)}
    with attempted as (
      select * from json_to_recordset(${JSON.stringify(attempts.map(rowOf))}::json) as attempted (
        position integer, organisation_id text, delivery_id text, endpoint_id text, number integer, at timestamptz, status integer,
        duration integer, bin integer, hour timestamptz, error text, response text, outcome text, next_attempt_at timestamptz)),
    -- Locked in one order by every process: two that record attempts to the same endpoints would deadlock otherwise.
    endpoint as (
      select organisation_id, id, failure_count, is_active from webhook_endpoints
      where (organisation_id, id) in (select organisation_id, endpoint_id from attempted)
      order by organisation_id, id for no key update),
    -- The count waits for those locks. With a join, the planner may look up deliveries by organisation only.
    recorded as (
      update webhook_deliveries delivery
      set status = attempted.outcome, attempt_count = attempted.number, next_attempt_at = attempted.next_attempt_at,
        claimed_until = null, last_status_code = attempted.status,
        delivered_at = case attempted.outcome when 'delivered' then ${system.now}::timestamptz end
      from attempted
      where (select count(*) from endpoint) > 0
        and delivery.organisation_id = attempted.organisation_id and delivery.id = attempted.delivery_id
        and delivery.attempt_count = attempted.number - 1
      returning attempted.*),
    written as (
      insert into webhook_attempts (organisation_id, delivery_id, number, at, status, duration_milliseconds, error, response)
      select organisation_id, delivery_id, number, at, status, duration, error, response from recorded),
    hourly as (
      select organisation_id, endpoint_id, hour, array_agg(bin) as bins,
        count(*) filter (where outcome = 'delivered')::integer as delivered, count(*) filter (where outcome = 'failed')::integer as failed
      from recorded group by 1, 2, 3),
    counted_hours as (
      insert into webhook_hours as stored (organisation_id, endpoint_id, hour, delivered, failed, durations)
      select organisation_id, endpoint_id, hour, delivered, failed,
        array(select count(one)::integer from generate_series(0, ${binCount - 1}) as bin left join unnest(bins) as one on one = bin
          group by bin order by bin)
      from hourly
      on conflict (organisation_id, endpoint_id, hour) do update
      set delivered = stored.delivered + excluded.delivered, failed = stored.failed + excluded.failed,
        durations = array(select one + other from unnest(stored.durations, excluded.durations) with ordinality as bins (one, other, bin)
          order by bin)),
    last_success as (
      select organisation_id, endpoint_id, max(position) as position from recorded where outcome = 'delivered' group by 1, 2),
    counted as (
      select recorded.organisation_id, recorded.endpoint_id, max(recorded.at) as last_at,
        max(recorded.at) filter (where recorded.outcome <> 'delivered') as last_failure_at, 
        (array_agg(recorded.error order by recorded.at desc) filter (where recorded.outcome <> 'delivered'))[1] as last_error,
        bool_or(last_success.position is not null) as succeeded,
        count(*) filter (where recorded.outcome = 'failed' and recorded.position > coalesce(last_success.position, -1))::integer as failures
      from recorded left join last_success using (organisation_id, endpoint_id)
      group by 1, 2),
    updated as (
      update webhook_endpoints
      -- A stored time in the future is one of before the clock was set back.
      set last_triggered_at = greatest(case when last_triggered_at <= ${system.now} then last_triggered_at end, counted.last_at),
        last_failure_at = greatest(case when counted.last_failure_at is null or webhook_endpoints.last_failure_at <= ${system.now}
          then webhook_endpoints.last_failure_at end, counted.last_failure_at),
        last_error = coalesce(counted.last_error, webhook_endpoints.last_error),
        failure_count = case when counted.succeeded then 0 else webhook_endpoints.failure_count end + counted.failures
      from counted
      where webhook_endpoints.organisation_id = counted.organisation_id and webhook_endpoints.id = counted.endpoint_id
      returning webhook_endpoints.organisation_id, webhook_endpoints.id, webhook_endpoints.failure_count, webhook_endpoints.is_active)
    select organisation_id, id as endpoint_id from updated where is_active and failure_count >= ${failuresMax}`.execute(system)
  return rows
}

function rowOf({ delivery, at, result, verdict }: FinishedAttempt, position: number) {
  return {
    position,
    organisation_id: delivery.organisationId,
    delivery_id: delivery.id,
    endpoint_id: delivery.endpointId,
    number: delivery.attemptCount + 1,
    at: at.toISOString(),
    status: result.status,
    duration: result.durationMilliseconds,
    bin: binOf(result.durationMilliseconds),
    hour: startOfHour(at).toISOString(),
    error: result.error,
    response: result.response,
    outcome: verdict.kind === 'retry' ? 'pending' : verdict.kind,
    next_attempt_at: verdict.kind === 'retry' ? verdict.at.toISOString() : null,
  }
}
