import type { z } from 'zod'

/** An unchecked user of another system and its place, such as `line 7`, or a mistake. A mistake of the file concerns no single user. */
export type SourceRecord = { place: string; value: unknown } | { place: string; mistake: string; isOfFile?: boolean }

/** A source of users. It is read twice: to check all of it, and to write it. */
export interface UserSource {
  /** The name of the source in messages and the audit log. */
  name: string
  records(): AsyncIterable<SourceRecord> | Iterable<SourceRecord>
}

/** How many users are checked at a time, and written in one transaction. */
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

export const mistakesOf = ({ issues }: { issues: readonly Issue[] }): string[] => issues.flatMap(mistakesOfIssue)

type Issue = z.core.$ZodIssue

const kinds: Readonly<Record<string, string>> = {
  string: 'a text',
  number: 'a number',
  boolean: 'true or false',
  array: 'a list',
  object: 'an object',
  record: 'an object',
}

/** Replaces the validator's own texts, which are for programmers. */
function mistakesOfIssue(issue: Issue): string[] {
  const field = issue.path.join('.')
  const of = (mistake: string) => [field === '' ? mistake : `${field}: ${mistake}`]
  if (issue.code === 'invalid_type') {
    if (field !== '' && issue.message.endsWith('received undefined')) return [`${field} is missing`]
    return of(`it is not ${kinds[issue.expected] ?? issue.expected}`)
  }
  if (issue.code === 'unrecognized_keys') return issue.keys.map((key) => `there is no field "${field === '' ? '' : `${field}.`}${key}"`)
  if (issue.code === 'too_small' && issue.origin === 'string') return of('it is empty')
  if (issue.code === 'too_big' && issue.origin === 'string') return of(`it has more than ${issue.maximum} characters`)
  return of(issue.message)
}
