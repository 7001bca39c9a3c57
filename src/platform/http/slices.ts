import { setImmediate } from 'node:timers/promises'

/** How many of very many records are read and written at a time, so that memory does not grow with their number. */
export const sliceSize = 500

/** Where records are read from, in the order of `key`. */
export interface RecordSource<Row> {
  /** At most `limit` rows that come after the key, from the start without one. */
  page(limit: number, after: string | undefined): Promise<Row[]>
  key(row: Row): string
}

/**
 * All rows of the source, a slice at a time; none of the slices is empty.
 *
 * @param first the first slice, where it has been read already
 */
export async function* slicesOf<Row>({ page, key }: RecordSource<Row>, first?: Row[]): AsyncGenerator<Row[]> {
  let slice = first ?? (await page(sliceSize, undefined))
  while (slice.length > 0) {
    yield slice
    const last = slice.at(-1)
    if (slice.length < sliceSize || last === undefined) return
    // Lets requests that arrived meanwhile run first.
    await setImmediate()
    slice = await page(sliceSize, key(last))
  }
}
