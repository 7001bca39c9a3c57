import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { parseAddresses } from './addresses.ts'

const part = fc.stringMatching(/^[a-z0-9][a-z0-9._+-]{0,10}$/)
const address = fc.tuple(part, part).map(([local, domain]) => `${local}@${domain}`)
const separator = fc.constantFrom('\n', '\r\n', ', ', ';', ' ; ', ' ', '\t', ',\n')

describe('the addresses in a text', () => {
  it('are found between any separators, each once', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(address, separator)), (pairs) => {
        const addresses = pairs.map(([one]) => one)
        const parsed = parseAddresses(pairs.flat().join(''))
        expect(parsed.addresses).toEqual([...new Set(addresses)])
        expect(parsed.unreadable).toEqual([])
        expect(new Set(parsed.repeated)).toEqual(new Set(addresses.filter((one, index) => addresses.indexOf(one) !== index)))
      }),
    )
  })

  it('are found beside names', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.stringMatching(/^[A-Za-z ."'-]{0,12}$/), address)), (people) => {
        const text = people.map(([name, one]) => `${name} <${one}>`).join(', ')
        expect(parseAddresses(text).addresses).toEqual([...new Set(people.map(([, one]) => one))])
      }),
    )
  })

  it.each([
    ['Anna Shaw anna@acme.test', ['anna@acme.test'], []],
    ['mailto:anna@acme.test', ['anna@acme.test'], []],
    ['Anna@acme.test anna@ACME.test', ['Anna@acme.test'], []],
    ['anna, bob@acme.test\nat home', ['bob@acme.test'], ['anna', 'at home']],
    ['<>', [], ['<>']],
    [' \n , ', [], []],
  ])('of %j are %j', (text, addresses, unreadable) => expect(parseAddresses(text)).toMatchObject({ addresses, unreadable }))
})
