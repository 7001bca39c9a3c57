import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { EndpointKey } from '../endpoints/queries.ts'
import type { ClaimLimits, ClaimPosition } from './claim.ts'
import { createFairCursor } from './fair-cursor.ts'

const limits = { total: 4, perOrganisation: 100, organisations: new Map(), perEndpoint: 10, endpoints: new Map() } satisfies ClaimLimits
const claimed = (...keys: [organisationId: string, endpointId: string][]) =>
  keys.map(([organisationId, endpointId]) => ({ organisationId, endpointId }))

describe('the cursor over the queue', () => {
  it('begins at the start, and stays there when a claim took less than it could', () => {
    const cursor = createFairCursor()
    expect(cursor.position).toEqual({ afterOrganisationId: undefined, afterEndpointIds: new Map() })
    expect(cursor.advance(limits, claimed(['a', '1']))).toBe(false)
    expect(cursor.isAtStart()).toBe(true)
  })

  it('continues after the organisation, and in it after the endpoint, at which a claim was full', () => {
    const cursor = createFairCursor()
    expect(cursor.advance(limits, claimed(['a', '2'], ['b', '1'], ['a', '1'], ['b', '3']))).toBe(true)
    expect(cursor.position).toEqual({ afterOrganisationId: 'b', afterEndpointIds: new Map([['b', '3']]) })

    // No endpoint follows b. The next round takes the endpoints of b after the third, the one after it those before.
    expect(cursor.advance(limits, [])).toBe(true)
    expect(cursor.position).toEqual({ afterOrganisationId: undefined, afterEndpointIds: new Map([['b', '3']]) })
    expect(cursor.advance(limits, claimed(['b', '4']))).toBe(true)
    expect(cursor.position.afterEndpointIds).toEqual(new Map())
    expect(cursor.advance(limits, claimed(['b', '1']))).toBe(false)
    expect(cursor.isAtStart()).toBe(true)
  })

  it('continues in each organisation that had more than one claim may take of it', () => {
    const cursor = createFairCursor()
    expect(cursor.advance({ ...limits, perOrganisation: 2 }, claimed(['a', '1'], ['a', '2'], ['b', '1']))).toBe(true)
    expect(cursor.position).toEqual({ afterOrganisationId: undefined, afterEndpointIds: new Map([['a', '2']]) })
  })

  it('stays before an organisation that had no free slot', () => {
    const cursor = createFairCursor()
    cursor.advance({ ...limits, perOrganisation: 2 }, claimed(['a', '1'], ['a', '2']))
    cursor.advance({ ...limits, organisations: new Map([['a', 0]]) }, claimed(['b', '1']))
    expect(cursor.position.afterEndpointIds).toEqual(new Map([['a', '2']]))
  })
})

describe('claims along the cursor', () => {
  const queue = fc.dictionary(
    fc.constantFrom('a', 'b', 'c', 'd', 'e'),
    fc.dictionary(fc.constantFrom('1', '2', '3', '4', '5', '6'), fc.integer({ min: 1, max: 40 }), { minKeys: 1 }),
    { minKeys: 1, noNullPrototype: true },
  )
  const anyLimits = fc.record({
    total: fc.integer({ min: 1, max: 12 }),
    perOrganisation: fc.integer({ min: 1, max: 8 }),
    perEndpoint: fc.integer({ min: 1, max: 5 }),
  })

  it('report that nothing more is due only when they have emptied the queue', () => {
    fc.assert(
      fc.property(queue, anyLimits, (pending, some) => {
        const cursor = createFairCursor()
        // The cursor ignores an endpoint that is at its limit: the release of its slots triggers the next claim.
        const request = { ...limits, ...some, perEndpoint: Number.MAX_SAFE_INTEGER }
        while (cursor.advance(request, claimFrom(pending, request, cursor.position)));
        expect(
          Object.values(pending)
            .flatMap((endpoints) => Object.values(endpoints))
            .filter((count) => count > 0),
        ).toEqual([])
        expect(cursor.isAtStart()).toBe(true)
      }),
    )
  })

  it('reach every endpoint soon, even if all queues stay as long as they are', () => {
    fc.assert(
      fc.property(queue, anyLimits, (pending, some) => {
        const cursor = createFairCursor()
        const request = { ...limits, ...some }
        const endpoints = Object.values(pending).reduce((sum, of) => sum + Object.keys(of).length, 0)
        const unreached = new Set(
          Object.entries(pending).flatMap(([organisation, of]) => Object.keys(of).map((id) => `${organisation}${id}`)),
        )
        for (let claims = 0; claims < endpoints * (Object.keys(pending).length + 1) + 1; claims++) {
          const taken = claimFrom(structuredClone(pending), request, cursor.position)
          cursor.advance(request, taken)
          for (const { organisationId, endpointId } of taken) unreached.delete(`${organisationId}${endpointId}`)
        }
        expect([...unreached]).toEqual([])
      }),
    )
  })
})

/** Takes from the queue, in its order, what the statement of a claim would take. */
function claimFrom(
  pending: Record<string, Record<string, number>>,
  { total, perOrganisation, perEndpoint }: ClaimLimits,
  { afterOrganisationId = '', afterEndpointIds }: ClaimPosition,
): EndpointKey[] {
  const walk = Object.keys(pending)
    .sort()
    .filter((id) => id > afterOrganisationId)
  const taken = walk.flatMap((organisationId) => {
    const endpoints = pending[organisationId] ?? {}
    const after = afterEndpointIds.get(organisationId) ?? ''
    return Object.entries(endpoints)
      .filter(([endpointId, count]) => count > 0 && endpointId > after)
      .sort(([left], [right]) => (left < right ? -1 : 1))
      .flatMap(([endpointId, count]) => Array.from({ length: Math.min(count, perEndpoint) }, () => ({ organisationId, endpointId })))
      .slice(0, perOrganisation)
  })
  const cut = taken.slice(0, total)
  for (const { organisationId, endpointId } of cut) {
    const endpoints = pending[organisationId] ?? {}
    endpoints[endpointId] = (endpoints[endpointId] ?? 0) - 1
  }
  return cut
}
