import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import * as shown from '../../console/src/pages/organisation/contrast.ts'
import { defaultLifetimes } from '../../console/src/pages/organisation/default-lifetimes.ts'
import { tokenLifetimesOf } from '../../src/organisations/rules.ts'
import { type Colour, contrastOf, parseColour, readableOn, textOn } from '../../src/pages/colour.ts'
import { darkSurfaces, lightSurfaces } from '../../src/pages/stylesheet.ts'
import { effectiveLifetimes } from '../../src/tokens/lifetimes.ts'

const channel = fc.integer({ min: 0, max: 255 })
const colour = fc.tuple(channel, channel, channel) as fc.Arbitrary<Colour>

describe('what the console says of a colour', () => {
  it('is what the hosted pages make of it', () => {
    expect(shown.surfaces).toEqual({ light: lightSurfaces, dark: darkSurfaces })
    fc.assert(
      fc.property(colour, colour, (one, other) => {
        expect(shown.contrastOf(one, other)).toBe(contrastOf(one, other))
        expect(shown.textOn(one)).toEqual(textOn(one))
        for (const surfaces of [lightSurfaces, darkSurfaces]) expect(shown.linkColour(one, surfaces)).toEqual(readableOn(one, ...surfaces))
      }),
    )
  })

  it('reads a colour as the service does', () => {
    for (const text of ['#0f766e', '#ABC', '#abcd', 'red', '', '0f766e', '#0f766g'])
      expect(shown.parseColour(text)).toEqual(parseColour(text))
  })
})

describe('the lifetimes of tokens that the console calls the default', () => {
  it('are the default of the service', () => {
    const unset = { accessTokenLifetime: null, refreshTokenLifetime: null, refreshTokenAbsoluteLifetime: null, idTokenLifetime: null }
    const effective = effectiveLifetimes(unset, tokenLifetimesOf(null))
    for (const [path, seconds] of Object.entries(defaultLifetimes)) {
      const name = `${path.split('.')[1]}Lifetime` as keyof typeof effective
      expect([path, effective[name]]).toEqual([path, seconds])
    }
  })
})
