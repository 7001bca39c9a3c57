export type Interval = 'hour' | 'day'

const minute = 60_000
const hour = 60 * minute
const day = 24 * hour

/** Whether a name is that of an IANA time zone. `Intl` accepts offsets such as `+02:00`, too. */
export function isTimeZone(name: string): boolean {
  if (!/^[A-Za-z]/.test(name)) return false
  try {
    new Intl.DateTimeFormat('en', { timeZone: name })
    return true
  } catch {
    return false
  }
}

/** Returns how far the clocks of a zone are ahead of UTC at a time, in milliseconds. */
export function offsets(timeZone: string): (time: number) => number {
  const format = new Intl.DateTimeFormat('en-US', { timeZone, timeZoneName: 'longOffset' })
  return (time) => {
    const name = format.formatToParts(time).find(({ type }) => type === 'timeZoneName')?.value ?? ''
    const [, sign, hours = 0, minutes = 0, seconds = 0] = /([+-])(\d\d):(\d\d)(?::(\d\d))?/.exec(name) ?? []
    return (sign === '-' ? -1 : 1) * (Number(hours) * hour + Number(minutes) * minute + Number(seconds) * 1_000)
  }
}

/** The starts of buckets, and the end of the last one. */
export interface Buckets {
  starts: Date[]
  end: Date
}

/**
 * The whole hours or days of a time zone that overlap the range between two times. A day lasts 23 or 25 hours when the clocks change; an
 * hour always lasts one, and a repeated hour makes two buckets.
 *
 * @param to after `from`
 */
export function bucketsBetween(from: Date, to: Date, interval: Interval, timeZone: string): Buckets {
  const offsetAt = offsets(timeZone)
  const next = interval === 'hour' ? nextHour(offsetAt) : nextDay(offsetAt)
  const starts: Date[] = []
  let start = interval === 'hour' ? firstHour(offsetAt, from.getTime()) : firstDay(offsetAt, from.getTime())
  while (start < to.getTime()) {
    starts.push(new Date(start))
    start = next(start)
  }
  return { starts, end: new Date(start) }
}

type OffsetAt = (time: number) => number

const floorTo = (unit: number, time: number) => Math.floor(time / unit) * unit

/** The last full hour on the clocks at a time. */
function firstHour(offsetAt: OffsetAt, time: number): number {
  const fullHour = (at: number) => floorTo(hour, at + offsetAt(at)) - offsetAt(at)
  // Round twice: the clocks may have changed by half an hour in between.
  return fullHour(fullHour(time))
}

/** Where clocks change by half an hour, the hour in which they do ends with the next full one. */
const nextHour = (offsetAt: OffsetAt) => (start: number) => {
  const end = start + hour
  const past = (end + offsetAt(end)) % hour
  return past === 0 ? end : end + hour - past
}

function firstDay(offsetAt: OffsetAt, time: number): number {
  return startOfDay(offsetAt, floorTo(day, time + offsetAt(time)))
}

const nextDay = (offsetAt: OffsetAt) => (start: number) => {
  // A zone that moves across the date line skips a day.
  for (let date = floorTo(day, start + offsetAt(start)) + day; ; date += day) {
    const next = startOfDay(offsetAt, date)
    if (next > start) return next
  }
}

/**
 * The first moment of a local date. Where midnight is skipped, the day begins when the clocks change.
 *
 * @param date as if it were midnight in UTC
 */
function startOfDay(offsetAt: OffsetAt, date: number): number {
  const [before, after] = [offsetAt(date - day), offsetAt(date + day)]
  const midnight = date - before
  if (before === after) return midnight
  const setAt = whenSet(offsetAt, date - day, date + day)
  if (midnight < setAt) return midnight
  return Math.max(setAt, date - after)
}

/** The time at which the clocks change, between two times of different offsets. */
function whenSet(offsetAt: OffsetAt, from: number, to: number): number {
  const before = offsetAt(from)
  let [low, high] = [from, to]
  while (high - low > 1_000) {
    const middle = floorTo(1_000, (low + high) / 2)
    if (offsetAt(middle) === before) low = middle
    else high = middle
  }
  return high
}
