import { describe, expect, it } from 'vitest'
import { systemClock } from '../../platform/clock.ts'
import { createPlaces } from './places.ts'

const times = (count: number, work: (index: number) => void) => Array.from({ length: count }, (_, index) => work(index))
const at = (endpointId: string, organisationId = 'org') => ({ organisationId, endpointId })

describe('the places of a process', () => {
  it('are bounded for each endpoint', () => {
    const places = createPlaces(systemClock)
    times(10, () => places.take(at('a')))
    times(3, () => places.take(at('b')))

    expect(places.endpointRooms()).toEqual([
      { endpointId: 'a', places: 0 },
      { endpointId: 'b', places: 7 },
    ])
  })

  it('are waited for by whoever took all that a claim offered, and by nobody else', () => {
    const places = createPlaces(systemClock)
    times(3, () => places.take(at('a')))
    times(3, () => places.take(at('b')))
    places.beginClaim()
    places.endpointRooms()
    times(7, () => places.take(at('a')))
    times(6, () => places.take(at('b')))

    expect(places.giveBack(at('a'), 'delivered')).toBe('answering')
    expect(places.giveBack(at('b'), 'delivered')).toBeUndefined()
    // The next claim finds out anew: now there is room for both.
    places.beginClaim()
    places.endpointRooms()
    expect(places.giveBack(at('a'), 'delivered')).toBeUndefined()
  })

  it('are waited for less urgently by an endpoint that does not answer', () => {
    const places = createPlaces(systemClock)
    times(10, () => places.take(at('a')))

    expect(places.giveBack(at('a'), 'retry')).toBe('failing')
    expect(places.giveBack(at('a'), 'delivered')).toBe('answering')
  })

  it('are kept from an endpoint that rests', () => {
    const places = createPlaces(systemClock)
    places.take(at('a'))
    places.giveBack(at('a'), 'retry')
    places.rest(at('a'))
    expect(places.endpointRooms()).toEqual([{ endpointId: 'a', places: 0 }])

    expect(places.endRest(at('a'))).toBe('failing')
    expect(places.endpointRooms()).toEqual([{ endpointId: 'a', places: 1 }])
  })

  it('are waited for by everybody when there are no more', () => {
    const places = createPlaces(systemClock)
    times(places.beginClaim(), (index) => places.take(at(`busy-${index}`)))

    expect(places.beginClaim()).toBe(0)
    expect(places.giveBack(at('busy-0'), 'delivered')).toBe('answering')
  })

  it('shrink to one for an endpoint whose last attempt failed, until one succeeds', () => {
    const places = createPlaces(systemClock)
    places.take(at('a'))
    places.giveBack(at('a'), 'retry')
    expect(places.endpointRooms()).toEqual([{ endpointId: 'a', places: 1 }])

    places.take(at('a'))
    expect(places.endpointRooms()).toEqual([{ endpointId: 'a', places: 0 }])
    places.giveBack(at('a'), 'delivered')
    expect(places.endpointRooms()).toEqual([])
  })

  it('remember that an endpoint failed until a while after its next attempt was due, and not for ever', () => {
    let now = new Date('2026-01-31T09:30:00Z')
    const pass = (minutes: number) => {
      now = new Date(now.getTime() + minutes * 60_000)
    }
    const places = createPlaces({ now: () => now })
    places.take(at('deleted'))
    places.giveBack(at('deleted'), 'failed')
    places.take(at('retried'))
    places.giveBack(at('retried'), 'retry', new Date('2026-01-31T10:30:00Z'))

    pass(9)
    places.beginClaim()
    expect(places.endpointRooms().map(({ endpointId }) => endpointId)).toEqual(['deleted', 'retried'])
    pass(51)
    places.beginClaim()
    expect(places.endpointRooms()).toEqual([{ endpointId: 'retried', places: 1 }])
    pass(2)
    places.beginClaim()
    expect(places.endpointRooms()).toEqual([])
  })

  it('remember no more than a thousand that failed, the last ones, and lose count of no attempt', () => {
    const places = createPlaces(systemClock)
    const all = places.beginClaim()
    places.take(at('slow'))
    places.take(at('slow'))
    places.giveBack(at('slow'), 'failed')
    times(3_000, (index) => {
      places.take(at(`dead-${index}`))
      places.giveBack(at(`dead-${index}`), 'failed')
    })

    expect(places.beginClaim()).toBe(all - 1)
    const remembered = places.endpointRooms().map(({ endpointId }) => endpointId)
    expect(remembered).toHaveLength(1_000)
    expect(remembered).toEqual(expect.arrayContaining(['slow', 'dead-2999']))
    places.giveBack(at('slow'), 'failed')
    expect(places.beginClaim()).toBe(all)
  })

  it('are kept at least by half for endpoints that answer', () => {
    const places = createPlaces(systemClock)
    const all = places.beginClaim()
    times(all, (index) => {
      places.take(at(`dead-${index}`))
      places.giveBack(at(`dead-${index}`), 'failed')
    })
    times(all / 2, (index) => places.take(at(`dead-${index}`)))

    expect(places.beginClaim()).toBe(all / 2)
    expect(places.endpointRooms().every((room) => room.places === 0)).toBe(true)
  })

  it('are all given back in the end, whatever the outcomes', () => {
    const places = createPlaces(systemClock)
    const all = places.beginClaim()
    const outcomes = ['delivered', 'retry', 'failed', 'broken off'] as const
    times(10, () => places.take(at('a')))
    times(10, (index) => places.giveBack(at('a'), outcomes[index % 4] as 'retry'))

    expect(places.beginClaim()).toBe(all)
    places.take(at('a'))
    places.giveBack(at('a'), 'delivered')
    expect(places.endpointRooms()).toEqual([])
  })

  it('are never all taken by one organisation, nor by several', () => {
    const places = createPlaces(systemClock)
    const all = places.beginClaim()
    const roomOf = (organisationId: string) =>
      places.organisationRooms().find((room) => room.organisationId === organisationId)?.places ?? places.perOrganisation()
    const fill = (organisationId: string) => {
      let endpoint = 0
      for (let room = roomOf(organisationId); room > 0; room = roomOf(organisationId)) {
        times(room, () => places.take(at(`${organisationId}-${endpoint++}`, organisationId)))
      }
      return endpoint
    }

    expect(fill('one')).toBe((all * 3) / 4)
    expect(fill('two')).toBe((all * 3) / 16)
    expect(fill('three')).toBeGreaterThan(0)
    expect(places.beginClaim()).toBeGreaterThan(0)
  })
})
