/** The facts of a decision have changed, so it has to be made again. */
export class StaleDecision extends Error {}

const decisionsMax = 5

/**
 * Makes a decision, and repeats it while it proves stale: five times at most.
 *
 * @param isStale whether an error means that the facts of the decision have changed
 * @param decide is told the number of the attempt, and whether it is the last: then an outcome counts even if it may be stale
 * @throws what the last decision throws, and what `isStale` does not know
 */
export async function retryWhenStale<Outcome>(
  isStale: (error: unknown) => boolean,
  decide: (time: { isFirst: boolean; isLast: boolean }) => Promise<Outcome>,
): Promise<Outcome> {
  for (let made = 1; made < decisionsMax; made++) {
    try {
      return await decide({ isFirst: made === 1, isLast: false })
    } catch (error) {
      if (!isStale(error)) throw error
    }
  }
  return decide({ isFirst: false, isLast: true })
}
