import { describe, expect, it } from 'vitest'
import { directoryMistakes, type MistakeCode, mistakeInWords } from './texts.ts'
import { germanDirectoryMistakes } from './texts-de.ts'

const placesIn = (text: string) => [...text.matchAll(/\{\w+\}/g)].map(([place]) => place).sort()

describe('a mistake of a directory', () => {
  it('names the same in every language', () => {
    for (const code of Object.keys(directoryMistakes) as MistakeCode[])
      expect([code, placesIn(germanDirectoryMistakes[code])]).toEqual([code, placesIn(directoryMistakes[code])])
  })

  it('is said with what it names, which is no text of ours even where it looks like one', () => {
    const tooLong = { code: 'too-long', expected: '255', received: '{expected}' } as const
    expect(mistakeInWords(directoryMistakes, tooLong)).toBe('{expected} has at most 255 characters')
    expect(mistakeInWords(germanDirectoryMistakes, tooLong)).toBe('{expected} hat höchstens 255 Zeichen')
  })
})
