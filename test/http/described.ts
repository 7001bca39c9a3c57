import { withoutReferences } from '../../src/isolation/routes.ts'
import type { HttpClient } from '../support/http-client.ts'

export interface Schema {
  $ref?: string
  type?: string | string[]
  properties?: Record<string, Schema>
  required?: string[]
  items?: Schema
  enum?: unknown[]
  anyOf?: Schema[]
  oneOf?: Schema[]
  allOf?: Schema[]
  additionalProperties?: Schema | boolean
  format?: string
  description?: string
  example?: unknown
  default?: unknown
  minimum?: number
  maximum?: number
  minLength?: number
  maxLength?: number
  const?: unknown
}

export interface Content {
  content?: Record<string, { schema: Schema }>
  headers?: Record<string, { description?: string }>
}

export interface Operation {
  'x-permission'?: string
  /** All of them, where there are several. */
  'x-permissions'?: string[]
  summary?: string
  description?: string
  security?: Record<string, string[]>[]
  parameters?: {
    name: string
    in: 'path' | 'query' | 'header'
    required?: boolean
    description?: string
    example?: unknown
    schema: Schema
  }[]
  requestBody?: Content
  responses: Record<string, Content & { description: string }>
}

/** A route as `/openapi.json` describes it. */
export interface DescribedRoute {
  /** Such as `POST /v1/admin/users/{id}/roles`. */
  name: string
  method: string
  path: string
  operation: Operation
}

export async function describedRoutes(client: HttpClient): Promise<DescribedRoute[]> {
  const { body } = await client.get('/openapi.json')
  const schemas = body.components.schemas as Record<string, Schema>
  const paths = withoutReferences(body.paths, schemas) as Record<string, Record<string, Operation>>
  return Object.entries(paths).flatMap(([path, operations]) =>
    Object.entries(operations).map(([method, operation]) => ({
      name: `${method.toUpperCase()} ${path}`,
      method: method.toUpperCase(),
      path,
      operation,
    })),
  )
}

/** The schema of a JSON body or response; undefined when there is none. */
export function jsonSchemaOf(described: Content | undefined): Schema | undefined {
  return described?.content?.['application/json']?.schema
}

/** The field names that an object of this schema may have, in any of its alternatives. */
export function fieldsOf(schema: Schema | undefined): string[] {
  const alternatives = [...(schema?.anyOf ?? []), ...(schema?.oneOf ?? []), ...(schema?.allOf ?? [])]
  return [...new Set([...Object.keys(schema?.properties ?? {}), ...alternatives.flatMap(fieldsOf)])]
}
