import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { domainOfAddress, hasLapsed, isDomain, readDomain, requiresSso, ssoWithoutProof, unicodeOf } from './rules.ts'

describe('a domain', () => {
  it.each(['example.com', 'a.b.c.example', 'xn--bcher-kva.example', '1.example', `${'a'.repeat(63)}.example`])('may be %s', (domain) => {
    expect(isDomain(domain)).toBe(true)
  })

  it.each(['example', 'example.', '.example', 'a_b.example', 'A.example', '10.0.0.1', 'a.0x7f', `${'a'.repeat(64)}.example`])(
    'is not %s',
    (domain) => {
      expect(isDomain(domain)).toBe(false)
    },
  )

  it('leaves room for the name of its record', () => {
    const parent = `${'a'.repeat(57)}.${'b.'.repeat(88)}example`
    expect([parent.length, isDomain(parent), isDomain(`aa.${parent}`)]).toEqual([241, true, false])
  })

  it('is what was sent, with capitals of ASCII made small, or none: in the form of the DNS or in its own letters', () => {
    const labels = fc.array(
      fc.oneof(fc.constantFrom('xn--', 'bücher', 'a', 'ß', 'Ａ', '例え', '%41', '\u00ad', '。', '/', ':'), fc.string()),
    )
    const texts = fc
      .array(
        labels.map((parts) => parts.join('')),
        { minLength: 1, maxLength: 4 },
      )
      .map((parts) => `${parts.join('.')}.example`)
    fc.assert(
      fc.property(texts, (text) => {
        const domain = readDomain(text)
        if (domain === undefined) return
        const small = text.replaceAll(/[A-Z]/g, (letter) => letter.toLowerCase())
        const mixed = small.split('.').map((label, at) => (label.startsWith('xn--') ? unicodeOf(domain).split('.')[at] : label))
        expect(mixed.join('.')).toBe(unicodeOf(domain))
        expect(readDomain(domain)).toBe(domain)
        expect(readDomain(unicodeOf(domain))).toBe(domain)
        expect(`_gatehouse.${domain}`.length).toBeLessThanOrEqual(253)
      }),
    )
  })

  it('is what follows the last @ of an address', () => {
    expect(['carol@Example.com', '"a@b"@example.com'].map(domainOfAddress)).toEqual(['example.com', 'example.com'])
  })

  it('lapses after seven days without its record, and then requires nothing', () => {
    const since = new Date('2026-01-01T00:00:00Z')
    expect(hasLapsed(since, new Date('2026-01-07T23:59:59Z'))).toBe(false)
    expect(hasLapsed(since, new Date('2026-01-08T00:00:00Z'))).toBe(true)
    expect((['off', 'offered', 'required'] as const).map(ssoWithoutProof)).toEqual(['off', 'offered', 'offered'])
    expect((['pending', 'verified', 'lapsed'] as const).map((status) => requiresSso({ status, sso: 'required' }))).toEqual([
      false,
      true,
      false,
    ])
  })
})
