import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { delayMilliseconds } from './after-response.ts'

describe('the delay before work that must not be noticed', () => {
  it('is 0.2 to 1 s, in whole milliseconds', () => {
    fc.assert(
      fc.property(fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }), (fraction) => {
        const milliseconds = delayMilliseconds(fraction)
        expect(Number.isInteger(milliseconds)).toBe(true)
        expect(milliseconds).toBeGreaterThanOrEqual(200)
        expect(milliseconds).toBeLessThanOrEqual(1_000)
      }),
    )
  })

  it('is any of them, each as often as the others', () => {
    const all = Array.from({ length: 801_000 }, (_, index) => delayMilliseconds(index / 801_000))
    const counts = Map.groupBy(all, (milliseconds) => milliseconds)
    expect(counts.size).toBe(801)
    for (const { length } of counts.values()) expect(Math.abs(length - 1_000)).toBeLessThanOrEqual(1)
  })
})
