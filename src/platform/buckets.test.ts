import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { bucketsBetween, isTimeZone, offsets } from './buckets.ts'

const minute = 60_000
const hour = 60 * minute
const day = 24 * hour

const zones = [...Intl.supportedValuesOf('timeZone'), 'UTC', 'Antarctica/Troll', 'Australia/Lord_Howe', 'Asia/Kathmandu']
const ranges = fc
  .record({
    from: fc.integer({ min: Date.UTC(2000, 0, 2), max: Date.UTC(2037, 0, 1) }),
    length: fc.integer({ min: 1, max: 12 * day }),
  })
  .map(({ from, length }) => ({ from: new Date(from), to: new Date(from + length) }))
const anyZone = fc.constantFrom(...zones)

const localDate = (timeZone: string) => {
  const format = new Intl.DateTimeFormat('en-CA', { timeZone, year: 'numeric', month: '2-digit', day: '2-digit' })
  return (time: number) => format.format(time)
}
const startsAndEnd = ({ starts, end }: ReturnType<typeof bucketsBetween>) => [...starts, end].map((time) => time.getTime())
const hoursOf = (times: number[]) => times.slice(1).map((time, index) => (time - (times[index] as number)) / hour)
const days = (from: string, to: string, timeZone: string) => startsAndEnd(bucketsBetween(new Date(from), new Date(to), 'day', timeZone))

describe('the buckets between two times', () => {
  it('follow one another, and the first and the last reach over the ends', () => {
    fc.assert(
      fc.property(ranges, fc.constantFrom('hour' as const, 'day' as const), anyZone, ({ from, to }, interval, timeZone) => {
        const times = startsAndEnd(bucketsBetween(from, to, interval, timeZone))

        expect(times.toSorted((left, right) => left - right)).toEqual(times)
        expect(new Set(times).size).toBe(times.length)
        expect(times[0]).toBeLessThanOrEqual(from.getTime())
        expect(times[1]).toBeGreaterThan(from.getTime())
        expect(times.at(-2)).toBeLessThan(to.getTime())
        expect(times.at(-1)).toBeGreaterThanOrEqual(to.getTime())
      }),
    )
  })

  it('begin with quarters of an hour, in which sign-ins are counted', () => {
    fc.assert(
      fc.property(ranges, fc.constantFrom('hour' as const, 'day' as const), anyZone, ({ from, to }, interval, timeZone) => {
        const times = startsAndEnd(bucketsBetween(from, to, interval, timeZone))
        expect(times.filter((time) => time % (15 * minute) !== 0)).toEqual([])
      }),
    )
  })

  it('are exactly the local dates, of at most 26 hours', () => {
    fc.assert(
      fc.property(ranges, anyZone, ({ from, to }, timeZone) => {
        const times = startsAndEnd(bucketsBetween(from, to, 'day', timeZone))
        const date = localDate(timeZone)
        for (const [index, start] of times.slice(0, -1).entries()) {
          const end = times[index + 1] as number
          expect(date(end - 1)).toBe(date(start))
          expect(date(start - 1)).not.toBe(date(start))
          expect(end - start).toBeLessThanOrEqual(26 * hour)
        }
      }),
    )
  })

  it('are hours that begin on the full hour of the local clocks', () => {
    fc.assert(
      fc.property(ranges, anyZone, ({ from, to }, timeZone) => {
        const times = startsAndEnd(bucketsBetween(from, to, 'hour', timeZone))
        const offsetAt = offsets(timeZone)
        for (const [index, start] of times.slice(0, -1).entries()) {
          const end = times[index + 1] as number
          expect((start + offsetAt(start)) % hour).toBe(0)
          const isSetByPartOfHour = (offsetAt(end) - offsetAt(start)) % hour !== 0
          expect((end - start) / hour).toBe(isSetByPartOfHour ? 1.5 : 1)
        }
      }),
    )
  })

  it.each([
    ['23 hours when the clocks go forward', '2026-03-29T12:00:00Z', 'Europe/Berlin', 23],
    ['25 hours when they go back', '2026-10-25T12:00:00Z', 'Europe/Berlin', 25],
    ['24 hours on any other day', '2026-06-01T12:00:00Z', 'Asia/Kolkata', 24],
    ['23 hours where midnight is left out', '2018-11-04T12:00:00Z', 'America/Sao_Paulo', 23],
    ['24.5 hours on Lord Howe', '2026-04-05T00:00:00Z', 'Australia/Lord_Howe', 24.5],
    ['26 hours at Troll', '2026-10-25T12:00:00Z', 'Antarctica/Troll', 26],
  ])('make a day of %s', (_what, at, timeZone, hours) => {
    const to = new Date(new Date(at).getTime() + 1).toISOString()
    expect(hoursOf(days(at, to, timeZone))).toEqual([hours])
    if (hours % 1 > 0) return
    const [start, end] = days(at, to, timeZone) as [number, number]
    expect(bucketsBetween(new Date(start), new Date(end), 'hour', timeZone).starts).toHaveLength(hours)
  })

  it('leave out a day that a zone has left out', () => {
    const times = days('2011-12-29T12:00:00-10:00', '2011-12-31T12:00:00+14:00', 'Pacific/Apia')
    expect(times.slice(0, -1).map(localDate('Pacific/Apia'))).toEqual(['2011-12-29', '2011-12-31'])
  })
})

describe('the name of a time zone', () => {
  it.each(['UTC', 'Europe/Berlin', 'America/Argentina/Buenos_Aires', 'Asia/Kolkata'])('is %s', (name) => {
    expect(isTimeZone(name)).toBe(true)
  })

  it.each(['', '+02:00', '-05:30', 'Europe/Atlantis', 'Berlin', 'Europe/Berlin ', '\u0000'])('is not "%s"', (name) => {
    expect(isTimeZone(name)).toBe(false)
  })
})
