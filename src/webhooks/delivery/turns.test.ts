import { describe, expect, it } from 'vitest'
import { systemClock } from '../../platform/clock.ts'
import type { ClaimedDelivery } from './claim.ts'
import { createPlaces } from './places.ts'
import { createTurns } from './turns.ts'

const limit = 4
const places = createPlaces(systemClock)
const claimed = (...keys: [organisationId: string, endpointId: string][]) =>
  keys.map(([organisationId, endpointId]) => ({ organisationId, endpointId }) as ClaimedDelivery)

describe('the turns of a queue', () => {
  it('begin at the beginning, and end when a walk has found less than it could take', () => {
    const turns = createTurns()
    const turn = turns.next(places, limit)
    expect(turn).toMatchObject({ afterOrganisationId: undefined, organisations: [] })
    expect(turns.remember(turn, claimed(['a', '1']))).toBe(false)
    expect(turns.areAtTheBeginning()).toBe(true)
  })

  it('go on after the organisation, and in it after the endpoint, at which a claim was full', () => {
    const turns = createTurns()
    const turn = turns.next(places, limit)
    expect(turns.remember(turn, claimed(['a', '2'], ['b', '1'], ['a', '1'], ['b', '3']))).toBe(true)
    const second = turns.next(places, limit)
    expect(second).toMatchObject({ afterOrganisationId: 'b', organisations: [{ organisationId: 'b', afterEndpointId: '3' }] })

    // Behind b there is nothing: round again, where the rest of b comes after the third endpoint, and then its first.
    expect(turns.remember(second, [])).toBe(true)
    const third = turns.next(places, limit)
    expect(third).toMatchObject({ afterOrganisationId: undefined, organisations: [{ organisationId: 'b', afterEndpointId: '3' }] })
    expect(turns.remember(third, claimed(['b', '4']))).toBe(true)
    const fourth = turns.next(places, limit)
    expect(fourth.organisations).toEqual([])
    expect(turns.remember(fourth, claimed(['b', '1']))).toBe(false)
    expect(turns.areAtTheBeginning()).toBe(true)
  })

  it('go on in each organisation that had more than it may take in one', () => {
    const turns = createTurns()
    const turn = { ...turns.next(places, limit), perOrganisation: 2 }
    expect(turns.remember(turn, claimed(['a', '1'], ['a', '2'], ['b', '1']))).toBe(true)
    expect(turns.next(places, limit)).toMatchObject({
      afterOrganisationId: undefined,
      organisations: [{ organisationId: 'a', afterEndpointId: '2' }],
    })
  })
})
