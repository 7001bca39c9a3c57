/** The routes of the API from its description, and values that they accept. */

/** A part of a JSON schema from which a sample can be generated. */
export interface Schema {
  type?: string | string[]
  const?: unknown
  enum?: unknown[]
  example?: unknown
  format?: string
  anyOf?: Schema[]
  items?: Schema
  properties?: Record<string, Schema>
  required?: string[]
}

interface Parameter {
  name: string
  in: 'path' | 'query' | 'header'
  required?: boolean
  schema?: Schema
}

/** One operation of `/openapi.json`. */
export interface Route {
  method: string
  path: string
  permission: string | undefined
  permissions: string[]
  parameters: readonly Parameter[]
  /** The ways for a caller to authenticate, by the names of the security schemes; empty for a public route. */
  security: readonly string[]
  bodySchema: Schema | undefined
  creates: boolean
  takesForm: boolean
}

interface Operation {
  parameters?: Parameter[]
  security?: Record<string, unknown>[]
  requestBody?: { content?: Record<string, { schema: Schema }> }
  responses?: Record<string, object>
  'x-permission'?: string
  'x-permissions'?: string[]
}

export interface ApiDescription {
  paths: Record<string, Record<string, object>>
  components: { schemas: object }
}

export function routesOf(description: ApiDescription): Route[] {
  const paths = withoutReferences(description.paths, description.components.schemas) as Record<string, Record<string, Operation>>
  return Object.entries(paths).flatMap(([path, operations]) =>
    Object.entries(operations).map(([method, operation]): Route => {
      const { content = {} } = operation.requestBody ?? {}
      const form = content['application/x-www-form-urlencoded']?.schema
      return {
        method: method.toUpperCase(),
        path,
        permission: operation['x-permission'],
        permissions: operation['x-permissions'] ?? [operation['x-permission'] ?? []].flat(),
        parameters: operation.parameters ?? [],
        security: (operation.security ?? []).flatMap((scheme) => Object.keys(scheme)),
        bodySchema: content['application/json']?.schema ?? form,
        creates: '201' in (operation.responses ?? {}),
        takesForm: form !== undefined,
      }
    }),
  )
}

/** Replaces each reference by its schema. */
export function withoutReferences(node: unknown, schemas: object): unknown {
  if (Array.isArray(node)) return node.map((item) => withoutReferences(item, schemas))
  if (node === null || typeof node !== 'object') return node
  const { $ref, ...own } = node as { $ref?: string }
  const named = typeof $ref === 'string' ? (schemas as Record<string, object>)[$ref.slice($ref.lastIndexOf('/') + 1)] : undefined
  return Object.fromEntries(Object.entries({ ...named, ...own }).map(([key, value]) => [key, withoutReferences(value, schemas)]))
}

const samplesOfText: Record<string, string> = { email: 'sample@example.test', 'date-time': '2026-01-31T09:30:00.000Z' }

/** A minimal value that a schema accepts. Fields that are named in `references` get their value from there. */
export function sampleOf(schema: Schema, references: Record<string, unknown>, field = ''): unknown {
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
