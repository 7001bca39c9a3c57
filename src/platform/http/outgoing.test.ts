import { describe, expect, it } from 'vitest'
import { type OutgoingRules, whyForbidden, whyLiteralForbidden } from './outgoing.ts'

const privateAddresses = ['127.0.0.1', '127.255.255.254', '10.0.0.1', '172.16.0.1', '172.31.255.255', '192.168.1.1', '100.64.0.1']
const specialAddresses = [
  ['unspecified', '0.0.0.0', '0.1.2.3', '::'],
  ['link-local', '169.254.169.254', 'fe80::1', 'fec0::1'],
  ['multicast and broadcast', '224.0.0.1', '239.255.255.250', '255.255.255.255', 'ff02::1'],
  ['reserved', '240.0.0.1', '192.0.0.1', '192.88.99.1', '4000::1', 'e000::1'],
  ['documentation and benchmarking', '192.0.2.1', '198.51.100.1', '203.0.113.1', '198.18.0.1', '2001:db8::1', '3fff::1', '2001:2::1'],
  ['translated (NAT64, 6to4, Teredo, SIIT)', '64:ff9b::7f00:1', '64:ff9b:1::1', '2002:7f00:1::', '2001::1', '::ffff:0:127.0.0.1'],
  ['discard', '100::1'],
  ['metadata of a cloud', '169.254.169.254', 'fd00:ec2::254', 'fd00:0ec2:0:0::254', 'fd20:ce::254', '100.100.100.200', '168.63.129.16'],
  ['mapped metadata', '::ffff:169.254.169.254', '::ffff:100.100.100.200', '::ffff:a83f:8110'],
  ['of a scope', 'fe80::1%eth0', 'ff02::1%1', 'fec0::1%lo', 'fd00:ec2::254%eth0'],
] satisfies [string, ...string[]][]

const isAllowedAddress = (address: string, allowPrivateAddresses: boolean) => whyForbidden(address, allowPrivateAddresses) === undefined
const parcels: OutgoingRules = { what: 'parcels', allowPrivateAddresses: false, setting: 'PARCELS_ALLOW_PRIVATE_ADDRESSES=true' }
const isForbiddenLiteral = (url: string) => whyLiteralForbidden(url, parcels) !== undefined

describe('an address', () => {
  it.each(['8.8.8.8', '1.1.1.1', '2606:4700:4700::1111', '::ffff:8.8.8.8'])('%s of the public internet is allowed', (address) => {
    expect(isAllowedAddress(address, false)).toBe(true)
  })

  it.each([...privateAddresses, '::1', 'fd00::1'])('%s of a private network is allowed only when the operator says so', (address) => {
    expect(isAllowedAddress(address, false)).toBe(false)
    expect(isAllowedAddress(address, true)).toBe(true)
  })

  it.each(privateAddresses)('%s stays private when it is mapped into IPv6', (address) => {
    expect(isAllowedAddress(`::ffff:${address}`, false)).toBe(false)
  })

  it.each(specialAddresses)('that is %s is never allowed', (_, ...addresses) => {
    for (const address of addresses) {
      expect([address, isAllowedAddress(address, false), isAllowedAddress(address, true)]).toEqual([address, false, false])
    }
  })

  it.each(['::1%lo', 'fd00::1%eth0', '::ffff:127.0.0.1%1'])('%s of a scope is no less private', (address) => {
    expect(isAllowedAddress(address, false)).toBe(false)
  })

  it.each(['', 'localhost', '1.2.3.4.5', '::g'])('that is none ("%s") is not allowed', (text) => {
    expect(isAllowedAddress(text, true)).toBe(false)
  })
})

describe('a URL', () => {
  it.each([
    'https://127.0.0.1/',
    'https://127.1/',
    'https://2130706433/',
    'https://0x7f.1/',
    'https://0177.0.0.1/',
    'https://127.0.0.1./',
    'https://[::1]/',
    'https://[::ffff:127.0.0.1]/',
    'https://[::ffff:7f00:1]/',
    'https://[::127.0.0.1]/',
    'https://[64:ff9b::127.0.0.1]/',
    'https://①②⑦.⓪.⓪.①/',
    'https://169.254.169.254/latest/meta-data',
  ])('%s is a forbidden literal', (url) => {
    expect(isForbiddenLiteral(url)).toBe(true)
  })

  it.each(['https://example.com/', 'https://8.8.8.8/', 'https://localhost/'])('%s is none', (url) => {
    expect(isForbiddenLiteral(url)).toBe(false)
  })

  it.each([
    ['https://127.0.0.1/', '127.0.0.1 is a loopback address: PARCELS_ALLOW_PRIVATE_ADDRESSES=true'],
    ['https://[fd00::1]/', 'fd00::1 is a private address: PARCELS_ALLOW_PRIVATE_ADDRESSES=true'],
    ['https://100.64.0.1/', '100.64.0.1 is a private address: PARCELS_ALLOW_PRIVATE_ADDRESSES=true'],
    ['https://169.254.1.1/', '169.254.1.1 is a link-local address, where parcels never go'],
    ['https://168.63.129.16/', '168.63.129.16 is the metadata service of a cloud, where parcels never go'],
    ['https://203.0.113.1/', '203.0.113.1 is no address of the public internet, where parcels never go'],
  ])('%s is refused with the cause and the setting that lifts it', (url, reason) => {
    expect(whyLiteralForbidden(url, parcels)).toBe(reason)
  })
})
