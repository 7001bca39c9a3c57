import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { knownFieldsOf, nearestOf, unknownFieldsOf } from './known-fields.ts'

const unknownIn = (schema: z.ZodType, input: unknown) =>
  unknownFieldsOf(input, knownFieldsOf(schema), new Set()).map(({ path }) => path.join('.'))

describe('the unknown fields of an input', () => {
  const schema = z.object({
    name: z.string().optional(),
    address: z.object({ city: z.string() }).nullable().optional(),
    items: z.array(z.object({ id: z.string() })).default([]),
    either: z.union([z.object({ a: z.string() }), z.object({ b: z.string() })]).optional(),
    settings: z.looseObject({ known: z.string().optional() }).optional(),
    metadata: z.record(z.string(), z.unknown()).optional(),
    piped: z.string().pipe(z.email()).optional(),
  })

  it('are found at the top, in objects, in arrays and in alternatives', () => {
    expect(unknownIn(schema, { name: 'x', nmae: 'x' })).toEqual(['nmae'])
    expect(unknownIn(schema, { address: { city: 'x', street: 'y' } })).toEqual(['address.street'])
    expect(unknownIn(schema, { items: [{ id: '1' }, { id: '2', x: 1 }] })).toEqual(['items.1.x'])
    expect(unknownIn(schema, { either: { a: '', b: '', c: '' } })).toEqual(['either.c'])
  })

  it('do not include fields of free-form objects, nor of input that the schema does not expect', () => {
    expect(unknownIn(schema, { settings: { x: 1 }, metadata: { x: { y: 1 } }, piped: 'x' })).toEqual([])
    for (const input of [undefined, null, 'x', 1, [], [{ x: 1 }], { address: 'x', items: { x: 1 } }])
      expect(unknownIn(schema, input)).toEqual([])
  })

  it('are at most a hundred', () => {
    const many = Object.fromEntries(Array.from({ length: 50_000 }, (_, index) => [`field${index}`, 1]))
    expect(unknownIn(schema, many)).toHaveLength(100)
  })
})

describe('the nearest name', () => {
  const names = [
    'firstName',
    'lastName',
    'phone',
    'blockedAt',
    'blockedReason',
    'requireMfa',
    'action',
    'actorId',
    'q',
    'limit',
    'redirectUris',
  ]

  it.each([
    ['blocked', 'blockedAt'],
    ['requireMFA', 'requireMfa'],
    ['require_mfa', 'requireMfa'],
    ['first_name', 'firstName'],
    ['actoin', 'action'],
    ['phoneNumber', 'phone'],
    ['redirectUri', 'redirectUris'],
    ['limti', 'limit'],
    ['actor', 'actorId'],
  ])('to %s is %s', (asked, nearest) => {
    expect(nearestOf(asked, names)).toBe(nearest)
  })

  it.each([
    ['roles', 'roleIds'],
    ['teams', 'teamIds'],
    ['permissions', 'permissionIds'],
    ['expiresAt', 'expiresInHours'],
  ])('to %s, as a record names it, is %s', (asked, nearest) => {
    expect(nearestOf(asked, ['name', 'roleIds', 'teamIds', 'permissionIds', 'expiresInHours'])).toBe(nearest)
  })

  it.each(['x', 'colour', 'email', '', 'permission', 'constructor', 'blockedAt'.repeat(100), '\ud800'])('to %j is none', (asked) => {
    expect(nearestOf(asked, names)).toBeUndefined()
  })
})
