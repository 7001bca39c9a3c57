/**
 * Counts of durations by their length. Each bin is a fifth longer than the one before, so a percentile is exact to a tenth. The last bin
 * takes all longer durations.
 */
export const binCount = 60
const binsPerDoubling = 4

export const binOf = (milliseconds: number) => Math.min(binCount - 1, Math.floor(Math.log2(Math.max(1, milliseconds)) * binsPerDoubling))

export const emptyHistogram = (): number[] => Array.from({ length: binCount }, () => 0)

export const addHistograms = (one: readonly number[], other: readonly number[]) => one.map((count, bin) => count + (other[bin] ?? 0))

/**
 * The duration in milliseconds that this share of all does not exceed; null without any.
 *
 * @param share a fraction, such as 0.95
 */
export function percentileOf(histogram: readonly number[], share: number): number | null {
  const rank = Math.ceil(share * histogram.reduce((sum, count) => sum + count, 0))
  let before = 0
  for (const [bin, count] of histogram.entries()) {
    if (count > 0 && before + count >= rank) {
      const [shortest, longest] = [2 ** (bin / binsPerDoubling), 2 ** ((bin + 1) / binsPerDoubling)]
      return Math.round(shortest + ((longest - shortest) * (rank - before - 0.5)) / count)
    }
    before += count
  }
  return null
}
