import { isDeepStrictEqual } from 'node:util'
import type { ApiObject, Changes } from './catalogue.ts'

// Every update changes it, so a change of it tells nothing.
const unremarkable = new Set(['updatedAt'])

/** The fields in which two API forms of the same object differ. */
export function changesBetween(before: object, after: object): Changes {
  const from = before as Record<string, unknown>
  const to = after as Record<string, unknown>
  const changes: Changes = {}
  for (const field of new Set([...Object.keys(from), ...Object.keys(to)])) {
    if (unremarkable.has(field) || isDeepStrictEqual(from[field] ?? null, to[field] ?? null)) continue
    changes[field] = { from: from[field] ?? null, to: to[field] ?? null }
  }
  return changes
}

/** The metadata that gives the caller's reason, if the caller gave one. */
export const withReason = (reason: string | undefined) => (reason ? { metadata: { reason } } : {})

export type Changed<Sent> = { [Field in keyof Sent]?: Exclude<Sent[Field], undefined> }

/**
 * The sent fields that differ from what is stored. A field that is undefined was not sent.
 *
 * @returns undefined when no field differs: then there is nothing to write or to record
 */
export function changedFields<Sent extends object>(stored: { [Field in keyof Sent]?: unknown }, sent: Sent): Changed<Sent> | undefined {
  const changed = Object.entries(sent).filter(
    ([field, value]) => value !== undefined && !isDeepStrictEqual(value, stored[field as keyof Sent]),
  )
  return changed.length > 0 ? (Object.fromEntries(changed) as Changed<Sent>) : undefined
}

/**
 * The fields of an object that begins or ends, so that its history describes it after it is gone. The id is omitted, because it is
 * the entry's target, and so are fields without a value.
 */
export function changesOfWhole({ id, ...fields }: ApiObject, lifecycle: 'begins' | 'ends'): Changes {
  return lifecycle === 'begins' ? changesBetween({}, fields) : changesBetween(fields, {})
}
