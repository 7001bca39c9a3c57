import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { canonicalAddress, isLoopbackHost, isPrivateAddress, networkOf, parseProxies } from './addresses.ts'

describe('an address', () => {
  it.each([
    ['203.0.113.7', '203.0.113.7'],
    ['203.0.113.7:4711', '203.0.113.7'],
    ['::ffff:203.0.113.7', '203.0.113.7'],
    ['[::ffff:203.0.113.7]:4711', '203.0.113.7'],
    ['::FFFF:cb00:7107', '203.0.113.7'],
    ['2001:DB8:0:0:0:0:0:1', '2001:db8::1'],
    ['[2001:db8::1]', '2001:db8::1'],
    ['[2001:db8::1]:443', '2001:db8::1'],
    ['fe80::1%eth0', 'fe80::1'],
  ])('%s is %s', (text, address) => {
    expect(canonicalAddress(text)).toBe(address)
  })

  it.each(['', 'unknown', '_hidden', 'localhost', '127.1', '0177.0.0.1', '2130706433', '0x7f.0.0.1', '203.0.113.7:', '203.0.113.7:port'])(
    'is not what %j says',
    (text) => {
      expect(canonicalAddress(text)).toBeUndefined()
    },
  )

  it('is never anything but an address, and is its own canonical form', () => {
    fc.assert(
      fc.property(fc.oneof(fc.ipV4(), fc.ipV6(), fc.string()), (text) => {
        const address = canonicalAddress(text)
        if (address === undefined) return
        expect(address).toMatch(/^[\da-f:.]{2,39}$/)
        expect(canonicalAddress(address)).toBe(address)
      }),
    )
  })

  it('is private where the internet does not route to it', () => {
    expect(
      ['127.0.0.1', '::1', '10.1.2.3', '172.20.0.1', '192.168.1.1', 'fd00::1', 'fe80::1', '::ffff:10.0.0.1'].map(isPrivateAddress),
    ).toEqual(Array(8).fill(true))
    expect(['203.0.113.7', '8.8.8.8', '2001:4860::1', '::ffff:8.8.8.8', 'unknown', undefined].map(isPrivateAddress)).toEqual(
      Array(6).fill(false),
    )
  })
})

describe('the network that a limit counts', () => {
  it('is the /64 of IPv6, which a single subscriber has', () => {
    expect(networkOf('2001:db8:1:2:3:4:5:6')).toBe(networkOf('2001:db8:1:2::1'))
    expect(networkOf('2001:db8:1:2::1')).not.toBe(networkOf('2001:db8:1:3::1'))
  })

  it('is the address itself of IPv4, mapped into IPv6 or with a port', () => {
    expect(['203.0.113.7', '::ffff:203.0.113.7', '203.0.113.7:4711'].map(networkOf)).toEqual(Array(3).fill('203.0.113.7'))
    expect(networkOf('203.0.113.8')).not.toBe(networkOf('203.0.113.7'))
  })

  it('is one for all that is no address', () => {
    expect(['unknown', '', 'x'.repeat(3_000)].map(networkOf)).toEqual(Array(3).fill('unknown'))
  })
})

describe('a list of proxies', () => {
  const trusts = (list: string, address: string) => parseProxies(list)?.(address)

  it.each([
    ['203.0.113.7', '203.0.113.7', true],
    ['203.0.113.7', '203.0.113.8', false],
    ['203.0.113.7', '::ffff:203.0.113.7', true],
    ['203.0.113.7', '203.0.113.7:4711', true],
    ['10.0.0.0/8, 2001:db8::/32', '10.255.0.1', true],
    ['10.0.0.0/8, 2001:db8::/32', '2001:db8:ffff::1', true],
    ['10.0.0.0/8, 2001:db8::/32', '11.0.0.1', false],
    ['10.0.0.0/8', '::ffff:10.0.0.1', true],
    ['::ffff:10.0.0.0/104', '10.0.0.1', true],
    ['loopback', '127.0.0.2', true],
    ['loopback', '::1', true],
    ['loopback', '::ffff:127.0.0.1', true],
    ['loopback', '10.0.0.1', false],
    ['::/0', 'unknown', false],
  ])('of %s and %s: %s', (list, address, isTrusted) => {
    expect(trusts(list, address)).toBe(isTrusted)
  })

  it.each([
    'true',
    'false',
    '1',
    '10',
    '10.0.0',
    'proxy.example.com',
    'uniquelocal',
    '10.0.0.0/33',
    '10.0.0.0/',
    '::1/129',
    '10.0.0.1,',
    ',',
  ])('is not %s', (list) => {
    expect(parseProxies(list)).toBeUndefined()
  })
})

it('this machine is localhost, whatever it is called and numbered', () => {
  expect(['localhost', 'LOCALHOST', 'id.localhost', '127.0.0.1', '127.8.8.8', '[::1]', '::1'].map(isLoopbackHost)).toEqual(
    Array(7).fill(true),
  )
  expect(['localhost.example.com', 'id.example.com', '10.0.0.1', '0.0.0.0', '[2001:db8::1]', ''].map(isLoopbackHost)).toEqual(
    Array(6).fill(false),
  )
})
