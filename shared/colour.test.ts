import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type Colour, contrastOf, parseColour, readableOn, surfaces, textOn, writeColour } from './colour.ts'

const channel = fc.integer({ min: 0, max: 255 })
const anyColour = fc.tuple(channel, channel, channel) as fc.Arbitrary<Colour>

describe('an organisation’s colour', () => {
  it.each(['#0af', '#00AAFF', ' #00aaff '])('may be written %s', (value) => {
    expect(parseColour(value)).toEqual([0, 170, 255])
  })

  it.each(['red', '#12', '#12345', 'rgb(1,2,3)', '#00aaff;}', 'url(//evil)', '', null, 7])('may not be %j', (value) => {
    expect(parseColour(value)).toBeUndefined()
  })

  it('is written as it was read', () => {
    fc.assert(
      fc.property(anyColour, (colour) => {
        expect(parseColour(writeColour(colour))).toEqual(colour)
      }),
    )
  })

  it('never makes the text of a button unreadable', () => {
    fc.assert(fc.property(anyColour, (colour) => contrastOf(textOn(colour), colour) >= 4.5))
  })

  it('is readable as a link in light and in dark', () => {
    fc.assert(
      fc.property(anyColour, fc.constantFrom(surfaces.light, surfaces.dark), (colour, surfaces) => {
        const link = readableOn(colour, ...surfaces)
        return surfaces.every((surface) => contrastOf(link, surface) >= 4.5)
      }),
    )
  })

  it('stays as it is where it can be read already', () => {
    expect(readableOn([0, 0, 120], [255, 255, 255])).toEqual([0, 0, 120])
  })
})
