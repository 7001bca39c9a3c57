import { isDeepStrictEqual } from 'node:util'
import type { Changes } from './catalogue.ts'

// Changes with every update and says nothing.
const unremarkable = new Set(['updatedAt'])

/** The fields in which two API forms of the same object differ. */
export function changesBetween(before: object, after: object): Changes {
  const from = before as Record<string, unknown>
  const to = after as Record<string, unknown>
  const changes: Changes = {}
  for (const field of new Set([...Object.keys(from), ...Object.keys(to)])) {
    if (unremarkable.has(field) || isDeepStrictEqual(from[field], to[field])) continue
    changes[field] = { from: from[field] ?? null, to: to[field] ?? null }
  }
  return changes
}
