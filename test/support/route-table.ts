import type { HttpClient } from './http-client.ts'

/** A part of a JSON schema from which a sample can be generated. */
interface Schema {
  type?: string
  const?: unknown
  enum?: unknown[]
  example?: unknown
  format?: string
  anyOf?: Schema[]
  properties?: Record<string, Schema>
  required?: string[]
}

/** One operation of `/openapi.json`. */
export interface Route {
  method: string
  path: string
  /** The permission that the caller needs. */
  permission: string | undefined
  /** All permissions that the caller needs. */
  permissions: string[]
  bodySchema: Schema | undefined
}

/** Every operation that the service describes below a path. */
export async function routesBelow(anonymous: HttpClient, prefix: string): Promise<Route[]> {
  const { body } = await anonymous.get('/openapi.json')
  const paths = withoutReferences(body.paths, body.components.schemas) as Record<string, Record<string, Record<string, never>>>
  const routes: Route[] = []
  for (const [path, operations] of Object.entries(paths)) {
    if (!path.startsWith(prefix)) continue
    for (const [method, operation] of Object.entries(operations)) {
      const { content = {} } = operation.requestBody ?? ({} as { content?: Record<string, { schema: Schema }> })
      routes.push({
        method: method.toUpperCase(),
        path,
        permission: operation['x-permission'],
        permissions: operation['x-permissions'] ?? [operation['x-permission'] ?? []].flat(),
        bodySchema: (content as Record<string, { schema: Schema }>)['application/json']?.schema,
      })
    }
  }
  return routes
}

/** The same with each reference replaced by its schema. */
export function withoutReferences(node: unknown, schemas: object): unknown {
  if (Array.isArray(node)) return node.map((item) => withoutReferences(item, schemas))
  if (node === null || typeof node !== 'object') return node
  const { $ref, ...own } = node as { $ref?: string }
  const named = typeof $ref === 'string' ? (schemas as Record<string, object>)[$ref.slice($ref.lastIndexOf('/') + 1)] : undefined
  return Object.fromEntries(Object.entries({ ...named, ...own }).map(([key, value]) => [key, withoutReferences(value, schemas)]))
}

const samplesOfText: Record<string, string> = { email: 'sample@example.test', 'date-time': '2026-01-31T09:30:00.000Z' }

/** A minimal value that a schema accepts. Fields that refer to a record get their value from `references`. */
export function sampleOf(schema: Schema, references: Record<string, string>, field = ''): unknown {
  const reference = references[field]
  if (reference !== undefined) return reference
  if (schema.example !== undefined) return schema.example
  if (schema.const !== undefined) return schema.const
  if (schema.enum) return schema.enum[0]
  if (schema.anyOf) return sampleOf(schema.anyOf[0] ?? {}, references, field)
  if (schema.type === 'array') return []
  if (schema.type === 'boolean') return true
  if (schema.type === 'integer' || schema.type === 'number') return 1
  if (schema.type !== 'object') return samplesOfText[schema.format ?? ''] ?? 'sample'
  const { properties = {}, required = [] } = schema
  return Object.fromEntries(required.map((name) => [name, sampleOf(properties[name] ?? {}, references, name)]))
}
