import fc from 'fast-check'
import type { Schema } from './described.ts'
import { typesOf } from './text-places.ts'

/** The value of every field that holds a secret. No response may contain it. */
export const plantedSecret = 'Planted-secret-7e3a91'

const secretField = /password|token|secret|code|key/i

const times = fc.constantFrom(
  '2026-01-31T09:30:00Z',
  '0000-01-01T00:00:00Z',
  '9999-12-31T23:59:59+14:00',
  '2026-02-30T00:00:00Z',
  '275760-09-13',
)
const addresses = fc.constantFrom('a@b.test', 'A@B.TEST ', 'a@b', '"a b"@c.test', `${'x'.repeat(300)}@b.test`, 'a@b.test\u0000')
const urls = fc.constantFrom(
  'https://a.test/',
  'http://[::1]/',
  'javascript:alert(1)',
  'https://\u0000/',
  'https://a.test/#x',
  '//a',
  'https://a.test\\@b/',
)

/** Texts that cause trouble in parsers, databases and templates. */
const oddTexts = fc.oneof(
  fc.string(),
  fc.string({ unit: 'binary' }),
  fc.constantFrom(
    '',
    ' ',
    '\u0000',
    'a\u0000b',
    '\ud800',
    'a\udfffb',
    '\u202e',
    '\ufeff',
    '😀'.repeat(200),
    'x'.repeat(256),
    'x'.repeat(100_000),
    "'; drop table users; --",
    '{{7*7}}<script>alert(1)</script>',
    '%00%ff%c0%ae',
    '../../etc/passwd',
    '__proto__',
    'constructor',
    'toString',
    '-1',
    '1e400',
    'null',
  ),
)

const oddNumbers = fc.constantFrom(0, -0, -1, 1, 1.5, 2 ** 31, -(2 ** 31) - 1, 2 ** 53, 1e308, Number.MIN_VALUE)

const nested = (depth: number): unknown => (depth === 0 ? 'x' : { a: [nested(depth - 1)] })

// Made once: each takes a while to be made, and fields are many.
const words = fc.stringMatching(/^[a-z][a-z0-9]{3,12}$/)
const newAddresses = fc.stringMatching(/^[a-z]{8}@[a-z]{5}\.test$/)
const fieldNames = fc.string({ maxLength: 10 })

/** Any JSON value. */
const anything: fc.Arbitrary<unknown> = fc.oneof(
  fc.jsonValue(),
  oddTexts,
  oddNumbers,
  fc.constantFrom<unknown>(null, true, [], {}, [[]], nested(50), Array(2_000).fill('x'), {
    constructor: { prototype: { polluted: true } },
  }),
  fc.dictionary(fc.constantFrom('toString', 'hasOwnProperty', 'valueOf', 'then', '$ref', 'id'), fc.jsonValue()),
)

/** A value that the schema allows, or nearly. `known` are identifiers that exist. */
export function nearly(schema: Schema, known: readonly string[], field = ''): fc.Arbitrary<unknown> {
  if (secretField.test(field) && typesOf(schema).includes('string'))
    return fc.oneof({ weight: 4, arbitrary: fc.constant(plantedSecret) }, { weight: 1, arbitrary: oddTexts })
  return fc.oneof({ weight: 4, arbitrary: fitting(schema, known, field) }, { weight: 1, arbitrary: anything })
}

function fitting(schema: Schema, known: readonly string[], field: string): fc.Arbitrary<unknown> {
  const alternatives = schema.anyOf ?? schema.oneOf
  if (alternatives) return fc.oneof(...alternatives.map((alternative) => nearly(alternative, known, field)))
  if (schema.enum) return fc.constantFrom(...schema.enum)
  if (schema.const !== undefined) return fc.constant(schema.const)
  switch (typesOf(schema)[0]) {
    case 'object':
      return objectOf(schema, known)
    case 'array':
      return fc.array(nearly(schema.items ?? {}, known, field), { maxLength: 4 })
    case 'boolean':
      return fc.boolean()
    case 'integer':
    case 'number':
      return fc.oneof(fc.integer({ min: schema.minimum ?? 0, max: Math.min(schema.maximum ?? 1_000, 2 ** 40) }), oddNumbers)
    case 'string':
      return textOf(schema, known, field)
    default:
      return anything
  }
}

function textOf({ format, example }: Schema, known: readonly string[], field: string): fc.Arbitrary<string> {
  if (format === 'date-time') return times
  const plain = fc.oneof(fc.constantFrom(...(typeof example === 'string' ? [example] : ['Text'])), words, oddTexts)
  if (/id$/i.test(field)) return fc.oneof(fc.constantFrom(...known), plain)
  if (/email/i.test(field)) return fc.oneof(newAddresses, addresses)
  if (/ur[il]/i.test(field)) return fc.oneof(urls, plain)
  return plain
}

function objectOf({ properties = {}, required = [], additionalProperties }: Schema, known: readonly string[]): fc.Arbitrary<unknown> {
  const fields = Object.fromEntries(Object.entries(properties).map(([name, schema]) => [name, nearly(schema, known, name)]))
  const whole = fc.record(fields, { requiredKeys: required.filter((name) => name in fields) })
  const extra = fc.dictionary(fieldNames, anything, { maxKeys: additionalProperties ? 5 : 1 })
  return fc.tuple(whole, extra).map(([named, more]) => ({ ...more, ...named }))
}

/** Bodies that no route can read. */
export const rawBodies = [
  '{',
  '[]',
  'null',
  '"text"',
  '7',
  '{"__proto__":{"isOwner":true}}',
  `${'['.repeat(20_000)}${']'.repeat(20_000)}`,
  '\u0000',
]
