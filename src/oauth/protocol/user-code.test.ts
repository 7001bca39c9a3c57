import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { newUserCode, presentUserCode, readUserCode } from './user-code.ts'

describe('a user code', () => {
  it('is read as it is shown, in any case and with any punctuation', () => {
    const between = fc.constantFrom('', '-', ' ', '.', ' – ')
    fc.assert(
      fc.property(between, fc.boolean(), (separator, isLower) => {
        const code = newUserCode()
        const shown = presentUserCode(code)
        expect(shown).toMatch(/^[BCDFGHJKLMNPQRSTVWXZ]{4}-[BCDFGHJKLMNPQRSTVWXZ]{4}$/)
        const typed = ` ${shown.replace('-', separator)} `
        expect(readUserCode(isLower ? typed.toLowerCase() : typed)).toBe(code)
      }),
    )
  })

  it.each(['', 'BCDF-GHJ', 'BCDF-GHJKL', 'ABCD-EFGH', 'BCDF-GHJ1', 'ßßßß-ßßßß'])('is never %j', (typed) => {
    expect(readUserCode(typed)).toBeUndefined()
  })
})
