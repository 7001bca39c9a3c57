import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { differenceOf, nearestTo } from './difference.ts'

const text = fc.string({ unit: 'grapheme', maxLength: 40 })

describe('the first difference of two texts', () => {
  it('puts both together again', () => {
    fc.assert(
      fc.property(text, text, (one, other) => {
        const { same, first, rest } = differenceOf(one, other)
        expect(same + first.one + rest.one).toBe(one)
        expect(same + first.other + rest.other).toBe(other)
        if (one !== other) expect(first.one).not.toBe(first.other)
        else expect(first).toEqual({ one: '', other: '' })
      }),
    )
  })

  it('is the end of the shorter one where one begins the other', () => {
    expect(differenceOf('https://a.test/cb', 'https://a.test/cb/')).toEqual({
      same: 'https://a.test/cb',
      first: { one: '', other: '/' },
      rest: { one: '', other: '' },
    })
  })
})

describe('the nearest of a list', () => {
  it('is the text itself when the list has it', () => {
    fc.assert(
      fc.property(fc.uniqueArray(text, { minLength: 1 }), fc.nat(), (list, number) => {
        const one = list[number % list.length] as string
        expect(nearestTo(one, list)).toBe(one)
      }),
    )
  })

  it('is the one that differs least', () => {
    const list = ['https://other.test/callback', 'https://portal.test/callback', 'https://portal.test/']
    expect(nearestTo('https://portal.test/callbak', list)).toBe('https://portal.test/callback')
    expect(nearestTo('anything', [])).toBeUndefined()
  })
})
