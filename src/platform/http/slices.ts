import { setImmediate } from 'node:timers/promises'

/** The number of records that are read and written at a time, so that memory does not grow with their total. */
export const sliceSize = 500

/** A source of records, in the order of `key`. */
export interface RecordSource<Row> {
  /** Returns at most `limit` rows after the key, or from the start without one. */
  page(limit: number, after: string | undefined): Promise<Row[]>
  key(row: Row): string
}

/**
 * Yields all rows of the source, a slice at a time; no slice is empty.
 *
 * @param first the first slice, if it has been read already
 */
export async function* slicesOf<Row>({ page, key }: RecordSource<Row>, first?: Row[]): AsyncGenerator<Row[]> {
  let slice = first ?? (await page(sliceSize, undefined))
  while (slice.length > 0) {
    yield slice
    const last = slice.at(-1)
    if (slice.length < sliceSize || last === undefined) return
    // Let requests that arrived meanwhile run first.
    await setImmediate()
    slice = await page(sliceSize, key(last))
  }
}
