/** A user of another system, not checked yet, and where it stands, such as `line 7`. A mistake of the file is of no user. */
export type SourceRecord = { place: string; value: unknown } | { place: string; mistake: string; isOfFile?: boolean }

/** Where users come from. It is read twice: to check all of it, and to write it. */
export interface UserSource {
  /** How messages and the audit log name it. */
  name: string
  records(): AsyncIterable<SourceRecord> | Iterable<SourceRecord>
}

/** So many users are checked at a time, and written in one transaction. */
const batchSize = 1_000

export async function* batchesOf(source: UserSource): AsyncGenerator<SourceRecord[]> {
  let batch: SourceRecord[] = []
  for await (const record of source.records()) {
    batch.push(record)
    if (batch.length < batchSize) continue
    yield batch
    batch = []
  }
  if (batch.length > 0) yield batch
}

/** What a schema finds wrong with a record. */
export const mistakesOf = ({ issues }: { issues: readonly { path: readonly PropertyKey[]; message: string }[] }): string[] =>
  issues.map(({ path, message }) => (path.length > 0 ? `${path.join('.')}: ${message}` : message))
