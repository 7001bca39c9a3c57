import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { idsFrom, newId } from './ids.ts'

const times = fc.date({ min: new Date('0001-01-01T00:00:00Z'), max: new Date('9999-12-31T23:59:59.999Z'), noInvalidDate: true })

describe('an identifier', () => {
  it('has the same form whatever time it is of', () => {
    fc.assert(fc.property(times, (at) => /^usr_[0-9a-hjkmnp-tv-z]{26}$/.test(newId('usr', at))))
  })

  it('sorts by its time, as what it is compared with does', () => {
    fc.assert(
      fc.property(times, times, (one, other) => {
        const [earlier, later] = one < other ? [one, other] : [other, one]
        expect(newId('usr', earlier).slice(0, 14) <= newId('usr', later).slice(0, 14)).toBe(true)
        expect(idsFrom('usr', later) <= newId('usr', later)).toBe(true)
      }),
    )
  })
})
