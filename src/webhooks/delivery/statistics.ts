import { z } from 'zod'
import type { Tenant } from '../../platform/database/database.ts'
import { type BucketQuery, bucketsAsked } from '../../platform/http/bucket-query.ts'
import { presentTime, timestamp } from '../../platform/http/fields.ts'
import { webhookNotFound } from '../refusals.ts'
import { addHistograms, emptyHistogram, percentileOf } from './durations.ts'

const count = (description: string, example: number) => z.number().int().meta({ description, example })

export const DeliveryStatistics = z
  .object({
    data: z
      .array(
        z.object({
          at: timestamp('When the bucket begins'),
          delivered: count('Deliveries that succeeded', 1_240),
          failed: count('Deliveries that failed for good', 3),
          p50: z
            .number()
            .int()
            .nullable()
            .meta({ description: 'Median of the attempts in milliseconds; null without attempts', example: 42 }),
          p95: z
            .number()
            .int()
            .nullable()
            .meta({ description: '95th percentile of the attempts in milliseconds; null without attempts', example: 180 }),
        }),
      )
      .meta({ description: 'Every hour or day of the range, oldest first, including those without attempts' }),
  })
  .meta({ component: 'DeliveryStatistics' })

const daysMax = 90

/**
 * The results of the deliveries to an endpoint in each hour or day between two times. They are counted by hours of UTC: where a zone's
 * hours begin in between, an hour counts for the bucket in which it begins.
 *
 * @throws Problem `not-found`; `bad-request` for a range that is empty or too long
 */
export async function deliveryStatistics(
  tenant: Tenant,
  endpointId: string,
  query: BucketQuery,
): Promise<z.infer<typeof DeliveryStatistics>> {
  const { starts, end } = bucketsAsked(query, tenant.now, daysMax)
  const buckets = starts.map((start) => ({ start, delivered: 0, failed: 0, durations: emptyHistogram() as readonly number[] }))
  let place = 0
  for (const { hour, delivered, failed, durations } of await listHours(tenant, endpointId, starts[0] as Date, end)) {
    while (hour && (starts[place + 1] ?? end) <= hour) place++
    const bucket = buckets[place]
    if (!hour || !bucket) continue
    bucket.delivered += delivered ?? 0
    bucket.failed += failed ?? 0
    bucket.durations = addHistograms(bucket.durations, durations ?? [])
  }
  const data = buckets.map(({ start, delivered, failed, durations }) => ({
    at: presentTime(start),
    delivered,
    failed,
    p50: percentileOf(durations, 0.5),
    p95: percentileOf(durations, 0.95),
  }))
  return { data }
}

/**
 * The hours between two times, oldest first; a single one without values if there are none.
 *
 * @throws Problem `not-found`
 */
async function listHours(tenant: Tenant, endpointId: string, from: Date, to: Date) {
  const rows = await tenant
    .selectFrom('webhookEndpoints')
    .leftJoin('webhookHours', (join) =>
      join
        .onRef('webhookHours.organisationId', '=', 'webhookEndpoints.organisationId')
        .onRef('webhookHours.endpointId', '=', 'webhookEndpoints.id')
        .on('webhookHours.hour', '>=', from)
        .on('webhookHours.hour', '<', to),
    )
    .select(['webhookHours.hour', 'webhookHours.delivered', 'webhookHours.failed', 'webhookHours.durations'])
    .where('webhookEndpoints.id', '=', endpointId)
    .orderBy('webhookHours.hour')
    .execute()
  if (rows.length === 0) throw webhookNotFound()
  return rows
}
