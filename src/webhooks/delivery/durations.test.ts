import { describe, expect, it } from 'vitest'
import { addHistograms, binCount, binOf, emptyHistogram, percentileOf } from './durations.ts'

const histogramOf = (durations: readonly number[]) => {
  const histogram = emptyHistogram()
  for (const duration of durations) histogram[binOf(duration)] = (histogram[binOf(duration)] ?? 0) + 1
  return histogram
}

describe('a histogram of durations', () => {
  it('has no percentile without durations', () => {
    expect(percentileOf(emptyHistogram(), 0.5)).toBeNull()
  })

  it.each([1, 7, 42, 250, 1_999, 12_000, 30_000])('tells a single duration to a tenth: %d ms', (duration) => {
    for (const share of [0.5, 0.95]) {
      const percentile = percentileOf(histogramOf([duration]), share) ?? 0
      expect(Math.abs(percentile - duration)).toBeLessThanOrEqual(Math.max(1, duration / 10))
    }
  })

  it('tells the percentiles of many durations to a tenth', () => {
    const histogram = histogramOf(Array.from({ length: 1_000 }, (_, index) => index + 1))
    for (const share of [0.5, 0.95, 0.99]) {
      expect(Math.abs((percentileOf(histogram, share) ?? 0) - share * 1_000)).toBeLessThanOrEqual(share * 100)
    }
  })

  it('puts everything very long into the last bin', () => {
    expect(binOf(10 ** 9)).toBe(binCount - 1)
    expect(binOf(0)).toBe(0)
  })

  it('of two is that of all their durations', () => {
    expect(addHistograms(histogramOf([1, 100]), histogramOf([100, 5_000]))).toEqual(histogramOf([1, 100, 100, 5_000]))
  })
})
