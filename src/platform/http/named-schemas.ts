import type { OpenApiDocument } from './documentation-page.ts'

type JsonSchema = Record<string, unknown>

/**
 * Moves each schema that has a name (`.meta({ component: 'User' })`) to the components of the document, so that programs get a type of
 * that name, and replaces it with a reference. The annotations of a place remain next to the reference.
 *
 * @throws Error when two different schemas have the same name
 */
export function withNamedSchemas(document: OpenApiDocument): OpenApiDocument {
  const schemas: Record<string, JsonSchema> = {}

  const move = <T>(node: T): T => {
    if (Array.isArray(node)) return node.map(move) as T
    if (node === null || typeof node !== 'object') return node
    const moved = Object.fromEntries(Object.entries(node).map(([key, value]) => [key, move(value)]))
    return (typeof moved.component === 'string' ? referTo(moved.component, moved) : moved) as T
  }

  const referTo = (name: string, { component, description, example, ...schema }: JsonSchema): JsonSchema => {
    schemas[name] ??= schema
    if (JSON.stringify(schemas[name]) !== JSON.stringify(schema)) throw new Error(`Two schemas are called ${name}`)
    const own = { ...(description !== undefined && { description }), ...(example !== undefined && { example }) }
    return { $ref: `#/components/schemas/${name}`, ...own }
  }

  const { components, ...moved } = move(document)
  const sorted = Object.entries({ ...components?.schemas, ...schemas }).sort(([one], [other]) => (one < other ? -1 : 1))
  return { ...moved, components: { ...components, schemas: Object.fromEntries(sorted) } }
}

declare module 'zod' {
  interface GlobalMeta {
    /** The name of the schema in the description of the API. */
    component?: string | undefined
  }
}
