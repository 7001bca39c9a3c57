/** Adapts the description of the API for the page at /docs. */

interface Schema {
  properties?: Record<string, Schema>
  required?: readonly string[]
  example?: unknown
  default?: unknown
}

interface Operation {
  operationId?: string
  tags?: readonly string[]
  parameters?: readonly { required?: boolean; example?: unknown; schema?: Schema; description?: string }[]
  requestBody?: { content?: Record<string, { schema?: Schema; example?: unknown }> }
}

export interface OpenApiDocument {
  paths: Record<string, Record<string, Operation>>
  components?: { schemas?: Record<string, Record<string, unknown>> }
}

/** Every tag of the operations, in the order of the headings and within each by name. */
export function orderedTags(
  { paths }: OpenApiDocument,
  headings: readonly string[],
  descriptions: Readonly<Record<string, string>>,
): { name: string; description?: string }[] {
  const operations = Object.values(paths).flatMap((path) => Object.values(path))
  const names = [...new Set(operations.flatMap(({ tags = [] }) => tags))]
  const place = (name: string) => headings.findIndex((heading) => name.startsWith(heading))
  return names
    .sort((left, right) => place(left) - place(right) || (left < right ? -1 : 1))
    .map((name) => ({ name, ...(descriptions[name] !== undefined && { description: descriptions[name] }) }))
}

/**
 * Removes examples and defaults, which the page fills into its forms and sends: a reader would ask for less than they think, or change
 * values by accident. Optional parameters start empty, and bodies contain only required fields.
 */
export function withoutPrefilledFields(document: OpenApiDocument): OpenApiDocument {
  const paths = mapValues(document.paths, (path) => mapValues(path, (operation) => emptied(operation)))
  return { ...document, paths }
}

function emptied(operation: Operation): Operation {
  const { parameters, requestBody } = operation
  return {
    ...operation,
    ...(parameters && { parameters: parameters.map((parameter) => (parameter.required ? parameter : withoutExample(parameter))) }),
    ...(requestBody?.content && {
      requestBody: {
        ...requestBody,
        content: mapValues(requestBody.content, (content) => ({ ...content, example: requiredFieldsOf(content.schema ?? {}) })),
      },
    }),
  }
}

function withoutExample<P extends { example?: unknown; schema?: Schema; description?: string }>({ example, schema, ...parameter }: P) {
  const { example: ofSchema, default: fallback, ...rest } = schema ?? {}
  const shown = example ?? ofSchema
  const hints = [
    ...(shown === undefined ? [] : [`Example: \`${JSON.stringify(shown)}\``]),
    ...(fallback === undefined ? [] : [`Without it: \`${JSON.stringify(fallback)}\``]),
  ]
  const description = [parameter.description, ...hints].filter((text) => text !== undefined).join('. ')
  return { ...parameter, schema: rest, ...(description && { description }) }
}

function requiredFieldsOf({ properties = {}, required = [] }: Schema): Record<string, unknown> {
  return Object.fromEntries(required.map((name) => [name, properties[name]?.example ?? '']))
}

const mapValues = <T, R>(values: Record<string, T>, change: (value: T) => R): Record<string, R> =>
  Object.fromEntries(Object.entries(values).map(([key, value]) => [key, change(value)]))
