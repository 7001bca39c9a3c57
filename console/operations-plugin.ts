import { readFileSync } from 'node:fs'
import type { Plugin } from 'vite'

interface Schema {
  $ref?: string
  allOf?: Schema[]
  properties?: Record<string, Schema>
  required?: string[]
  items?: Schema
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
  requestBody?: { content: Record<string, { schema: Schema }> }
}

interface Document {
  paths: Record<string, Record<string, Operation>>
  components: { schemas: Record<string, Schema> }
}

const file = new URL('../docs/openapi.json', import.meta.url)
const name = 'virtual:operations'

/**
 * The module `virtual:operations`: for each operation of the API its permissions and the limits of its fields, from
 * `docs/openapi.json`. What the console offers and checks cannot differ from what the API does.
 */
export function operations(): Plugin {
  return {
    name: 'operations',
    resolveId: (id) => (id === name ? `\0${name}` : undefined),
    load(id) {
      if (id !== `\0${name}`) return undefined
      this.addWatchFile(file.pathname)
      return `export const operations = ${JSON.stringify(tableOf(JSON.parse(readFileSync(file, 'utf8'))))}`
    },
  }
}

function tableOf({ paths, components }: Document) {
  const resolve = (schema: Schema | undefined): Schema =>
    schema?.$ref ? resolve(components.schemas[schema.$ref.split('/').at(-1) as string]) : (schema ?? {})
  return Object.fromEntries(
    Object.entries(paths).flatMap(([path, methods]) =>
      Object.entries(methods)
        .filter(() => /^\/v1\/(admin|me|auth\/(csrf|logout)|service)\b/.test(path))
        .map(([method, operation]) => {
          const body = resolve(operation.requestBody?.content['application/json']?.schema)
          return [`${method.toUpperCase()} ${path}`, { permissions: permissionsOf(operation), fields: fieldsOf(body, resolve) }]
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
