import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { claimsOfScopes, claimsWithin } from '../../tokens/claims.ts'
import { OAuthError } from '../protocol/errors.ts'
import { allNames, claimsAmong, readClaims } from './claims-parameter.ts'

const known = Object.values(claimsOfScopes).flat()
const scopes = ['openid', ...Object.keys(claimsOfScopes), 'offline_access']
const names = fc.constantFrom(...known, 'sub', 'acr', 'auth_time', 'groups', 'name#de', 'constructor', 'toString', '__proto__')
const text = fc.constantFrom('aal1', 'phr', 'usr_1', '')
const single = fc.option(
  fc.record(
    { essential: fc.boolean(), value: text, values: fc.array(text, { maxLength: 3 }), further: fc.jsonValue() },
    { requiredKeys: [] },
  ),
)
const member = fc.array(fc.tuple(names, single), { maxLength: 6 }).map((entries) => Object.fromEntries(entries))
const valid = fc.record({ userinfo: member, id_token: member, further: fc.jsonValue() }, { requiredKeys: [] })
const scope = fc.subarray(scopes)

/** What it makes of a text; undefined where it refuses. */
function reading(value: string, granted: readonly string[]) {
  try {
    return readClaims(value, granted)
  } catch (error) {
    if (error instanceof OAuthError && error.code === 'invalid_request') return undefined
    throw error
  }
}

describe('the parameter claims', () => {
  it('asks for the claims that we have and that the scope does not grant, and for no other', () => {
    fc.assert(
      fc.property(valid, scope, (claims, granted) => {
        const read = reading(JSON.stringify(claims), granted)
        // Only users that contradict each other make a well-formed one impossible to meet.
        if (!read) {
          expect(Object.hasOwn({ ...claims.userinfo, ...claims.id_token }, 'sub')).toBe(true)
          return
        }
        const within: readonly string[] = claimsWithin(granted)
        const expected = (asked: object = {}) => known.filter((name) => Object.hasOwn(asked, name) && !within.includes(name)).sort()
        const isOpenid = granted.includes('openid')
        expect([...(read.asked?.idToken ?? [])].sort()).toEqual(isOpenid ? expected(claims.id_token) : [])
        expect([...(read.asked?.userinfo ?? [])].sort()).toEqual(isOpenid ? expected(claims.userinfo) : [])
      }),
      { numRuns: 2_000 },
    )
  })

  it('names a level only by acr of the ID token, which is essential only where it says so', () => {
    fc.assert(
      fc.property(valid, (claims) => {
        const read = reading(JSON.stringify(claims), ['openid'])
        if (!read) return
        const acr = Object.hasOwn(claims.id_token ?? {}, 'acr') ? claims.id_token?.acr : undefined
        const values = [...(acr?.value === undefined ? [] : [acr.value]), ...(acr?.values ?? [])]
        const expected = { values, isEssential: acr?.essential === true, isOfClaims: true }
        expect(read.levels).toEqual(values.length === 0 ? undefined : expected)
      }),
      { numRuns: 2_000 },
    )
  })

  it('is read or refused, whatever it is', () => {
    const anything = fc.oneof(
      fc.string(),
      fc.json(),
      fc.string({ unit: 'binary' }),
      fc.jsonValue().map((value) => JSON.stringify({ userinfo: value })),
    )
    fc.assert(
      fc.property(anything, scope, (value, granted) => {
        const read = reading(value, granted)
        for (const name of allNames(read?.asked)) expect(known).toContain(name)
      }),
      { numRuns: 2_000 },
    )
    expect(() => reading(`{"x":${'['.repeat(4_000)}${']'.repeat(4_000)}}`, ['openid'])).not.toThrow()
  })

  it.each([
    ['text', 'email'],
    ['a list', '[]'],
    ['null', 'null'],
    ['a number', '1'],
    ['a member that is null', '{"userinfo":null}'],
    ['a member that is a list', '{"id_token":["email"]}'],
    ['a claim that is true', '{"userinfo":{"email":true}}'],
    ['a claim that is a list', '{"userinfo":{"email":[]}}'],
    ['an unknown claim that is text', '{"userinfo":{"foreign":"x"}}'],
    ['essential that is text', '{"userinfo":{"email":{"essential":"true"}}}'],
    ['values that are none', '{"id_token":{"acr":{"values":"aal1"}}}'],
    ['a user that is a number', '{"id_token":{"sub":{"value":1}}}'],
    ['two users', '{"id_token":{"sub":{"value":"usr_1"}},"userinfo":{"sub":{"value":"usr_2"}}}'],
    ['an escaped NUL', String.raw`{"id_token":{"sub":{"value":"usr\u0000"}}}`],
    ['half a character in a name', String.raw`{"id_token":{"\ud800":null}}`],
    ['more than 8 KiB', JSON.stringify({ userinfo: { email: { value: 'x'.repeat(8_192) } } })],
    ['more than 8 KiB in UTF-8 alone', JSON.stringify({ userinfo: { email: { value: 'ß'.repeat(4_096) } } })],
    ['brackets without end', '['.repeat(8_000)],
  ])('is refused as %s', (_, value) => {
    expect(reading(value, ['openid'])).toBeUndefined()
  })

  it('is taken up to its longest value', () => {
    const longest = JSON.stringify({ userinfo: { name: null }, x: '' })
    const filled = longest.replace('"x":""', `"x":"${'y'.repeat(8_192 - longest.length)}"`)
    expect(Buffer.byteLength(filled)).toBe(8_192)
    expect(reading(filled, ['openid'])?.asked).toEqual({ idToken: [], userinfo: ['name'] })
    expect(reading(`${filled} `, ['openid'])).toBeUndefined()
  })

  it('takes one user from either member, and of several none', () => {
    const subjectOf = (claims: object) => reading(JSON.stringify(claims), ['openid'])?.subject
    expect(subjectOf({ id_token: { sub: { value: 'usr_1' } } })).toBe('usr_1')
    expect(subjectOf({ userinfo: { sub: { values: ['usr_1'] } }, id_token: { sub: { value: 'usr_1', essential: true } } })).toBe('usr_1')
    expect(subjectOf({ id_token: { sub: { values: ['usr_1', 'usr_2'] } } })).toBeUndefined()
    expect(subjectOf({ id_token: { sub: null } })).toBeUndefined()
  })

  it('loses what is not allowed, and is nothing without the rest', () => {
    const asked = { idToken: ['name'], userinfo: ['email', 'name'] }
    expect(allNames(asked)).toEqual(['email', 'name'])
    expect(claimsAmong(asked, ['name'])).toEqual({ idToken: ['name'], userinfo: ['name'] })
    expect(claimsAmong(asked, ['phone_number'])).toBeUndefined()
  })
})
