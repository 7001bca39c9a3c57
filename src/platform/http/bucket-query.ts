import { z } from 'zod'
import { type Buckets, bucketsBetween, isTimeZone } from '../buckets.ts'
import { daysBefore } from '../clock.ts'
import { dateTime, plainText, refused } from './fields.ts'
import { emptyRange, rangeTooLong, unknownTimeZone, yearOutOfRange } from './refusals.ts'

// Times further away could not be rounded to whole days of every zone.
const boundary = () => dateTime().refine((time) => time.getUTCFullYear() >= 2000 && time.getUTCFullYear() <= 9998, refused(yearOutOfRange))

/** The query of statistics by the hour or day. */
export const BucketQuery = z.object({
  from: boundary().optional().meta({
    description: 'Buckets that end after this time; by default a day before `to`, or 30 days with `interval=day`',
    example: '2026-01-01T00:00:00.000Z',
  }),
  to: boundary()
    .optional()
    .meta({ description: 'Buckets that begin before this time; by default now', example: '2026-02-01T00:00:00.000Z' }),
  interval: z.enum(['hour', 'day']).default('day').meta({ description: 'How long a bucket is' }),
  timeZone: plainText()
    .max(64)
    .refine(isTimeZone, refused(unknownTimeZone))
    .default('UTC')
    .meta({ description: 'IANA name of the time zone for hours and days', example: 'Europe/Berlin' }),
})
export type BucketQuery = z.infer<typeof BucketQuery>

const usualDays = { hour: 1, day: 30 }
const hoursMaxDays = 31

/**
 * The hours or days that a query asks for.
 *
 * @param daysMax the most days that `interval=day` may ask for; hours may cover 31 days
 * @throws Problem `bad-request` for a range that is empty or too long
 */
export function bucketsAsked({ interval, timeZone, ...query }: BucketQuery, now: Date, daysMax: number): Buckets {
  const { to = now } = query
  const { from = daysBefore(to, usualDays[interval]) } = query
  const longest = interval === 'hour' ? hoursMaxDays : daysMax
  if (from >= to) throw emptyRange()
  if (from < daysBefore(to, longest)) throw rangeTooLong(longest)
  return bucketsBetween(from, to, interval, timeZone)
}
