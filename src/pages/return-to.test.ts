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
    '/%6Fauth2/authorize?client_id=abc',
    '/%6fauth2/authorize',
    '/oauth%32/authorize?client_id=abc',
    '/%66ederation/con_1/link',
  ])('drops %j', (value) => {
    expect(parseReturnTo(value)).toBeUndefined()
  })

  it('has one spelling of each path, by which it can be compared', () => {
    const character = fc.constantFrom(...'-._~aZ0oAuth29'.split(''))
    const spelled = character.chain((one) => fc.constantFrom(one, `%${one.charCodeAt(0).toString(16)}`, '/', '%20', '%C3%BC'))
    fc.assert(
      fc.property(fc.array(spelled, { maxLength: 8 }), (pieces) => {
        const returnTo = parseReturnTo(`/${pieces.join('')}`)
        if (returnTo !== undefined) expect(encodeURI(decodeURI(returnTo)).toLowerCase()).toBe(returnTo.toLowerCase())
      }),
      { numRuns: 1_000 },
    )
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
