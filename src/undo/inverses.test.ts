import { describe, expect, it } from 'vitest'
import { auditActions } from '../audit/actions.ts'
import { notUndone } from '../audit/not-undone.ts'
import { inverses } from './inverses.ts'

describe('every audit action', () => {
  it('is undone by an operation, or excused by a code, and never both', () => {
    const named = [...Object.keys(inverses), ...Object.keys(notUndone)].sort()
    expect(named).toEqual(auditActions.map(({ action }) => action))
  })

  it('is undone by what changes it back, which the list of actions says', () => {
    const undone = auditActions.filter(({ undoRefusal }) => undoRefusal === null).map(({ action }) => action)
    expect(undone).toEqual(Object.keys(inverses).sort())
  })
})
