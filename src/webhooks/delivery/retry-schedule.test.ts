import { describe, expect, it } from 'vitest'
import type { Variant } from '../../platform/database/column-types.ts'
import { decideVerdict, parseRetryAfter } from './retry-schedule.ts'
import { variants } from './variants.ts'

const endedAt = new Date('2026-01-31T09:30:00.000Z')

/** The seconds to wait after each attempt that ends like this, until no attempt is left. */
function waits(variant: Variant, status: number | null, retryAfterSeconds?: number): number[] {
  const found: number[] = []
  for (let attempt = 1; ; attempt++) {
    const verdict = decideVerdict(variant, attempt, { status, retryAfterSeconds }, endedAt)
    if (verdict.kind !== 'retry') return found
    found.push((verdict.at.getTime() - endedAt.getTime()) / 1_000)
  }
}

describe('an attempt', () => {
  it('has 10 seconds in variant A and 5 in variant B', () => {
    expect([variants.A.timeoutMilliseconds, variants.B.timeoutMilliseconds]).toEqual([10_000, 5_000])
  })
})

describe('the retry schedule', () => {
  it.each([null, 500, 502, 503])('of variant A is 2 s and 4 s after %s', (status) => {
    expect(waits('A', status)).toEqual([2, 4])
  })

  it.each([301, 302, 307, 400, 401, 404, 410, 429])('of variant A ends at once after %s', (status) => {
    expect(waits('A', status)).toEqual([])
    expect(waits('A', status, 30)).toEqual([])
  })

  it.each([null, 301, 307, 400, 401, 404, 410, 429, 500, 503])('of variant B is 1 min, 5 min, 15 min, 1 h and 6 h after %s', (status) => {
    expect(waits('B', status)).toEqual([60, 300, 900, 3_600, 21_600])
  })

  it.each([200, 201, 202, 204, 299])('ends with %s as delivered', (status) => {
    for (const variant of ['A', 'B'] as const) {
      expect(decideVerdict(variant, 1, { status, retryAfterSeconds: 60 }, endedAt)).toEqual({ kind: 'delivered' })
    }
  })

  it('waits longer when a 429 or 503 asks for it, but not shorter, nor longer than a day', () => {
    expect(waits('B', 429, 120)).toEqual([120, 300, 900, 3_600, 21_600])
    expect(waits('B', 503, 1)).toEqual([60, 300, 900, 3_600, 21_600])
    expect(waits('A', 503, 30)).toEqual([30, 30])
    expect(waits('B', 503, 1e9)).toEqual([86_400, 86_400, 86_400, 86_400, 86_400])
    expect(waits('B', 500, 120)).toEqual([60, 300, 900, 3_600, 21_600])
  })
})

describe('Retry-After', () => {
  it.each([
    ['120', 120],
    ['Sat, 31 Jan 2026 09:31:30 GMT', 90],
    ['Sat, 31 Jan 2026 09:00:00 GMT', 0],
    ['soon', undefined],
    [undefined, undefined],
  ])('%s is %s seconds', (value, seconds) => {
    expect(parseRetryAfter(value, endedAt)).toBe(seconds)
  })
})
