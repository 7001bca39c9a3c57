import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { referenceIn } from './reference.ts'

const group = fc.string({ unit: fc.constantFrom(...'0123456789abcdefghjkmnpqrstvwxyz'), minLength: 4, maxLength: 4 })
const reference = fc.tuple(group, group, group).map((groups) => groups.join('-'))

describe('the reference in a text', () => {
  it('is found in whatever stands around it', () => {
    fc.assert(
      fc.property(reference, (one) => {
        expect(referenceIn(`{"error":"invalid_grant","error_description":"the code is unknown (reference ${one})"}`)).toBe(one)
        expect(referenceIn(`…?error_description=x+%28reference+${one}%29`.replaceAll('+', ' '))).toBe(one)
        expect(referenceIn(one.toUpperCase())).toBe(one)
      }),
    )
  })

  it('is not a part of a UUID or of an identifier', () => {
    fc.assert(fc.property(fc.uuid(), (uuid) => referenceIn(`request ${uuid} failed`) === undefined))
    expect(referenceIn('cli_01kahm3z9n4v7f2t8q6w5r1y0x')).toBeUndefined()
  })
})
