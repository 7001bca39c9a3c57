import { describe, expect, it } from 'vitest'
import { catalogues, chooseLanguage } from './language.ts'

describe('the language of a page', () => {
  it.each([
    ['the first that is known of ui_locales', 'fr de-CH en', 'en', 'de'],
    ['that of Accept-Language when ui_locales names none that is known', 'fr', 'de', 'de'],
    ['the one that is wanted most', undefined, 'en;q=0.5, de-AT;q=0.9', 'de'],
    ['never one that is refused', undefined, 'de;q=0', 'en'],
    ['English for a browser that wants another', undefined, 'ja, fr;q=0.8', 'en'],
    ['English when the request names none', undefined, undefined, 'en'],
  ])('is %s', (_, uiLocales, acceptLanguage, language) => {
    expect(chooseLanguage(uiLocales, acceptLanguage)).toBe(language)
  })
})

describe('a catalogue', () => {
  const shapeOf = (value: unknown): unknown =>
    typeof value === 'object' && value !== null
      ? Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, shapeOf(inner)]))
      : typeof value

  it.each(Object.entries(catalogues))('has every text of the English one: %s', (_, catalogue) => {
    expect(shapeOf(catalogue)).toEqual(shapeOf(catalogues.en))
  })

  it.each(Object.entries(catalogues))('leaves no text empty: %s', (_, catalogue) => {
    const empty = (value: unknown): boolean =>
      typeof value === 'object' && value !== null ? Object.values(value).some(empty) : typeof value === 'string' && value.trim() === ''
    expect(empty(catalogue)).toBe(false)
  })
})
