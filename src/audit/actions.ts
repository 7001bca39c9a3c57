import { type Action, catalogue } from '../activity/catalogue.ts'
import { whyNotUndone } from './not-undone.ts'
import type { AuditAction } from './schemas.ts'

/** The actions that entries can have, in alphabetical order. Occurrences that are only reported have no entries. */
export const auditActions: readonly AuditAction[] = Object.entries(catalogue)
  .filter(([, consequences]) => !('audited' in consequences))
  .map(([action, { object, events }]) => ({
    action,
    targetType: object,
    events: [...events],
    undoRefusal: whyNotUndone(action)?.code ?? null,
  }))
  .sort((left, right) => (left.action < right.action ? -1 : 1))

const isKnown = (action: string): action is Action => Object.hasOwn(catalogue, action)

/**
 * The actions that a filter names, each once: `user.*` stands for all actions that begin with `user.`. Each action of the catalogue
 * concerns one kind of target, so actions whose kind differs from the requested one are left out.
 */
export function namedActions(names: readonly string[], targetType: string | undefined): string[] {
  const named = names.flatMap((name) => (name.endsWith('.*') ? beginningWith(name.slice(0, -1)) : [name]))
  return [...new Set(named)].filter((action) => !targetType || !isKnown(action) || catalogue[action].object === targetType)
}

const beginningWith = (prefix: string) => auditActions.flatMap(({ action }) => (action.startsWith(prefix) ? [action] : []))
