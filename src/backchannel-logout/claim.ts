import { sql } from 'kysely'
import { secondsAfter } from '../platform/clock.ts'
import type { SigningAlgorithm } from '../platform/database/column-types.ts'
import type { System } from '../platform/database/database.ts'
import { plannedEachTime } from '../platform/database/planned-each-time.ts'
import { type ClaimRequest, committedAsynchronously, dueDeliveries } from '../webhooks/delivery/claim.ts'
import type { QueuedDelivery } from '../webhooks/delivery/delivery-queue.ts'
import type { ToldLogout } from './logout-token.ts'

/** A claimed delivery with what its attempt needs. The receiver is the client. */
export interface ClaimedLogout extends QueuedDelivery, ToldLogout {
  algorithm: SigningAlgorithm
  url: string
}

/**
 * Claims deliveries that are due, for the length of a lease. The address is the client's of now, and not of when the session ended. The
 * client is joined after the update, as the endpoint of a webhook is.
 */
export async function claimDueLogouts(system: System, request: ClaimRequest): Promise<ClaimedLogout[]> {
  const { now } = system
  const { rows } = await sql<ClaimedLogout>`${sql.raw(plannedEachTime)}
    with recursive ${dueDeliveries(now, { table: 'logout_deliveries', receiver: 'client_id' }, request)},
    delivery as (
      update logout_deliveries queued set claimed_until = ${secondsAfter(now, request.leaseSeconds)}
      from due, ${committedAsynchronously}
      where queued.organisation_id = due.organisation_id and queued.id = due.id
      returning queued.organisation_id, queued.id, queued.client_id, queued.user_id, queued.session_id, queued.attempt_count)
    select delivery.organisation_id, delivery.id, delivery.client_id as endpoint_id, delivery.user_id, delivery.session_id,
      delivery.attempt_count, client.backchannel_logout_uri as url, coalesce(client.automatic_client_id, client.id) as audience,
      client.id_token_signed_response_alg as algorithm,
      client.backchannel_logout_uri is not null and organisation.status <> 'cancelled' as is_wanted
    from delivery
    join clients client on client.organisation_id = delivery.organisation_id and client.id = delivery.client_id
    join organisations organisation on organisation.id = delivery.organisation_id`.execute(system)
  return rows
}

/** Ends the claim of deliveries, so that any process can claim them at once. */
export async function releaseLogouts(system: System, deliveries: readonly ClaimedLogout[]): Promise<void> {
  await sql`${sql.raw(plannedEachTime)}
    update logout_deliveries delivery set claimed_until = null from ${claimed(deliveries)}
    where delivery.organisation_id = claimed.organisation_id and delivery.id = claimed.id
      and delivery.attempt_count = claimed.attempt_count`.execute(system)
}

/** Gives up deliveries whose client has no address any more, or whose organisation is cancelled. */
export async function giveUpLogouts(system: System, deliveries: readonly ClaimedLogout[]): Promise<void> {
  await sql`${sql.raw(plannedEachTime)}
    update logout_deliveries delivery set status = 'failed', claimed_until = null, next_attempt_at = null from ${claimed(deliveries)}
    where delivery.organisation_id = claimed.organisation_id and delivery.id = claimed.id and delivery.status = 'pending'
      and delivery.attempt_count = claimed.attempt_count`.execute(system)
}

const claimed = (deliveries: readonly ClaimedLogout[]) => {
  const keys = deliveries.map(({ organisationId, id, attemptCount }) => ({
    organisation_id: organisationId,
    id,
    attempt_count: attemptCount,
  }))
  return sql`json_to_recordset(${JSON.stringify(keys)}::json) as claimed (organisation_id text, id text, attempt_count integer)`
}

/**
 * Brings forward what was stored before the clock was set back: first attempts are due at once, no lease is longer than a new one, and
 * sessions are looked at soon.
 */
export async function bringLogoutsForward(system: System, leaseSeconds: number): Promise<void> {
  const { now } = system
  const leaseMax = secondsAfter(now, leaseSeconds)
  await sql`
    update logout_deliveries
    set next_attempt_at = least(next_attempt_at, ${secondsAfter(now, retryWaitMaxSeconds)}::timestamptz,
        case attempt_count when 0 then ${now}::timestamptz end),
      claimed_until = case when claimed_until > ${leaseMax} then ${leaseMax} else claimed_until end
    where status = 'pending' and next_attempt_at is not null`.execute(system)
  await sql`update session_clients set check_at = ${now} where check_at > ${now}`.execute(system)
}

/** No attempt waits longer for the next. */
const retryWaitMaxSeconds = 540
