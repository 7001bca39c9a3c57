import { sql } from 'kysely'
import type { System } from '../platform/database/database.ts'
import { plannedEachTime } from '../platform/database/engine.ts'
import type { EncryptedSecrets } from './secrets.ts'
import type { Variant } from './variants.ts'

/** A delivery that this process alone attempts until its lease ends, with what the attempt needs. */
export interface ClaimedDelivery extends EncryptedSecrets {
  organisationId: string
  id: string
  endpointId: string
  event: string
  variant: Variant
  body: string
  attemptCount: number
  url: string
  /** False while the endpoint is inactive, and when its organisation is cancelled. */
  isWanted: boolean
}

export interface EndpointKey {
  organisationId: string
  endpointId: string
}

export interface ClaimRequest {
  /** Most deliveries to take. */
  limit: number
  /** Most of one endpoint. */
  perEndpoint: number
  /** Endpoints of which fewer may be taken: those that are busy or do not answer. */
  rooms: readonly { endpointId: string; places: number }[]
  /** The walk over the endpoints begins after this one, so that none is always first. */
  after: EndpointKey | undefined
  leaseSeconds: number
}

/**
 * Takes deliveries that are due, for the length of a lease: a process that dies gives them back by it. It walks from
 * endpoint to endpoint along the index and takes a few of each, so that a long queue of one that does not answer costs
 * the others one step.
 */
export async function claimDueDeliveries(system: System, request: ClaimRequest): Promise<ClaimedDelivery[]> {
  const { now } = system
  const { rows } = await sql<ClaimedDelivery>`${plannedEachTime}
    with recursive walk as (
      (select organisation_id, endpoint_id from webhook_deliveries
       where status = 'pending' and next_attempt_at is not null
         and (organisation_id, endpoint_id) > (${request.after?.organisationId ?? ''}, ${request.after?.endpointId ?? ''})
       order by organisation_id, endpoint_id limit 1)
      union all
      select step.organisation_id, step.endpoint_id from walk cross join lateral (
        select organisation_id, endpoint_id from webhook_deliveries
        where status = 'pending' and next_attempt_at is not null
          and (organisation_id, endpoint_id) > (walk.organisation_id, walk.endpoint_id)
        order by organisation_id, endpoint_id limit 1) step),
    room as (
      select * from json_to_recordset(${JSON.stringify(request.rooms)}::json) as room ("endpointId" text, places integer)),
    due as (
      select queue.organisation_id, queue.id from walk
      left join room on room."endpointId" = walk.endpoint_id
      cross join lateral (
        select organisation_id, id from webhook_deliveries
        where organisation_id = walk.organisation_id and endpoint_id = walk.endpoint_id and status = 'pending'
          and next_attempt_at <= ${now} and (claimed_until is null or claimed_until <= ${now})
        order by next_attempt_at limit coalesce(room.places, ${request.perEndpoint}::integer)
        for update skip locked) queue
      limit ${request.limit})
    update webhook_deliveries delivery set claimed_until = ${secondsAfter(now, request.leaseSeconds)}
    from due, webhook_endpoints endpoint, organisations organisation
    where delivery.organisation_id = due.organisation_id and delivery.id = due.id
      and endpoint.organisation_id = delivery.organisation_id and endpoint.id = delivery.endpoint_id
      and organisation.id = delivery.organisation_id
    returning delivery.organisation_id, delivery.id, delivery.endpoint_id, delivery.event, delivery.variant, delivery.body,
      delivery.attempt_count, endpoint.url, endpoint.secret_encrypted, endpoint.previous_secret_encrypted,
      endpoint.previous_secret_expires_at,
      (endpoint.is_active or delivery.is_test) and organisation.status <> 'cancelled' as is_wanted`.execute(system)
  return rows
}

/** Gives claimed deliveries back, for whichever process comes first. */
export async function releaseDeliveries(system: System, deliveries: readonly ClaimedDelivery[]): Promise<void> {
  await sql`${plannedEachTime}
    update webhook_deliveries delivery set claimed_until = null from ${claimed(deliveries)}
    where delivery.organisation_id = claimed.organisation_id and delivery.id = claimed.id
      and delivery.attempt_count = claimed.attempt_count`.execute(system)
}

/**
 * Holds claimed deliveries back until their endpoint is active again. Whether it is, is asked with its row locked: it may
 * have been activated since the claim.
 */
export async function holdDeliveries(system: System, deliveries: readonly ClaimedDelivery[]): Promise<void> {
  await sql`${plannedEachTime}
    with refusing as (
      select endpoint.organisation_id, endpoint.id from webhook_endpoints endpoint
      join organisations organisation on organisation.id = endpoint.organisation_id
      where (endpoint.organisation_id, endpoint.id) in (select organisation_id, endpoint_id from ${claimed(deliveries)})
        and (not endpoint.is_active or organisation.status = 'cancelled')
      for share of endpoint)
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

const secondsAfter = (time: Date, seconds: number) => new Date(time.getTime() + seconds * 1_000)
