import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { secretsOf } from '../../console/operations-plugin.ts'
import { masked } from '../../console/src/api/masked.ts'

interface Schema {
  $ref?: string
  type?: string | string[]
  description?: string
  enum?: unknown[]
  const?: unknown
  properties?: Record<string, Schema>
  items?: Schema
  additionalProperties?: Schema | boolean
  allOf?: Schema[]
  anyOf?: Schema[]
  oneOf?: Schema[]
  'x-secret'?: true
}

/** A field of a body, by its path: `POST /v1/admin/users > password`, with `<` in a response. */
interface Field {
  operation: string
  place: string
  name: string
  schema: Schema
}

const document = JSON.parse(readFileSync('docs/openapi.json', 'utf8'))
const secrets = secretsOf(document)

const targetOf = (reference: string): Record<string, unknown> =>
  reference
    .split('/')
    .slice(1)
    .reduce((within, part) => within[part], document)
const resolve = (schema: Schema): Schema => (schema.$ref ? resolve(targetOf(schema.$ref) as Schema) : schema)

function fieldsOf(schema: Schema, operation: string, place: string, above: readonly Schema[] = []): Field[] {
  const known = resolve(schema)
  if (above.includes(known)) return []
  const within = (part: Schema, at: string) => fieldsOf(part, operation, at, [...above, known])
  const { properties = {}, items, additionalProperties, allOf = [], anyOf = [], oneOf = [] } = known
  return [
    ...Object.entries(properties).flatMap(([name, field]) => {
      const described = { ...resolve(field), ...field }
      return [{ operation, place: `${place}.${name}`, name, schema: described }, ...within(field, `${place}.${name}`)]
    }),
    ...(items ? within(items, `${place}[]`) : []),
    ...(typeof additionalProperties === 'object' ? within(additionalProperties, `${place}{}`) : []),
    ...[...allOf, ...anyOf, ...oneOf].flatMap((part) => within(part, place)),
  ]
}

const schemasOf = (body: { $ref?: string; content?: Record<string, { schema?: Schema }> } = {}): Schema[] => {
  const { content = {} } = (body.$ref ? targetOf(body.$ref) : body) as typeof body
  return Object.values(content).flatMap(({ schema }) => (schema ? [schema] : []))
}

const fields: Field[] = Object.entries(document.paths as Record<string, Record<string, { requestBody?: object; responses: object }>>)
  .filter(([path]) => path.startsWith('/v1/'))
  .flatMap(([path, methods]) =>
    Object.entries(methods).flatMap(([method, { requestBody, responses }]) => {
      const operation = `${method.toUpperCase()} ${path}`
      return [
        ...schemasOf(requestBody).flatMap((schema) => fieldsOf(schema, operation, '>')),
        ...Object.values(responses).flatMap((response) => schemasOf(response).flatMap((schema) => fieldsOf(schema, operation, '<'))),
      ]
    }),
  )

/** The texts, or lists of texts, that are named or described as what gives access. */
const seemsSecret = ({ name, schema }: Field): boolean => {
  const { type, enum: values, const: only, items, anyOf = [], description = '' } = schema
  const kinds = [type, items && resolve(items).type, ...anyOf.map((one) => resolve(one).type)].flat()
  return (
    kinds.includes('string') &&
    values === undefined &&
    only === undefined &&
    (/(password|secret|token|assertion|codes?|codeUri|link|key)$/i.test(name) ||
      /this once|shown once|read again|shown only|only here|never shown/i.test(description))
  )
}

const ofFinding = 'names what was found'
/** What seems secret and is not, by its path. */
const harmless: Record<string, string> = {
  '<.code': 'names the refusal',
  '<.errors[].code': 'names the mistake',
  '<.checks[].code': ofFinding,
  '<.data[].checks[].code': ofFinding,
  '<.steps[].code': ofFinding,
  '<.steps[].checks[].code': ofFinding,
  '<.status.reason.code': ofFinding,
  '<.data[].status.reason.code': ofFinding,
}

const isMarked = ({ schema }: Field): boolean =>
  schema['x-secret'] === true || [...(schema.anyOf ?? []), ...(schema.oneOf ?? [])].some((one) => resolve(one)['x-secret'] === true)

/** A body with a text in each field, which is its path. */
function bodyOf(places: readonly string[]): unknown {
  const body: Record<string, unknown> = {}
  for (const place of places) {
    const path = place.slice(2).split('.')
    let within = body
    for (const [index, step] of path.entries()) {
      const name = step.replaceAll(/\[\]|\{\}/g, '')
      const next = index === path.length - 1 ? place : (unwrapped(within[name]) ?? {})
      within[name] = step.endsWith('[]') ? [next] : step.endsWith('{}') ? { any: next } : next
      within = next as Record<string, unknown>
    }
  }
  return body
}

const unwrapped = (value: unknown): unknown =>
  Array.isArray(value) ? value[0] : value && typeof value === 'object' && 'any' in value ? value.any : value

describe('what the console stores of a call', () => {
  it('has no secret: each field that is one is marked in the API description', () => {
    const unmarked = fields.filter((field) => seemsSecret(field) && !isMarked(field))
    const left = unmarked.filter(({ place }) => !(place in harmless))
    expect([...new Set(left.map(({ operation, place }) => `${operation} ${place}`))]).toEqual([])
    const places = new Set(unmarked.map(({ place }) => place))
    expect(Object.keys(harmless).filter((place) => !places.has(place))).toEqual([])
  })

  it('has a mask in place of each marked field of every operation, and all else as it was', () => {
    const marked = fields.filter(isMarked)
    expect(marked.length).toBeGreaterThan(50)
    for (const { operation, place, name } of marked) {
      const { sent, received } = secrets[operation] ?? {}
      const names = place.startsWith('>') ? sent : received
      const body = bodyOf([place, `${place.slice(0, 2)}untouched`])
      const stored = JSON.stringify(masked(body, names))
      expect({ operation, place, stored }).toMatchObject({ stored: expect.not.stringContaining(JSON.stringify(place)) })
      expect(stored).toContain('untouched')
      expect(names).toContain(name)
    }
  })

  it('has a mask in place of the private half of a key, should one be sent', () => {
    const key = { kty: 'RSA', n: 'modulus', e: 'AQAB', kid: 'signing' }
    const whole = { ...key, d: 'a', p: 'b', q: 'c', dp: 'd', dq: 'e', qi: 'f', oth: [{ r: 'g' }] }
    const hidden = Object.fromEntries(['d', 'p', 'q', 'dp', 'dq', 'qi', 'oth'].map((member) => [member, '••••••']))
    expect(masked({ d: 'untouched', jwks: { keys: [whole] } })).toEqual({ d: 'untouched', jwks: { keys: [{ ...key, ...hidden }] } })
    expect(masked({ kty: 'oct', k: 'shared' }, ['password'])).toEqual({ kty: 'oct', k: '••••••' })
  })

  it('is a read as it came, since none has a secret, but for the one that the recorder never sees', () => {
    expect(Object.keys(secrets).filter((operation) => operation.startsWith('GET '))).toEqual(['GET /v1/auth/csrf'])
    expect(readFileSync('console/src/api/csrf.ts', 'utf8')).toContain("fetch('/v1/auth/csrf')")
  })

  it('has what a request and a response call alike by what it is there', () => {
    expect(secrets['POST /v1/me/reauthenticate']?.sent).toContain('code')
    expect(secrets['POST /v1/me/reauthenticate']?.received ?? []).not.toContain('code')
    expect(masked({ code: '123456', password: '' }, ['code', 'password'])).toEqual({ code: '••••••', password: '' })
    expect(secrets['POST /v1/admin/setup-links']).toEqual({ received: ['url'] })
    expect(secrets['POST /v1/admin/assertion-checks']).toEqual({ sent: ['assertion'] })
    expect(secrets['POST /v1/admin/api-keys']).toEqual({ received: ['key'] })
  })
})
