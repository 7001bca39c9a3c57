import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { lineOfMistake } from './json-mistake.ts'

describe('the line of a mistake', () => {
  it.each([
    ['{}', undefined],
    ['{\n"a": 1,\n"b": x\n}', 3],
    ['{\n"a": 1\n', 3],
    ['{\n"a": 1,\n"b": 2,\n}', 4],
    ['{\n// a\n}', 2],
    ['[]', 1],
    ['"text"', 1],
  ])('of %j is %s', (text, line) => {
    expect(lineOfMistake(text)).toBe(line)
  })

  it('is there exactly where JSON.parse does not read an object', () => {
    const piece = fc.constantFrom(
      '{',
      '}',
      '[',
      ']',
      '"a"',
      ':',
      ',',
      '1',
      '01',
      '-',
      'null',
      ' ',
      '\n',
      '\t',
      '\u00a0',
      '\u0000',
      '//',
      '/*',
      '\\',
      '"',
    )
    fc.assert(
      fc.property(
        fc.oneof(
          fc.array(piece, { maxLength: 12 }).map((pieces) => pieces.join('')),
          fc.json(),
        ),
        (text) => {
          expect(lineOfMistake(text) === undefined).toBe(isObject(text))
        },
      ),
      { numRuns: 5_000 },
    )
  })
})

function isObject(text: string): boolean {
  try {
    const found: unknown = JSON.parse(text)
    return typeof found === 'object' && found !== null && !Array.isArray(found)
  } catch {
    return false
  }
}
