import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { secondsToWaitAfter } from './rules.ts'

const minute = 60
const day = 24 * 60 * minute

describe('the wait after wrong codes in a row', () => {
  it.each([
    [10, 15 * minute],
    [15, 30 * minute],
    [20, 60 * minute],
    [40, 960 * minute],
    [45, day],
    [50, day],
    [10_000, day],
  ])('after %i of them is %i seconds', (wrongCodes, seconds) => {
    expect(secondsToWaitAfter(wrongCodes)).toBe(seconds)
  })

  it('never comes before the tenth, and then only with every fifth', () => {
    fc.assert(
      fc.property(fc.nat(100_000), (wrongCodes) => {
        expect(secondsToWaitAfter(wrongCodes) > 0).toBe(wrongCodes >= 10 && wrongCodes % 5 === 0)
      }),
    )
  })

  it('never becomes shorter, nor longer than a day', () => {
    fc.assert(
      fc.property(fc.nat(10_000), fc.nat(10_000), (one, other) => {
        const [less, more] = [Math.min(one, other), Math.max(one, other)].map((fives) => secondsToWaitAfter(10 + 5 * fives))
        expect(less).toBeLessThanOrEqual(more as number)
        expect(more).toBeLessThanOrEqual(day)
      }),
    )
  })
})
