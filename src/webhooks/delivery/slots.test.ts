import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createSlots, type Slots } from './slots.ts'

const unlimited = Number.MAX_SAFE_INTEGER
const times = (count: number, work: (index: number) => void) => Array.from({ length: count }, (_, index) => work(index))
const at = (endpointId: string, organisationId = 'org') => ({ organisationId, endpointId })

/** Slots of a process that knows these endpoints to be failing, or cooling down. */
function slotsWith({ failing = new Set<string>(), cooling = new Set<string>() } = {}): Slots {
  const setOf = (ids: Set<string>) => ({ has: (id: string) => ids.has(id), ids: () => [...ids] })
  return createSlots({ ...setOf(failing), forgetOld: () => {} }, setOf(cooling))
}

const totalOf = (slots: Slots) => slots.beginClaim(unlimited).total
const endpointLimits = (slots: Slots) => Object.fromEntries(slots.beginClaim(unlimited).endpoints)

describe('the slots of a process', () => {
  it('are limited for each endpoint', () => {
    const slots = slotsWith()
    times(10, () => slots.take(at('a')))
    times(3, () => slots.take(at('b')))

    expect(endpointLimits(slots)).toEqual({ a: 0, b: 7 })
  })

  it('are in demand by an endpoint that took all that a claim offered, and by no other', () => {
    const slots = slotsWith()
    times(3, () => slots.take(at('a')))
    times(3, () => slots.take(at('b')))
    slots.beginClaim(unlimited)
    times(7, () => slots.take(at('a')))
    times(6, () => slots.take(at('b')))

    expect(slots.release(at('a'))).toBe('healthy')
    expect(slots.release(at('b'))).toBeUndefined()
    // The next claim finds free slots for both.
    slots.beginClaim(unlimited)
    expect(slots.release(at('a'))).toBeUndefined()
  })

  it('are in demand by a failing endpoint less urgently', () => {
    const failing = new Set<string>()
    const slots = slotsWith({ failing })
    times(10, () => slots.take(at('a')))

    failing.add('a')
    expect(slots.release(at('a'))).toBe('failing')
    failing.delete('a')
    expect(slots.release(at('a'))).toBe('healthy')
  })

  it('are in demand by every endpoint when none was free', () => {
    const slots = slotsWith()
    times(totalOf(slots), (index) => slots.take(at(`busy-${index}`)))

    expect(totalOf(slots)).toBe(0)
    expect(slots.release(at('busy-0'))).toBe('healthy')
  })

  it('are not offered to an endpoint that is cooling down', () => {
    const cooling = new Set(['a'])
    const slots = slotsWith({ failing: new Set(['a']), cooling })
    expect(endpointLimits(slots)).toEqual({ a: 0 })

    cooling.delete('a')
    expect(slots.demandOf('a')).toBe('failing')
    expect(endpointLimits(slots)).toEqual({ a: 1 })
  })

  it('shrink to one for a failing endpoint', () => {
    const failing = new Set(['a'])
    const slots = slotsWith({ failing })
    expect(endpointLimits(slots)).toEqual({ a: 1 })

    slots.take(at('a'))
    expect(endpointLimits(slots)).toEqual({ a: 0 })
    failing.clear()
    slots.release(at('a'))
    expect(endpointLimits(slots)).toEqual({})
  })

  it('are left to healthy endpoints at least by half', () => {
    const failing = new Set<string>()
    const slots = slotsWith({ failing })
    const all = totalOf(slots)
    times(all, (index) => failing.add(`down-${index}`))
    times(all / 2, (index) => slots.take(at(`down-${index}`)))

    const { total, endpoints } = slots.beginClaim(unlimited)
    expect(total).toBe(all / 2)
    expect([...endpoints.values()].every((limit) => limit === 0)).toBe(true)
  })

  it('are never all used by one organisation, nor by several', () => {
    const slots = slotsWith()
    const all = totalOf(slots)
    const limitOf = (organisationId: string) => {
      const { organisations, perOrganisation } = slots.beginClaim(unlimited)
      return organisations.get(organisationId) ?? perOrganisation
    }
    const fill = (organisationId: string) => {
      let endpoint = 0
      for (let limit = limitOf(organisationId); limit > 0; limit = limitOf(organisationId)) {
        times(limit, () => slots.take(at(`${organisationId}-${endpoint++}`, organisationId)))
      }
      return endpoint
    }

    expect(fill('one')).toBe((all * 3) / 4)
    expect(fill('two')).toBe((all * 3) / 16)
    expect(fill('three')).toBeGreaterThan(0)
    expect(totalOf(slots)).toBeGreaterThan(0)
  })

  it('stay within every limit and are all free in the end, in whatever order attempts start and finish', () => {
    const keys = fc.record({ organisationId: fc.constantFrom('x', 'y', 'z'), endpointId: fc.constantFrom('1', '2', '3', '4', '5') })
    const step = fc.record({ key: keys, starts: fc.nat(12), finishes: fc.nat(12), fails: fc.boolean() })
    fc.assert(
      fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
        const failing = new Set<string>()
        const slots = slotsWith({ failing })
        const all = totalOf(slots)
        const inFlight: { organisationId: string; endpointId: string }[] = []
        for (const { key, starts, finishes, fails } of steps) {
          const endpointId = `${key.organisationId}${key.endpointId}`
          const limits = slots.beginClaim(200)
          const limit = Math.min(
            limits.total,
            limits.organisations.get(key.organisationId) ?? limits.perOrganisation,
            limits.endpoints.get(endpointId) ?? limits.perEndpoint,
          )
          for (let n = 0; n < Math.min(starts, limit); n++) {
            slots.take({ ...key, endpointId })
            inFlight.push({ ...key, endpointId })
          }
          expect(inFlight.filter((one) => one.endpointId === endpointId).length).toBeLessThanOrEqual(10)
          for (const one of inFlight.splice(0, finishes)) {
            if (fails) failing.add(one.endpointId)
            else failing.delete(one.endpointId)
            slots.release(one)
          }
          expect(totalOf(slots)).toBe(all - inFlight.length)
        }
        for (const one of inFlight) slots.release(one)
        failing.clear()
        expect(slots.beginClaim(unlimited)).toMatchObject({ total: all, organisations: new Map(), endpoints: new Map() })
      }),
    )
  })
})
