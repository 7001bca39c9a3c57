import { describe, expect, it } from 'vitest'
import { type PassedOverCode, passedOver, passedOverInWords } from './texts.ts'
import { germanPassedOver } from './texts-de.ts'

const placesIn = (text: string) => [...text.matchAll(/\{\w+\}/g)].map(([place]) => place).sort()

describe('why a server is passed over', () => {
  it('names the same in every language', () => {
    for (const code of Object.keys(passedOver) as PassedOverCode[])
      expect([code, placesIn(germanPassedOver[code])]).toEqual([code, placesIn(passedOver[code])])
  })

  it('is said with what it names, which is no text of ours even where it looks like one', () => {
    const former = { code: 'former-primary', values: { timeline: 1, newest: 2 } } as const
    expect(passedOverInWords(passedOver, former)).toBe('it is a former primary, on time line 1, and 2 has begun')
    expect(passedOverInWords(germanPassedOver, { code: 'silent', values: { reason: '{server}' } })).toBe('„{server}“')
  })
})
