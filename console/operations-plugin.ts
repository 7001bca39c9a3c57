import { readFileSync } from 'node:fs'
import type { Plugin } from 'vite'

interface Schema {
  $ref?: string
  allOf?: Schema[]
  anyOf?: Schema[]
  oneOf?: Schema[]
  additionalProperties?: Schema | boolean
  'x-secret'?: true
  properties?: Record<string, Schema>
  required?: string[]
  items?: Schema
  type?: string | string[]
  minLength?: number
  maxLength?: number
  minimum?: number
  maximum?: number
  maxItems?: number
}

interface Operation {
  'x-permission'?: string
  /** All of them, where an operation demands several. */
  'x-permissions'?: string[]
  requestBody?: Body
  parameters?: Parameter[]
  responses?: Record<string, Body | { $ref: string }>
}

interface Parameter {
  $ref?: string
  name?: string
  in?: string
  schema?: Schema
}

/** What the value of a parameter of a query is, unless it is a text. */
export type QueryValue = 'number' | 'boolean' | 'list'

interface Body {
  content?: Record<string, { schema?: Schema }>
}

/** The names of the fields of an operation that are secret, in the body of the request and in that of the response. */
export interface SecretFields {
  sent?: string[]
  received?: string[]
}

export interface Document {
  paths: Record<string, Record<string, Operation>>
  components: { schemas: Record<string, Schema>; parameters?: Record<string, Parameter>; responses?: Record<string, Body> }
}

const file = new URL('../docs/openapi.json', import.meta.url)

/** The modules, by what each exports. */
const exported = {
  'virtual:operations': (document: Document) => ({ operations: tableOf(document) }),
  'virtual:queries': (document: Document) => ({ queries: queriesOf(document) }),
  'virtual:secrets': (document: Document) => ({ secrets: secretsOf(document) }),
}

/**
 * The module `virtual:operations`: for each operation of the API its permissions and the limits of its fields, from
 * `docs/openapi.json`. What the console offers and checks cannot differ from what the API does. The module `virtual:secrets`: for
 * each operation that has some, its secret fields. The module `virtual:queries`: for each operation that has some, the parameters of its
 * query that are no texts.
 */
export function operations(): Plugin {
  return {
    name: 'operations',
    resolveId: (id) => (Object.hasOwn(exported, id) ? `\0${id}` : undefined),
    load(id) {
      const made = Object.entries(exported).find(([name]) => id === `\0${name}`)?.[1]
      if (!made) return undefined
      this.addWatchFile(file.pathname)
      const values = Object.entries(made(JSON.parse(readFileSync(file, 'utf8'))))
      return values.map(([name, value]) => `export const ${name} = ${JSON.stringify(value)}`).join('\n')
    },
  }
}

const schemaIn =
  ({ schemas }: Document['components']) =>
  (schema: Schema | undefined): Schema => {
    let resolved = schema
    while (resolved?.$ref) resolved = schemas[resolved.$ref.split('/').at(-1) as string]
    return resolved ?? {}
  }

function tableOf({ paths, components }: Document) {
  const resolve = schemaIn(components)
  return Object.fromEntries(
    Object.entries(paths).flatMap(([path, methods]) =>
      Object.entries(methods)
        .filter(() => /^\/v1\/(admin|me|auth\/(csrf|logout)|service)\b/.test(path))
        .map(([method, operation]) => {
          const body = resolve(operation.requestBody?.content?.['application/json']?.schema)
          return [`${method.toUpperCase()} ${path}`, { permissions: permissionsOf(operation), fields: fieldsOf(body, resolve) }]
        }),
    ),
  )
}

export function queriesOf({ paths, components }: Document): Record<string, Record<string, QueryValue>> {
  const kinds: Partial<Record<string, QueryValue>> = { integer: 'number', number: 'number', boolean: 'boolean', array: 'list' }
  const resolve = ({ $ref, ...parameter }: Parameter): Parameter =>
    ($ref && components.parameters?.[$ref.split('/').at(-1) as string]) || parameter
  return Object.fromEntries(
    Object.entries(paths).flatMap(([path, methods]) =>
      Object.entries(methods).flatMap(([method, { parameters = [] }]) => {
        const known = parameters.map(resolve).flatMap(({ name, in: place, schema }) => {
          const kind = kinds[String(schemaIn(components)(schema).type)]
          return place === 'query' && name && kind ? [[name, kind] as const] : []
        })
        return known.length > 0 ? [[`${method.toUpperCase()} ${path}`, Object.fromEntries(known)]] : []
      }),
    ),
  )
}

/** The secret fields of each operation under `/v1` that has some, as the API description marks them by `x-secret`. */
export function secretsOf({ paths, components }: Document): Record<string, SecretFields> {
  const resolve = schemaIn(components)
  const secretsIn = (schema: Schema | undefined, above: readonly Schema[] = []): string[] => {
    const { properties = {}, items, additionalProperties, allOf = [], anyOf = [], oneOf = [] } = resolve(schema)
    if (above.includes(resolve(schema))) return []
    const within = (part: Schema | undefined) => secretsIn(part, [...above, resolve(schema)])
    const parts = [items, typeof additionalProperties === 'object' ? additionalProperties : undefined, ...allOf, ...anyOf, ...oneOf]
    return [
      ...Object.entries(properties).flatMap(([name, field]) => (isSecret(field) ? [name] : within(field))),
      ...parts.flatMap((part) => (part ? within(part) : [])),
    ]
  }
  const isSecret = (field: Schema): boolean =>
    field['x-secret'] === true || resolve(field)['x-secret'] === true || [...(field.anyOf ?? []), ...(field.oneOf ?? [])].some(isSecret)
  const secretsOfBodies = (bodies: readonly (Body | undefined)[]) => {
    const names = bodies.flatMap((body) => Object.values(body?.content ?? {}).flatMap(({ schema }) => secretsIn(schema)))
    return names.length > 0 ? [...new Set(names)].sort() : undefined
  }
  const bodyOf = (response: Body | { $ref: string }): Body | undefined =>
    '$ref' in response ? components.responses?.[response.$ref.split('/').at(-1) as string] : response
  return Object.fromEntries(
    Object.entries(paths).flatMap(([path, methods]) =>
      Object.entries(methods).flatMap(([method, { requestBody, responses = {} }]) => {
        const sent = secretsOfBodies([requestBody])
        const received = secretsOfBodies(Object.values(responses).map(bodyOf))
        if (!path.startsWith('/v1/') || !(sent || received)) return []
        return [[`${method.toUpperCase()} ${path}`, { ...(sent && { sent }), ...(received && { received }) }]]
      }),
    ),
  )
}

function permissionsOf({ 'x-permission': permission, 'x-permissions': permissions }: Operation): string[] | undefined {
  return permissions ?? (permission === undefined ? undefined : [permission])
}

function fieldsOf({ properties = {}, required = [] }: Schema, resolve: (schema: Schema) => Schema) {
  const fields = Object.entries(properties).map(([field, schema]) => {
    const { minLength, maxLength, maximum, maxItems, ...rest } = resolve(schema)
    const minimum = rest.minimum === Number.MIN_SAFE_INTEGER ? undefined : rest.minimum
    const limits = {
      required: required.includes(field) || undefined,
      minLength,
      maxLength,
      minimum,
      maximum: maximum === Number.MAX_SAFE_INTEGER ? undefined : maximum,
      maxItems,
    }
    return [field, limits] as const
  })
  const limited = fields.filter(([, limits]) => Object.values(limits).some((limit) => limit !== undefined))
  return limited.length > 0 ? Object.fromEntries(limited) : undefined
}
