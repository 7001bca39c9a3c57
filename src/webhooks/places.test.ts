import { describe, expect, it } from 'vitest'
import { createPlaces } from './places.ts'

const times = (count: number, work: (index: number) => void) => Array.from({ length: count }, (_, index) => work(index))

describe('the places of a process', () => {
  it('are bounded for each endpoint', () => {
    const places = createPlaces()
    times(10, () => places.take('a'))
    times(3, () => places.take('b'))

    expect(places.rooms()).toEqual([
      { endpointId: 'a', places: 0 },
      { endpointId: 'b', places: 7 },
    ])
    expect([places.wasShort(), places.wasShort()]).toEqual([true, false])
    // Whoever asked for a was turned away, and must be woken when a place is free.
    places.rooms()
    expect(places.wasShort()).toBe(true)
  })

  it('shrink to one for an endpoint whose last attempt failed, until one succeeds', () => {
    const places = createPlaces()
    places.take('a')
    places.giveBack('a', 'retry')
    expect(places.rooms()).toEqual([{ endpointId: 'a', places: 1 }])

    places.take('a')
    expect(places.rooms()).toEqual([{ endpointId: 'a', places: 0 }])
    places.giveBack('a', 'delivered')
    expect(places.rooms()).toEqual([])
  })

  it('are kept at least by half for endpoints that answer', () => {
    const places = createPlaces()
    const all = places.free()
    times(all, (index) => {
      places.take(`dead-${index}`)
      places.giveBack(`dead-${index}`, 'failed')
    })
    times(all / 2, (index) => places.take(`dead-${index}`))

    expect(places.free()).toBe(all / 2)
    expect(places.rooms().every((room) => room.places === 0)).toBe(true)
  })

  it('are all given back in the end, whatever the outcomes', () => {
    const places = createPlaces()
    const all = places.free()
    const outcomes = ['delivered', 'retry', 'failed', 'broken off'] as const
    times(10, () => places.take('a'))
    times(10, (index) => places.giveBack('a', outcomes[index % 4] as 'retry'))

    expect(places.free()).toBe(all)
    places.take('a')
    places.giveBack('a', 'delivered')
    expect(places.rooms()).toEqual([])
  })
})
