import { isDeepStrictEqual } from 'node:util'
import type { ApiObject, Changes } from './catalogue.ts'

// Changes with every update and says nothing.
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

/** What an entry says of why something was done, as far as the caller has said it. */
export const withReason = (reason: string | undefined) => (reason ? { metadata: { reason } } : {})

export type Changed<Sent> = { [Field in keyof Sent]?: Exclude<Sent[Field], undefined> }

/**
 * Those of the sent fields that differ from what is stored; what is undefined was not sent.
 *
 * @returns undefined when none does: there is nothing to write then, and nothing happened that could be recorded
 */
export function changedFields<Sent extends object>(stored: { [Field in keyof Sent]?: unknown }, sent: Sent): Changed<Sent> | undefined {
  const changed = Object.entries(sent).filter(
    ([field, value]) => value !== undefined && !isDeepStrictEqual(value, stored[field as keyof Sent]),
  )
  return changed.length > 0 ? (Object.fromEntries(changed) as Changed<Sent>) : undefined
}

/**
 * The fields of an object that begins or ends, so that its history says what it was when there is nothing left to look
 * up. Its id is the entry's target, and what it does not have is left out.
 */
export function changesOfWhole({ id, ...fields }: ApiObject, lifecycle: 'begins' | 'ends'): Changes {
  return lifecycle === 'begins' ? changesBetween({}, fields) : changesBetween(fields, {})
}
