import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { cutText, hasInvisibleCharacters, isPlainText, storableText } from './text.ts'

describe('plain text', () => {
  it.each(['Ada', 'Zoë', '李', '👩‍👩‍👧', 'می‌خواهم', ''])('may be %j', (text) => {
    expect(isPlainText(text)).toBe(true)
    expect(hasInvisibleCharacters(text)).toBe(false)
  })

  it.each(['a\u0000', 'a\nb', 'a\u007f', 'a\u0085b', 'a\ud83d', '\ude00a'])('may not be %j', (text) => {
    expect(isPlainText(text)).toBe(false)
  })

  it.each(['\u202e', '\u2066', '\u200e', '\u061c', '\u200b', '\u2060', '\ufeff'])('shows that %j cannot be seen', (character) => {
    expect(hasInvisibleCharacters(`a${character}b`)).toBe(true)
  })
})

describe('a cut', () => {
  it('preserves as much as fits, and never half a character', () => {
    const anyCut = fc.property(fc.string({ unit: fc.constantFrom('a', 'é', '😀') }), fc.nat(30), (text, unitsMax) => {
      const cut = cutText(text, unitsMax)
      expect(text.startsWith(cut)).toBe(true)
      expect(cut.isWellFormed()).toBe(true)
      expect(cut.length).toBeGreaterThanOrEqual(Math.min(text.length, unitsMax - 1))
      expect(cut.length).toBeLessThanOrEqual(unitsMax)
    })
    fc.assert(anyCut)
    expect(cutText('ab😀', 3)).toBe('ab')
    expect(cutText('ab😀', 4)).toBe('ab😀')
  })

  it('of a text that was not checked can be stored', () => {
    expect(storableText('a\ud800b\u0000c😀', 5)).toBe('a\ufffdbc')
  })
})
