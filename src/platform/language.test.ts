import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { languages, wantedLanguage } from './language.ts'

describe('the language that a request wants', () => {
  it.each([
    ['one of ours in the form of another country', 'de-AT', 'de'],
    ['one of ours in any letter case', 'DE-at', 'de'],
    ['the one of the highest quality, in whatever order they come', 'en;q=0.4, fr;q=0.9, de-CH;q=0.8', 'de'],
    ['the first of those that are wanted alike', 'de, en', 'de'],
    ['none that is refused', 'de;q=0, en;q=0.1', 'en'],
    ['none that is refused in upper case', 'de;Q=0.0', undefined],
    ['none when only others are wanted', 'ja, fr;q=0.8', undefined],
    ['none when any will do', '*', undefined],
    ['none of a language that only begins like ours', 'deu-DE, english', undefined],
    ['what can be read of a header that is malformed', ';;q=,,q=1, de;q=zero', 'de'],
    ['none of a quality that is no number', 'de;q=0.1.2', undefined],
    ['none of a header without a language', ', ;q=1,;;', undefined],
  ])('is %s', (_, acceptLanguage, language) => {
    expect(wantedLanguage(undefined, acceptLanguage)).toBe(language)
  })

  it('is one of ours or none, whatever is sent', () => {
    // A header is read byte by byte.
    const byte = fc.integer({ min: 0, max: 255 }).map((code) => String.fromCharCode(code))
    const header = fc.string({ unit: byte, maxLength: 600 })
    fc.assert(
      fc.property(fc.option(fc.string(), { nil: undefined }), header, (uiLocales, acceptLanguage) => {
        expect([...languages, undefined]).toContain(wantedLanguage(uiLocales, acceptLanguage))
      }),
    )
  })
})
