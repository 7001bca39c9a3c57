import { z } from 'zod'
import { daysBefore } from '../../platform/clock.ts'
import type { Tenant } from '../../platform/database/database.ts'
import { dateTime, presentTime, timestamp } from '../../platform/http/fields.ts'
import { startOfHour } from '../endpoints/rules.ts'
import { emptyRange, statisticsRangeTooLong, webhookNotFound } from '../refusals.ts'
import { addHistograms, emptyHistogram, percentileOf } from './durations.ts'

const hour = 3_600_000
const ranges = {
  hour: { milliseconds: hour, usualDays: 1, maxDays: 31 },
  day: { milliseconds: 24 * hour, usualDays: 30, maxDays: 90 },
}

export const DeliveryStatisticsQuery = z.object({
  from: dateTime().optional().meta({
    description: 'Buckets that end after this time; by default a day before `to`, or 30 days with `interval=day`',
    example: '2026-01-01T00:00:00.000Z',
  }),
  to: dateTime()
    .optional()
    .meta({ description: 'Buckets that begin before this time; by default now', example: '2026-02-01T00:00:00.000Z' }),
  interval: z.enum(['hour', 'day']).default('day').meta({ description: 'How long a bucket is' }),
})

const count = (description: string, example: number) => z.number().int().meta({ description, example })

export const DeliveryStatistics = z
  .object({
    data: z
      .array(
        z.object({
          at: timestamp('When the bucket begins'),
          delivered: count('Deliveries that arrived', 1_240),
          failed: count('Deliveries that failed for good', 3),
          p50: z
            .number()
            .int()
            .nullable()
            .meta({ description: 'Milliseconds that half of the attempts took at most; null without attempts', example: 42 }),
          p95: z
            .number()
            .int()
            .nullable()
            .meta({ description: 'Milliseconds that 95 of 100 attempts took at most; null without attempts', example: 180 }),
        }),
      )
      .meta({ description: 'Every hour or day of the range in UTC, oldest first, also those without attempts' }),
  })
  .meta({ component: 'DeliveryStatistics' })

/**
 * What came of the deliveries to an endpoint in each hour or day between two times, read from counts by the hour.
 *
 * @throws Problem `not-found`; `bad-request` for a range that is empty or too long
 */
export async function deliveryStatistics(
  tenant: Tenant,
  endpointId: string,
  { interval, to = tenant.now, ...query }: z.output<typeof DeliveryStatisticsQuery>,
): Promise<z.infer<typeof DeliveryStatistics>> {
  const { milliseconds, usualDays, maxDays } = ranges[interval]
  const { from = daysBefore(to, usualDays) } = query
  if (from >= to) throw emptyRange()
  if (from < daysBefore(to, maxDays)) throw statisticsRangeTooLong(maxDays)

  const startOf = (time: number) => Math.floor(time / milliseconds) * milliseconds
  const buckets = new Map<number, { delivered: number; failed: number; durations: readonly number[] }>()
  for (let at = startOf(from.getTime()); at < to.getTime(); at += milliseconds) {
    buckets.set(at, { delivered: 0, failed: 0, durations: emptyHistogram() })
  }
  const first = new Date(startOf(from.getTime()))
  for (const counted of await listHours(tenant, endpointId, first, new Date(first.getTime() + buckets.size * milliseconds))) {
    const bucket = counted.hour && buckets.get(startOf(counted.hour.getTime()))
    if (!bucket) continue
    bucket.delivered += counted.delivered ?? 0
    bucket.failed += counted.failed ?? 0
    bucket.durations = addHistograms(bucket.durations, counted.durations ?? [])
  }
  const data = [...buckets].map(([at, { delivered, failed, durations }]) => ({
    at: presentTime(new Date(at)),
    delivered,
    failed,
    p50: percentileOf(durations, 0.5),
    p95: percentileOf(durations, 0.95),
  }))
  return { data }
}

/** @throws Problem `not-found` */
async function listHours(tenant: Tenant, endpointId: string, from: Date, to: Date) {
  const rows = await tenant
    .selectFrom('webhookEndpoints')
    .leftJoin('webhookHours', (join) =>
      join
        .onRef('webhookHours.organisationId', '=', 'webhookEndpoints.organisationId')
        .onRef('webhookHours.endpointId', '=', 'webhookEndpoints.id')
        .on('webhookHours.hour', '>=', startOfHour(from))
        .on('webhookHours.hour', '<', to),
    )
    .select(['webhookHours.hour', 'webhookHours.delivered', 'webhookHours.failed', 'webhookHours.durations'])
    .where('webhookEndpoints.id', '=', endpointId)
    .execute()
  if (rows.length === 0) throw webhookNotFound()
  return rows
}
