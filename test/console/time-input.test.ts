import process from 'node:process'
import { afterEach, describe, expect, it } from 'vitest'
import { isYearTyped, minuteOf, timeAt } from '../../console/src/parts/time-input.ts'

const zone = process.env.TZ
afterEach(() => {
  if (zone === undefined) delete process.env.TZ
  else process.env.TZ = zone
})

describe('the text of a date and time field', () => {
  it.each(['Europe/Berlin', 'Asia/Tokyo', 'America/New_York', 'Asia/Kolkata', 'UTC'])('stays the same in %s, whatever its year', (zone) => {
    process.env.TZ = zone
    for (const year of ['0002', '0020', '0202', '1890', '1999', '2026']) {
      for (const isUtc of [true, false]) {
        const text = `${year}-11-22T14:05`
        const time = timeAt(text, isUtc)
        expect([text, isUtc, time && minuteOf(time, isUtc)]).toEqual([text, isUtc, text])
      }
    }
  })

  it('is in the zone that is meant', () => {
    process.env.TZ = 'Asia/Tokyo'
    expect(timeAt('2026-11-22T14:05', false)?.toISOString()).toBe('2026-11-22T05:05:00.000Z')
    expect(timeAt('2026-11-22T14:05', true)?.toISOString()).toBe('2026-11-22T14:05:00.000Z')
    expect(minuteOf(new Date('2026-11-22T20:05:59Z'), false)).toBe('2026-11-23T05:05')
    expect(minuteOf(new Date('2026-11-22T20:05:59Z'), true)).toBe('2026-11-22T20:05')
  })

  it.each(['0002', '0020', '0202'])('has no whole year while 2026 is typed, as %s', (year) => {
    expect(isYearTyped(`${year}-11-22T14:05`)).toBe(false)
    expect(isYearTyped('2026-11-22T14:05')).toBe(true)
  })

  it('is no time while it is incomplete', () => {
    expect(timeAt('', false)).toBeUndefined()
    expect(timeAt('', true)).toBeUndefined()
  })
})
