import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { plainName } from './names.ts'

describe('a name in a mail', () => {
  it.each([
    ['Win now at https://evil.example/prize?a=b !', 'Win now at !'],
    ['Visit evil.example today', 'Visit today'],
    ['Visit www.evil.co.uk/path today', 'Visit today'],
    ['Visit EVIL.EXAMPLE:8443 today', 'Visit today'],
    ['Write to prize@evil.example today', 'Write to today'],
    ['Visit evil。example today', 'Visit today'],
    ['Visit ｅｖｉｌ．ｅｘａｍｐｌｅ today', 'Visit today'],
    ['Visit evil\u200b.exam\u00adple today', 'Visit today'],
    ['Visit bücher.example and xn--bcher-kva.example', 'Visit and'],
    ['Call ftp://evil today', 'Call today'],
    ['Visit (evil.example)', 'Visit ( )'],
  ])('loses what looks like an address: %s', (name, plain) => {
    expect(plainName(name)).toBe(plain)
  })

  it.each([
    'Größe & Söhne GmbH',
    'Dr. Zoë Ünal',
    'J.R.R. Tolkien',
    'Acme Inc.',
    'Version 2.0',
    '10.0.0.1',
    'ＡＣＭＥ 株式会社',
    'نرم‌افزار',
    "O'Neill / Partner",
    'a: b',
  ])('stays as it is: %s', (name) => {
    expect(plainName(name)).toBe(name)
  })

  it('that is nothing but an address becomes words', () => {
    expect(plainName('Booking.com')).toBe('Booking com')
    expect(plainName('https://evil.example/a.b')).toBe('evil example a b')
  })

  it('does not change when it is cleaned twice', () => {
    const parts = fc.constantFrom('evil', '.', 'example', '://', 'https', '/', '@', ' ', '\u200b', '。', 'ü', '-', '1')
    fc.assert(
      fc.property(fc.array(parts, { maxLength: 12 }), (pieces) => {
        const plain = plainName(pieces.join(''))
        expect(plainName(plain)).toBe(plain)
      }),
    )
  })
})
