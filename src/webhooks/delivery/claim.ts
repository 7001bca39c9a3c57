import { type RawBuilder, sql } from 'kysely'
import { secondsAfter } from '../../platform/clock.ts'
import type { Variant } from '../../platform/database/column-types.ts'
import type { System } from '../../platform/database/database.ts'
import { plannedEachTime } from '../../platform/database/planned-each-time.ts'
import type { EncryptedSecrets } from './secrets.ts'

/** A delivery that only this process may attempt until its lease ends, with what the attempt needs. */
export interface ClaimedDelivery extends EncryptedSecrets {
  organisationId: string
  id: string
  endpointId: string
  eventId: string
  event: string
  variant: Variant
  /** Whether the request also has the headers of Standard Webhooks. */
  standardSignature: boolean
  body: string
  attemptCount: number
  url: string
  /** False while the endpoint is inactive, and when its organisation is cancelled. */
  isWanted: boolean
}

export interface ClaimLimits {
  total: number
  perOrganisation: number
  /** Organisations with another limit. */
  organisations: ReadonlyMap<string, number>
  perEndpoint: number
  /** Endpoints with a lower limit: those with attempts in flight, and failing ones. */
  endpoints: ReadonlyMap<string, number>
}

/** The position at which a claim continues, so that no organisation, and in it no endpoint, is always first. */
export interface ClaimPosition {
  /** The organisation after which the walk over the organisations begins. */
  afterOrganisationId: string | undefined
  /** The endpoint after which the walk over an organisation's endpoints begins, by organisation. */
  afterEndpointIds: ReadonlyMap<string, string>
}

export interface ClaimRequest {
  limits: ClaimLimits
  position: ClaimPosition
  leaseSeconds: number
}

/** The names of a queue in the database, which has the columns of `webhook_deliveries` besides. */
export interface QueueTable {
  table: string
  /** The column that names the receiver. */
  receiver: string
}

/**
 * Claims deliveries that are due, for the length of a lease, which releases them if the process crashes.
 *
 * The endpoints are joined after the update. Beside the deliveries, they would tempt PostgreSQL to read all that it stores of each
 * endpoint, once for each claimed one: it takes the conditions on organisation and endpoint for independent, and expects few.
 */
export async function claimDueDeliveries(system: System, request: ClaimRequest): Promise<ClaimedDelivery[]> {
  const { now } = system
  const { rows } = await sql<ClaimedDelivery>`${sql.raw(plannedEachTime)}
    with recursive ${dueDeliveries(now, { table: 'webhook_deliveries', receiver: 'endpoint_id' }, request)},
    delivery as (
      update webhook_deliveries queued set claimed_until = ${secondsAfter(now, request.leaseSeconds)}
      from due, ${committedAsynchronously}
      where queued.organisation_id = due.organisation_id and queued.id = due.id
      returning queued.organisation_id, queued.id, queued.endpoint_id, queued.event_id, queued.event, queued.variant, queued.body, queued.attempt_count, queued.is_test)
    select delivery.organisation_id, delivery.id, delivery.endpoint_id, delivery.event_id, delivery.event, delivery.variant, delivery.body,
      delivery.attempt_count, endpoint.url, endpoint.secret_encrypted, endpoint.previous_secret_encrypted,
      endpoint.previous_secret_expires_at, endpoint.standard_signature,
      (endpoint.is_active or delivery.is_test) and organisation.status <> 'cancelled' as is_wanted
    from delivery
    join webhook_endpoints endpoint on endpoint.organisation_id = delivery.organisation_id and endpoint.id = delivery.endpoint_id
    join organisations organisation on organisation.id = delivery.organisation_id`.execute(system)
  return rows
}

/**
 * The parts of a statement that lock deliveries which are due, as `due`. They walk along the index from organisation to organisation, and
 * in each from receiver to receiver, and take a few of each: a long queue of one receiver costs the others one step.
 */
export function dueDeliveries(
  now: Date,
  names: QueueTable,
  { limits, position }: Pick<ClaimRequest, 'limits' | 'position'>,
): RawBuilder<unknown> {
  const [table, receiver] = [sql.table(names.table), sql.ref(names.receiver)]
  return sql`organisation_walk as (
      (select organisation_id from ${table}
       where status = 'pending' and next_attempt_at is not null and organisation_id > ${position.afterOrganisationId ?? ''}
       order by organisation_id limit 1)
      union all
      select step.organisation_id from organisation_walk cross join lateral (
        select organisation_id from ${table}
        where status = 'pending' and next_attempt_at is not null and organisation_id > organisation_walk.organisation_id
        order by organisation_id limit 1) step),
    organisation_limits as (
      select * from json_to_recordset(${JSON.stringify(organisationRows(limits, position))}::json)
        as limits (organisation_id text, slots integer, after_endpoint_id text)),
    endpoint_limits as (
      select * from json_to_recordset(${JSON.stringify(endpointRows(limits))}::json) as limits (endpoint_id text, slots integer)),
    due as (
      select taken.organisation_id, taken.id from organisation_walk organisation
      left join organisation_limits limits on limits.organisation_id = organisation.organisation_id
      cross join lateral (
        with recursive walk as (
          (select ${receiver} as endpoint_id from ${table}
           where organisation_id = organisation.organisation_id and status = 'pending' and next_attempt_at is not null
             and ${receiver} > coalesce(limits.after_endpoint_id, '')
           order by ${receiver} limit 1)
          union all
          select step.endpoint_id from walk cross join lateral (
            select ${receiver} as endpoint_id from ${table}
            where organisation_id = organisation.organisation_id and status = 'pending' and next_attempt_at is not null
              and ${receiver} > walk.endpoint_id
            order by ${receiver} limit 1) step)
        select queue.organisation_id, queue.id from walk
        left join endpoint_limits on endpoint_limits.endpoint_id = walk.endpoint_id
        cross join lateral (
          select organisation_id, id from ${table}
          where organisation_id = organisation.organisation_id and ${receiver} = walk.endpoint_id and status = 'pending'
            and next_attempt_at <= ${now} and (claimed_until is null or claimed_until <= ${now})
          order by next_attempt_at limit coalesce(endpoint_limits.slots, ${limits.perEndpoint}::integer)
          for update skip locked) queue
        limit coalesce(limits.slots, ${limits.perOrganisation}::integer)) taken
      limit ${limits.total})`
}

function organisationRows({ organisations }: ClaimLimits, { afterEndpointIds }: ClaimPosition) {
  const named = new Set([...organisations.keys(), ...afterEndpointIds.keys()])
  return [...named].map((organisationId) => ({
    organisation_id: organisationId,
    slots: organisations.get(organisationId),
    after_endpoint_id: afterEndpointIds.get(organisationId),
  }))
}

const endpointRows = ({ endpoints }: ClaimLimits) => [...endpoints].map(([endpointId, slots]) => ({ endpoint_id: endpointId, slots }))

/**
 * Lets the commit of its statement return before it is on disk. If the database crashes at that moment, it loses claims but never
 * deliveries: a claimed delivery may be sent twice, as it may whenever a process crashes.
 */
export const committedAsynchronously = sql`(select set_config('synchronous_commit', 'off', true) offset 0) as committed_asynchronously`

/**
 * Brings forward the deliveries whose times were stored before the clock was set back: a first attempt is due at once, a later one after
 * the wait that followed the last, and no lease is longer than a new one.
 */
export async function bringDeliveriesForward(system: System, leaseSeconds: number): Promise<void> {
  const { now } = system
  const leaseMax = secondsAfter(now, leaseSeconds)
  await sql`
    with late as (
      select delivery.organisation_id, delivery.id, attempt.at as last_at from webhook_deliveries delivery
      left join webhook_attempts attempt on attempt.organisation_id = delivery.organisation_id and attempt.delivery_id = delivery.id
        and attempt.number = delivery.attempt_count
      where delivery.status = 'pending' and delivery.next_attempt_at is not null
        and (delivery.claimed_until > ${leaseMax} or attempt.at > ${now}
          or (delivery.attempt_count = 0 and delivery.next_attempt_at > ${now})))
    update webhook_deliveries delivery set
      next_attempt_at = least(delivery.next_attempt_at,
        ${now}::timestamptz + case when late.last_at > ${now} then delivery.next_attempt_at - late.last_at
          when delivery.attempt_count = 0 then interval '0' end),
      claimed_until = case when delivery.claimed_until > ${leaseMax} then ${leaseMax} else delivery.claimed_until end
    from late where delivery.organisation_id = late.organisation_id and delivery.id = late.id`.execute(system)
}

/** Ends the claim of deliveries, so that any process can claim them at once. */
export async function releaseDeliveries(system: System, deliveries: readonly ClaimedDelivery[]): Promise<void> {
  await sql`${sql.raw(plannedEachTime)}
    update webhook_deliveries delivery set claimed_until = null from ${claimed(deliveries)}
    where delivery.organisation_id = claimed.organisation_id and delivery.id = claimed.id
      and delivery.attempt_count = claimed.attempt_count`.execute(system)
}

/**
 * Holds claimed deliveries until their endpoint is active again, or their organisation restored. The check locks the rows of both, because
 * that may have happened since the claim. A restoration locks the organisation first, and so does this.
 */
export async function holdDeliveries(system: System, deliveries: readonly ClaimedDelivery[]): Promise<void> {
  await sql`${sql.raw(plannedEachTime)}
    with refusing as (
      select endpoint.organisation_id, endpoint.id from webhook_endpoints endpoint
      join organisations organisation on organisation.id = endpoint.organisation_id
      where (endpoint.organisation_id, endpoint.id) in (select organisation_id, endpoint_id from ${claimed(deliveries)})
        and (not endpoint.is_active or organisation.status = 'cancelled')
      for share of organisation, endpoint)
    update webhook_deliveries delivery
    set claimed_until = null,
      next_attempt_at = case when (delivery.organisation_id, delivery.endpoint_id) in (select organisation_id, id from refusing)
        then null else delivery.next_attempt_at end
    from ${claimed(deliveries)}
    where delivery.organisation_id = claimed.organisation_id and delivery.id = claimed.id`.execute(system)
}

const claimed = (deliveries: readonly ClaimedDelivery[]) => {
  const keys = deliveries.map(({ organisationId, id, endpointId, attemptCount }) => ({
    organisation_id: organisationId,
    id,
    endpoint_id: endpointId,
    attempt_count: attemptCount,
  }))
  return sql`json_to_recordset(${JSON.stringify(keys)}::json)
    as claimed (organisation_id text, id text, endpoint_id text, attempt_count integer)`
}
