/** The most failures that are told one by one. */
const namedMax = 20

/** Rows, of which one that fails must not hold the others up. */
export interface Rows<Row> {
  /** Reads the rows that follow one, or the first ones; none at the end, and none a second time. */
  next(after: Row | undefined): Promise<readonly Row[]>
  /** Says what could not be done with a row: `the domain dom_1 of org_1 could not be checked`. */
  failure(row: Row): string
  /** How many rows are worked on at a time. */
  atATime?: number
  /** The number of rows after which to stop, so that other tasks get their turn. The rows that are done must not be found again. */
  atMost?: number
  /** Once it is aborted, no further row is begun. */
  stopping?: AbortSignal | undefined
}

/**
 * Works on each row. It continues after one that fails, and to the end, whatever `atMost` says: the next run would begin with the same row.
 * Only the end of the process stops it.
 *
 * @returns whether it stopped early and there may be more
 * @throws AggregateError once all rows have had their turn
 */
export async function forEachRow<Row>(
  { next, failure, atATime = 1, atMost = Number.POSITIVE_INFINITY, stopping }: Rows<Row>,
  work: (row: Row) => Promise<unknown>,
): Promise<boolean> {
  const failures: Error[] = []
  let failed = 0
  let seen = 0

  async function attempt(row: Row): Promise<void> {
    try {
      await work(row)
    } catch (cause) {
      failed++
      if (failures.length < namedMax) failures.push(new Error(`${failure(row)}: ${String(cause)}`, { cause }))
    }
  }

  for (let rows = await next(undefined); rows.length > 0; rows = await next(rows.at(-1))) {
    for (let start = 0; start < rows.length; start += atATime) {
      if (stopping?.aborted) return true
      await Promise.all(rows.slice(start, start + atATime).map(attempt))
    }
    seen += rows.length
    if (seen >= atMost && failed === 0) return true
  }
  const [first] = failures
  if (first) throw new AggregateError(failures, failed === 1 ? first.message : `${first.message} (and ${failed - 1} more)`)
  return false
}
