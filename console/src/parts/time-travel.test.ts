import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type Changes, differencesBetween, undoChanges } from './time-travel.ts'

const value = fc.oneof(fc.string(), fc.integer(), fc.boolean(), fc.constant(null), fc.array(fc.string(), { maxLength: 3 }))
const fields = ['name', 'description', 'isActive', 'scopes', 'phone']
const created = fc.record(Object.fromEntries(fields.map((field) => [field, value])))
/** The changes of each update, in any of the fields. */
const updates = fc.array(fc.dictionary(fc.constantFrom(...fields), value, { noNullPrototype: true }), { maxLength: 20 })

/** A record after some updates, with the changes as the audit log has them, the newest first. */
function historyOf(record: Record<string, unknown>, sent: readonly Record<string, unknown>[]) {
  const states = [record]
  const newestFirst: Changes[] = []
  for (const update of sent) {
    const before = states[0] as Record<string, unknown>
    const changed = Object.entries(update).filter(([field, to]) => JSON.stringify(before[field]) !== JSON.stringify(to))
    newestFirst.unshift(Object.fromEntries(changed.map(([field, to]) => [field, { from: before[field], to }])))
    states.unshift({ ...before, ...update })
  }
  return { states, newestFirst, now: states[0] as Record<string, unknown> }
}

describe('undoing the changes of a record', () => {
  it('yields each of its former states, and at the end the record as it was created', () => {
    fc.assert(
      fc.property(created, updates, (record, sent) => {
        const { states, newestFirst, now } = historyOf(record, sent)
        for (const [count, state] of states.entries()) expect(undoChanges(now, newestFirst.slice(0, count))).toEqual(state)
        expect(undoChanges(now, newestFirst)).toEqual(record)
      }),
    )
  })

  it('leaves the record of today as it is', () => {
    const now = Object.freeze({ name: 'Anna' })
    expect(undoChanges(now, [{ name: { from: 'Ann', to: 'Anna' } }])).toEqual({ name: 'Ann' })
    expect(now).toEqual({ name: 'Anna' })
  })
})

describe('the differences between then and now', () => {
  it('are the fields that would have to be restored', () => {
    fc.assert(
      fc.property(created, updates, (record, sent) => {
        const { now, newestFirst } = historyOf(record, sent)
        const former = undoChanges(now, newestFirst)
        const restored = { ...now, ...Object.fromEntries(differencesBetween(former, now).map((one) => [one.field, one.former])) }
        expect(restored).toEqual(record)
      }),
    )
  })
})
