import { type LastChange, presentLastChange } from '../audit/last-changes.ts'
import { refusal } from '../platform/http/problem.ts'

/** A field whose value is not the one that the entry left. */
export interface Conflict {
  field: string
  /** The value that the entry left. */
  left: unknown
  now: unknown
  /** Undefined when the audit log records no later change. */
  lastChange: LastChange | undefined
}

export const undoChangedSince = refusal(
  'undo-changed-since',
  'conflict',
  (fields: string, _conflicts?: readonly Conflict[]) => `It is no longer what the entry left: ${fields}`,
  (_fields: string, conflicts: readonly Conflict[] = []) => ({
    members: {
      conflicts: conflicts.map(({ lastChange, ...conflict }) => ({
        ...conflict,
        lastChange: lastChange ? presentLastChange(lastChange) : null,
      })),
    },
  }),
)
export const undoRecordGone = refusal(
  'undo-record-gone',
  'conflict',
  'What the entry is about, or what it was given before, is not there any more',
  (end: LastChange | undefined = undefined) => ({ members: { ended: end ? presentLastChange(end) : null } }),
)
export const undoByConnection = refusal(
  'undo-by-connection',
  'bad-request',
  'An identity provider gave or took it, and would do so again: change its mappings or what it says of the user',
)
export const undoValuesUnknown = refusal('undo-values-unknown', 'bad-request', 'The entry does not say what it was before')
export const undoFieldsFixed = refusal(
  'undo-fields-fixed',
  'bad-request',
  (fields: string) => `No request can set what the entry says was changed: ${fields}`,
)
