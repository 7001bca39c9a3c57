import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { withPasted } from './pasted-uris.ts'

const uri = fc.nat(30).map((number) => `https://app.test/${number}`)
const separator = fc.constantFrom('\n', '\r\n', ' \n', ', ', '\t', '  ')

describe('what is pasted into a list of addresses', () => {
  it('is there once afterwards, whatever was there before, and nothing is lost', () => {
    fc.assert(
      fc.property(fc.uniqueArray(uri), fc.nat(40), fc.array(fc.tuple(uri, separator)), (present, place, pasted) => {
        const lines = present.length > 0 ? present : ['']
        const at = place % lines.length
        const result = withPasted(lines, at, pasted.flat().join(''))
        const names = new Set([...present, ...pasted.map(([one]) => one)])
        expect(result.lines.filter((line) => line !== '').sort()).toEqual([...names].sort())
      }),
    )
  })

  it('names each duplicate once, and trims', () => {
    const result = withPasted(['https://a.test/1', ''], 1, ' https://a.test/2 \n\nhttps://a.test/1\nhttps://a.test/1,https://a.test/2 ')
    expect(result).toEqual({ lines: ['https://a.test/1', 'https://a.test/2'], duplicates: ['https://a.test/1', 'https://a.test/2'] })
  })

  it('stands after the line into which it was pasted', () => {
    expect(withPasted(['a:/1', 'a:/2'], 0, 'a:/3 a:/4').lines).toEqual(['a:/1', 'a:/3', 'a:/4', 'a:/2'])
  })
})
