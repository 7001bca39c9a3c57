import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { slugOf } from './slug.ts'

describe('the short name that a name suggests', () => {
  it.each([
    ['Support', 'support'],
    ['  Support (Europe), 2nd line ', 'support-europe-2nd-line'],
    ['Größe & Müller', 'grosse-muller'],
    ['客服', ''],
  ])('makes of %j %j', (name, slug) => expect(slugOf(name)).toBe(slug))

  it('is empty or what the API takes, and stays what it is', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', maxLength: 400 }), (name) => {
        const slug = slugOf(name)
        expect(slug).toMatch(/^(?:[a-z0-9]+(?:-[a-z0-9]+)*)?$/)
        expect(slug.length).toBeLessThanOrEqual(255)
        expect(slugOf(slug)).toBe(slug)
      }),
    )
  })
})
