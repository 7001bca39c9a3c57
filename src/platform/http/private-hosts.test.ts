import { describe, expect, it } from 'vitest'
import { type OutgoingRules, whyLiteralForbidden } from './outgoing.ts'
import { parsePrivateHosts } from './private-hosts.ts'

const isOpen = (list: string, hostname: string, address = hostname) => parsePrivateHosts(list)?.(hostname, address)
const opening = (list: string): OutgoingRules => ({
  what: 'parcels',
  allowPrivateAddresses: false,
  setting: 'OUTGOING_PRIVATE_HOSTS',
  privateHosts: parsePrivateHosts(list) ?? (() => false),
})

describe('a list of private hosts', () => {
  it.each([
    ['', 'idp.internal', '10.1.2.3', false],
    ['idp.internal', 'idp.internal', '10.1.2.3', true],
    ['idp.internal', 'IdP.internal', '10.1.2.3', true],
    ['IDP.internal , other.internal', 'other.internal', '10.1.2.3', true],
    ['idp.internal', 'x.idp.internal', '10.1.2.3', false],
    ['idp.internal', 'idp.internal.example.com', '10.1.2.3', false],
    ['idp.internal', '10.1.2.3', '10.1.2.3', false],
    ['10.1.2.0/24', 'idp.internal', '10.1.2.3', true],
    ['10.1.2.0/24', 'idp.internal', '::ffff:10.1.2.3', true],
    ['10.1.2.0/24', 'idp.internal', '10.1.3.3', false],
    ['10.1.2.3', '10.1.2.3', '10.1.2.3', true],
    ['10.1.2.3', '10.1.2.4', '10.1.2.4', false],
    ['fd00:1::/32', 'idp.internal', 'fd00:1::7', true],
    ['fd00:1::/32', 'idp.internal', 'fd00:2::7', false],
    ['fd00:1::/32', 'idp.internal', '10.1.2.3', false],
  ])('"%s" with %s at %s: %s', (list, hostname, address, expected) => {
    expect(isOpen(list, hostname, address)).toBe(expected)
  })

  it.each([
    'idp.internal,',
    '10.0.0.0/33',
    '10.0.0',
    '10.0.0.256',
    '*.internal',
    'https://idp.internal',
    'idp.internal:8443',
    '-a',
    '[::1]',
  ])('"%s" is none', (list) => {
    expect(parsePrivateHosts(list)).toBeUndefined()
  })
})

describe('what a list of private hosts opens', () => {
  it.each(['10.1.2.3', '127.0.0.1', '192.168.4.4', '100.64.0.1', '[fd00::1]'])('is %s, once its range is named', (host) => {
    const url = `https://${host}/`
    expect(whyLiteralForbidden(url, opening(''))).toMatch(/ address: OUTGOING_PRIVATE_HOSTS$/)
    expect(whyLiteralForbidden(url, opening('0.0.0.0/0,::/0'))).toBeUndefined()
  })

  it.each([
    '169.254.169.254',
    '100.100.100.200',
    '168.63.129.16',
    '[fd00:ec2::254]',
    '[fd20:ce::254]',
    '169.254.1.1',
    '[fe80::1]',
    '0.0.0.0',
  ])('is never %s, whatever it names', (host) => {
    const rules = opening(`0.0.0.0/0,::/0,${host.replace(/[[\]]/g, '')}`)
    expect(whyLiteralForbidden(`https://${host}/`, rules)).toMatch(/, where parcels never go$/)
  })
})
