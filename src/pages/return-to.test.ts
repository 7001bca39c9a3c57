import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { parseReturnTo } from './return-to.ts'

const home = 'https://gatehouse.example'

describe('returnTo', () => {
  it.each([
    '/',
    '/account',
    '/console',
    '/console/users?q=carol&page=2',
    '/account?returnTo=%2Fconsole',
    '/oauth2/authorize?request=abc-_123',
    '/federation/test/abc.test',
    '/account/security?tab=mfa&x=a%20b',
    '/oauth2/authorize?redirect_uri=https%3A%2F%2Frp.example%2Fcb',
  ])('keeps the path %s', (path) => {
    expect(parseReturnTo(path)).toBe(path)
  })

  it.each([
    undefined,
    ['/account', '//evil.example'],
    '',
    'account',
    'https://evil.example',
    'https:evil.example',
    'https:/evil.example',
    'javascript:alert(1)',
    '//evil.example',
    '///evil.example',
    '/\\evil.example',
    '\\/evil.example',
    '/\t/evil.example',
    '/\n/evil.example',
    '\t//evil.example',
    ' //evil.example',
    '/%2f/evil.example',
    '/%2fevil.example',
    '/%5cevil.example',
    '/./%2fevil.example',
    '/.//evil.example',
    '/a/..//evil.example',
    '/%2e//evil.example',
    '/x/%2e%2e//evil.example',
    '/\u0000/evil.example',
    '/\uff0fevil.example',
    '/%',
    `/${'a'.repeat(2_000)}`,
    '/account#fragment',
    '/federation/con_1/start',
    '/federation/con_1/start?returnTo=/account',
    '/federation/con_1/%73tart',
    '/account/../federation/con_1/start',
  ])('drops %j', (value) => {
    expect(parseReturnTo(value)).toBeUndefined()
  })

  it('never leads away from this origin, whatever was sent', () => {
    const piece = fc.constantFrom(
      '/',
      '\\',
      '//',
      'https:',
      'evil.example',
      '@',
      ':',
      '.',
      '..',
      '%2f',
      '%5C',
      '%2e',
      '\t',
      '\r\n',
      '\0',
      '?',
      '#',
      'a',
    )
    fc.assert(
      fc.property(
        fc.oneof(
          fc.array(piece, { maxLength: 8 }).map((pieces) => `/${pieces.join('')}`),
          fc.array(piece, { maxLength: 8 }).map((pieces) => `https://${pieces.join('')}`),
          fc.string(),
        ),
        (value) => {
          const returnTo = parseReturnTo(value)
          if (returnTo === undefined) return
          expect(new URL(returnTo, home).origin).toBe(home)
          expect(new URL(decodeURIComponent(new URL(returnTo, home).pathname), home).origin).toBe(home)
          expect(returnTo).toMatch(/^\/(?![/\\])/)
        },
      ),
      { numRuns: 1_000 },
    )
  })
})
