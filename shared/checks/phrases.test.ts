import { describe, expect, it } from 'vitest'
import { inWords, type Phrase, phrases } from './phrases.ts'
import { germanPhrases } from './phrases-de.ts'
import { say } from './said.ts'

const placesIn = (text: string) => [...text.matchAll(/\{\d\}/g)].map(([place]) => place).sort()

describe('a phrase', () => {
  it('names the same values in every language', () => {
    for (const phrase of Object.keys(phrases) as Phrase[])
      expect([phrase, placesIn(germanPhrases[phrase])]).toEqual([phrase, placesIn(phrases[phrase])])
  })

  it('is said with its values, which are no text of ours even where they look like one', () => {
    const said = say('status-of', 'https://login.test/{2}', '404')
    expect(said.text).toBe('https://login.test/{2}: status 404')
    expect(inWords(germanPhrases, said)).toBe('https://login.test/{2}: Status 404')
  })
})
