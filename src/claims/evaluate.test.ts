import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { ClaimConversion, ClaimMapping, ClaimTarget } from '../platform/database/column-types.ts'
import { addedBytesMax, type ClaimSources, evaluateClaims, mappingsFor, mergeSources, withAdded } from './evaluate.ts'
import { reservedNames } from './reserved-names.ts'

const targets = ['id_token', 'access_token', 'userinfo', 'introspection'] as const satisfies readonly ClaimTarget[]
const sources: ClaimSources = {
  metadata: {
    department: 'Sales',
    floor: 3,
    is_lead: true,
    desks: ['B', null, 'A'],
    nothing: null,
    deep: { 'a/b': ['x', { '~': 'y' }] },
    empty: [],
  },
  roles: ['member', 'admin', 'member'],
  teams: ['europe', 'asia'],
  organisation: { slug: 'acme', metadata: { plan: 'Gold', seats: '12' } },
  identity: { oid: 'O-1', groups: ['Sales', 'Leads'], 'http://claims.test/level': 'TRUE' },
}
const context = { scope: ['openid'], sources, user: { acr: 'aal2' } }
const mapping = (from: ClaimMapping['from'], rest: Partial<ClaimMapping> = {}): ClaimMapping => ({
  name: 'claim',
  in: ['access_token'],
  from,
  ...rest,
})
const valueFrom = (from: ClaimMapping['from'], rest: Partial<ClaimMapping> = {}) =>
  evaluateClaims([mapping(from, rest)], context).claims.claim

const conversions = [undefined, 'string', 'number', 'boolean', 'array', 'first', 'join', 'lowercase'] as const
type Row = [from: ClaimMapping['from'], ...values: unknown[]]
const none = undefined

/** The value of each source in each form: as it is, string, number, boolean, array, first, join, lowercase. */
const table: Row[] = [
  ['/user/metadata/department', 'Sales', 'Sales', none, none, ['Sales'], 'Sales', 'Sales', 'sales'],
  ['/user/metadata/floor', 3, '3', 3, none, [3], 3, '3', 3],
  ['/user/metadata/is_lead', true, 'true', none, true, [true], true, 'true', true],
  ['/user/metadata/desks', ['B', null, 'A'], none, none, none, ['B', 'A'], 'B', 'B,A', ['b', 'a']],
  ['/user/metadata/deep/a~1b/1/~0', 'y', 'y', none, none, ['y'], 'y', 'y', 'y'],
  [
    '/user/metadata/deep',
    sources.metadata?.deep,
    none,
    none,
    none,
    [sources.metadata?.deep],
    sources.metadata?.deep,
    none,
    sources.metadata?.deep,
  ],
  ['/user/metadata/empty', [], none, none, none, [], none, none, []],
  ['/user/metadata/nothing', none, none, none, none, none, none, none, none],
  ['/user/metadata/absent/deeper', none, none, none, none, none, none, none, none],
  ['/user/metadata/desks/01', none, none, none, none, none, none, none, none],
  ['/user/metadata/constructor', none, none, none, none, none, none, none, none],
  ['/user/teams', ['asia', 'europe'], none, none, none, ['asia', 'europe'], 'asia', 'asia,europe', ['asia', 'europe']],
  ['/user/roles', ['admin', 'member'], none, none, none, ['admin', 'member'], 'admin', 'admin,member', ['admin', 'member']],
  ['/organisation/slug', 'acme', 'acme', none, none, ['acme'], 'acme', 'acme', 'acme'],
  ['/organisation/metadata/plan', 'Gold', 'Gold', none, none, ['Gold'], 'Gold', 'Gold', 'gold'],
  ['/organisation/metadata/seats', '12', '12', 12, none, ['12'], '12', '12', '12'],
  ['/identity/oid', 'O-1', 'O-1', none, none, ['O-1'], 'O-1', 'O-1', 'o-1'],
  ['/identity/groups', ['Sales', 'Leads'], none, none, none, ['Sales', 'Leads'], 'Sales', 'Sales,Leads', ['sales', 'leads']],
  ['/identity/http:~1~1claims.test~1level', 'TRUE', 'TRUE', none, true, ['TRUE'], 'TRUE', 'TRUE', 'true'],
  ['/session/acr', 'aal2', 'aal2', none, none, ['aal2'], 'aal2', 'aal2', 'aal2'],
  [{ value: 'Emea' }, 'Emea', 'Emea', none, none, ['Emea'], 'Emea', 'Emea', 'emea'],
  [{ value: 0 }, 0, '0', 0, false, [0], 0, '0', 0],
  [{ value: ' -1.5e2 ' }, ' -1.5e2 ', ' -1.5e2 ', -150, none, [' -1.5e2 '], ' -1.5e2 ', ' -1.5e2 ', ' -1.5e2 '],
  [{ value: '0x10' }, '0x10', '0x10', none, none, ['0x10'], '0x10', '0x10', '0x10'],
  [{ value: null }, none, none, none, none, none, none, none, none],
]

describe('the value of a mapping', () => {
  const rows = table.flatMap(([from, ...values]) =>
    conversions.map((as, index) => ({ from, as: as as ClaimConversion | undefined, value: values[index] })),
  )

  it.each(rows)('from $from as $as is $value', ({ from, as, value }) => {
    expect(valueFrom(from, { as })).toEqual(value)
    // What is missing, null or unreadable has its default instead.
    expect(valueFrom(from, { as, default: 'stand-in' })).toEqual(value ?? 'stand-in')
  })

  it.each(targets)('is only in %s where the mapping names it', (target) => {
    const mappings = table.map(([from], index) => mapping(from, { name: `claim-${index}`, in: [target] }))
    expect(mappingsFor(target, mappings)).toEqual(mappings)
    for (const other of targets) if (other !== target) expect(mappingsFor(other, mappings)).toEqual([])
  })

  it('is there only with its scope', () => {
    expect(valueFrom('/user/teams', { scope: 'openid' })).toEqual(['asia', 'europe'])
    expect(valueFrom('/user/teams', { scope: 'profile', default: [] })).toBeUndefined()
  })

  it('of a token without a user is that of the organisation, or the value itself, alone', () => {
    const claims = table.map(([from], index) => mapping(from, { name: `claim-${index}`, default: 'stand-in' }))
    const found = evaluateClaims(claims, { scope: [], sources, user: undefined }).claims
    const present = claims.filter(({ name }) => name in found).map(({ from }) => from)
    expect(present.filter((from) => typeof from === 'string')).toEqual([
      '/organisation/slug',
      '/organisation/metadata/plan',
      '/organisation/metadata/seats',
    ])
    expect(evaluateClaims([mapping('/organisation/slug')], { scope: [], sources: {}, user: undefined }).claims).toEqual({})
  })
})

describe('mappings of resource servers', () => {
  it('win over those of the client, in the targets that they name', () => {
    const ofClient = [mapping('/user/teams', { in: ['access_token', 'introspection'] }), mapping('/user/roles', { name: 'other' })]
    const first = [mapping({ value: 'first' })]
    const second = [mapping({ value: 'second' }), mapping({ value: 2 }, { name: 'second' })]

    expect(mappingsFor('access_token', ofClient, [first, null, second])).toEqual([first[0], second[1], ofClient[1]])
    expect(mappingsFor('introspection', ofClient, [first])).toEqual([ofClient[0]])
  })

  it('take their values from what each row has read', () => {
    expect(
      mergeSources([
        { organisation: { slug: 'acme', metadata: { plan: 'gold' } }, teams: ['europe'] },
        null,
        { organisation: { slug: 'acme', metadata: null }, metadata: { floor: 3 } },
      ]),
    ).toEqual({ organisation: { slug: 'acme', metadata: { plan: 'gold' } }, teams: ['europe'], metadata: { floor: 3 } })
  })
})

describe('claims that are too large', () => {
  it('are left out, and smaller ones stay', () => {
    const large = { value: 'x'.repeat(addedBytesMax) }
    const evaluated = evaluateClaims(
      [mapping(large, { name: 'large' }), mapping({ value: 'small' }, { name: 'small' }), mapping(large, { name: 'larger' })],
      context,
    )
    expect(evaluated).toEqual({ claims: { small: 'small' }, tooLarge: ['large', 'larger'] })
  })

  it('never add up to more than 4 KiB, and are left out only where they would', () => {
    const value = fc.oneof(
      fc.string({ maxLength: 3_000, unit: 'grapheme' }),
      fc.integer(),
      fc.array(fc.string({ maxLength: 40 }), { maxLength: 40 }),
    )
    fc.assert(
      fc.property(fc.array(value, { maxLength: 20 }), (values) => {
        const mappings = values.map((one, index) => mapping({ value: one }, { name: `claim-${index}` }))
        const { claims, tooLarge } = evaluateClaims(mappings, context)
        expect(Buffer.byteLength(JSON.stringify(claims))).toBeLessThanOrEqual(addedBytesMax)
        expect([...Object.keys(claims), ...tooLarge].sort()).toEqual(mappings.map(({ name }) => name).sort())
        for (const name of tooLarge) {
          const whole = { ...claims, [name]: values[Number(name.slice('claim-'.length))] }
          expect(Buffer.byteLength(JSON.stringify(whole))).toBeGreaterThan(addedBytesMax)
        }
      }),
    )
  })

  it('of exactly 4 KiB fit', () => {
    const value = 'x'.repeat(addedBytesMax - JSON.stringify({ claim: '' }).length)
    expect(valueFrom({ value })).toBe(value)
    expect(evaluateClaims([mapping({ value: `${value}x` })], context)).toEqual({ claims: {}, tooLarge: ['claim'] })
  })
})

describe('a claim that is there without mappings', () => {
  it('is never changed by one, whatever its name', () => {
    const names = fc.oneof(fc.constantFrom(...reservedNames), fc.string(), fc.constantFrom('constructor', 'toString', 'hasOwnProperty'))
    fc.assert(
      fc.property(fc.dictionary(names, fc.jsonValue()), fc.dictionary(names, fc.jsonValue()), (claims, added) => {
        const token = withAdded(claims, added)
        for (const [name, value] of Object.entries(claims)) expect(token[name]).toBe(value)
        expect(new Set(Object.keys(token))).toEqual(new Set([...Object.keys(claims), ...Object.keys(added)]))
        expect(withAdded(claims, undefined)).toBe(claims)
      }),
    )
  })
})
