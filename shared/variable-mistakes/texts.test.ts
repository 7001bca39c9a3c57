import { describe, expect, it } from 'vitest'
import { type VariableMistakeCode, variableMistakeInWords, variableMistakes } from './texts.ts'
import { germanVariableMistakes } from './texts-de.ts'

const placesIn = (text: string) => [...text.matchAll(/\{\w+\}/g)].map(([place]) => place).sort()

describe('a mistake in variables', () => {
  it('names the same in every language', () => {
    for (const code of Object.keys(variableMistakes) as VariableMistakeCode[])
      expect([code, placesIn(germanVariableMistakes[code])]).toEqual([code, placesIn(variableMistakes[code])])
  })

  it('is said with the names of its variables', () => {
    const mistake = { code: 'no-effect-without', variable: 'SMS_FROM', other: 'SMS_GATEWAY_URL' } as const
    expect(variableMistakeInWords(variableMistakes, mistake)).toBe('SMS_FROM has no effect without SMS_GATEWAY_URL')
    expect(variableMistakeInWords(germanVariableMistakes, mistake)).toBe('SMS_FROM hat ohne SMS_GATEWAY_URL keine Wirkung')
  })
})
