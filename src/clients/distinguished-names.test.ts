import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { isSameName, parseName, parseSubject, renderName } from './distinguished-names.ts'

const attribute = fc.record({
  type: fc.constantFrom('2.5.4.3', '2.5.4.10', '0.9.2342.19200300.100.1.25', '1.2.840.113549.1.9.1', '1.2.3.4'),
  value: fc.string({ unit: fc.constantFrom(...' #"+,;<>=\\aZ0ü€😀\n'), minLength: 1, maxLength: 12 }),
})
const name = fc.array(fc.array(attribute, { minLength: 1, maxLength: 3 }), { minLength: 1, maxLength: 4 })

describe('a distinguished name', () => {
  it('is read as it was written, whatever it holds', () => {
    fc.assert(
      fc.property(name, (written) => {
        const read = parseName(renderName(written))
        expect(read && isSameName(read, written)).toBe(true)
        expect(read && renderName(read)).toBe(renderName(written))
      }),
    )
  })

  it('equals another one exactly when their forms are equal', () => {
    fc.assert(
      fc.property(name, name, (one, other) => {
        expect(isSameName(one, other)).toBe(renderName(one) === renderName(other))
      }),
    )
  })

  it('equals no name that it begins or ends with', () => {
    fc.assert(
      fc.property(name, attribute, (one, further) => {
        expect(isSameName(one, [...one, [further]])).toBe(false)
        expect(isSameName(one, [[further], ...one])).toBe(false)
      }),
    )
  })

  it('is read from the lines of a certificate, whose order is the other one', () => {
    const read = parseSubject('C=DE\nO=Acme\\, Inc. + OU=b\nCN=München')
    expect(read && renderName(read)).toBe('CN=München,O=Acme\\, Inc.+OU=b,C=DE')
  })
})
