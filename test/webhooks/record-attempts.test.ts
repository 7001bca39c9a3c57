import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import type { FinishedAttempt } from '../../src/webhooks/delivery/attempt.ts'
import type { ClaimedDelivery } from '../../src/webhooks/delivery/claim.ts'
import { recordAttempts } from '../../src/webhooks/delivery/record-attempts.ts'
import { useService } from '../support/service.ts'
import { createEndpoint } from '../support/webhooks.ts'

const service = useService()

const record = (...attempts: FinishedAttempt[]) => recordAttempts(service().database.system(), attempts)

/** An endpoint with deliveries that have no time, so that only the test attempts them. */
async function givenDeliveries(count: number) {
  const { owner, id: organisationId } = await service().given.organisation()
  const url = 'https://hooks.test/'
  const { id: endpointId } = await createEndpoint(owner, { url, events: ['role.created'], variant: 'A' })
  const delivery = { eventId: 'evt_1', event: 'role.created', variant: 'A', body: '{}' } as const
  const secrets = { secretEncrypted: '', previousSecretEncrypted: null, previousSecretExpiresAt: null }
  const deliveries = Array.from({ length: count }, (_, index): ClaimedDelivery => {
    const id = `dlv_${String(index).padStart(26, '0')}`
    return { ...delivery, ...secrets, organisationId, id, endpointId, url, attemptCount: 0, standardSignature: false, isWanted: true }
  })
  const ids = deliveries.map(({ id }) => id)
  await sql`
    insert into webhook_deliveries (organisation_id, id, endpoint_id, event_id, event, variant, body, created_at)
    select ${organisationId}, id, ${endpointId}, 'evt_1', 'role.created', 'A', '{}', now() from unnest(${ids}::text[]) id`.execute(
    service().database.system(),
  )
  const path = `/v1/admin/webhooks/${endpointId}`
  return {
    deliveries,
    endpoint: async () => (await owner.get(path)).body,
    shown: async ({ id }: ClaimedDelivery) => (await owner.get(`${path}/deliveries/${id}`)).body,
  }
}

function attempt(delivery: ClaimedDelivery, status: number, verdict: FinishedAttempt['verdict']): FinishedAttempt {
  const error = status === 200 ? null : `Response status ${status}`
  const result = { status, durationMilliseconds: 5, error, response: '', retryAfterSeconds: undefined }
  return { delivery, at: service().clock.now(), result, verdict }
}
const delivered = (delivery: ClaimedDelivery) => attempt(delivery, 200, { kind: 'delivered' })
const failed = (delivery: ClaimedDelivery) => attempt(delivery, 400, { kind: 'failed' })

describe('attempts that are recorded together', () => {
  it('count as failures in a row of their endpoint only after the last success among them', async () => {
    const { deliveries, endpoint } = await givenDeliveries(15)
    const [succeeding, ...others] = deliveries as [ClaimedDelivery, ...ClaimedDelivery[]]

    // Eleven failures in a row would deactivate it.
    expect(await record(...others.slice(0, 11).map(failed), delivered(succeeding))).toEqual([])
    expect(await endpoint()).toMatchObject({ isActive: true, failureCount: 0 })
    expect(await record(...others.slice(11).map(failed))).toEqual([])
    expect(await endpoint()).toMatchObject({ isActive: true, failureCount: 3 })
  })

  it('leave out one that another process has recorded, and no other', async () => {
    const { deliveries, shown } = await givenDeliveries(2)
    const [claimedTwice, other] = deliveries as [ClaimedDelivery, ClaimedDelivery]
    const tomorrow = new Date(service().clock.now().getTime() + 24 * 3_600_000)
    await record(attempt(claimedTwice, 503, { kind: 'retry', at: tomorrow }))

    await record(delivered(claimedTwice), delivered(other))

    expect(await shown(claimedTwice)).toMatchObject({
      status: 'pending',
      attemptCount: 1,
      lastStatusCode: 503,
      attempts: [{ status: 503 }],
    })
    expect(await shown(other)).toMatchObject({ status: 'delivered', attemptCount: 1, attempts: [{ status: 200 }] })
  })
})
