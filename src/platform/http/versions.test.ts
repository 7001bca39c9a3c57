import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { defineVersion, isMatch } from './versions.ts'

describe('If-Match', () => {
  const current = '"xyzzy"'

  it.each([
    ['*', true],
    [' * ', true],
    ['"xyzzy"', true],
    ['"r2d2xxxx", "xyzzy", "c3piozzzz"', true],
    ['"r2d2xxxx","xyzzy"', true],
    [', "xyzzy",,', true],
    ['"a,b", "xyzzy"', true],
    ['"a ", "xyzzy"', false],
    ['W/"xyzzy"', false],
    ['W/"xyzzy", "xyzzy"', true],
    ['"other"', false],
    ['"xyzz"', false],
    ['"a,"xyzzy""', false],
    ['xyzzy', false],
    ['', false],
    ['*, "xyzzy"', false],
    ['"xyzzy" "other"', false],
    ['w/"xyzzy"', false],
  ])('%s: %s', (header, matches) => {
    expect(isMatch(current, header)).toBe(matches)
  })

  it('reads any header in no time, and matches no tag that is not in it', () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom('"', ',', ' ', 'W/', 'a'), maxLength: 4_000 }), (header) => !isMatch(current, header)),
    )
  })
})

describe('the version of a record', () => {
  const version = defineVersion<{ id: string; name: string; usedAt?: string }>(['name'])

  it('is that of its fields, and of no other', () => {
    expect(version.tagOf({ id: 'a', name: 'One', usedAt: 'now' })).toBe(version.tagOf({ id: 'a', name: 'One' }))
    expect(version.tagOf({ id: 'a', name: 'Two' })).not.toBe(version.tagOf({ id: 'a', name: 'One' }))
    expect(version.tagOf({ id: 'b', name: 'One' })).not.toBe(version.tagOf({ id: 'a', name: 'One' }))
  })
})
