/** What commands for records need of the API's description: `src/cli/records/operations.json`. */
import type { RecordCommand, RecordKind } from '../../src/cli/records/kind.ts'
import { kinds } from '../../src/cli/records/kinds.ts'
import type { Field, Operation } from '../../src/cli/records/operation.ts'

interface Schema {
  $ref?: string | undefined
  type?: string
  description?: string
  enum?: readonly string[]
  items?: Schema
  anyOf?: readonly Schema[]
  properties?: Readonly<Record<string, Schema>>
  required?: readonly string[]
}

interface Described {
  operationId: string
  parameters?: readonly { in: string; name: string; required?: boolean; description?: string; schema: Schema }[]
  requestBody?: { content: Readonly<Record<string, { schema: Schema }>> }
}

export interface ApiDescription {
  paths: Readonly<Record<string, Readonly<Record<string, Described>>>>
  components: { schemas: Readonly<Record<string, Schema>> }
}

/** Never an argument: other users of the machine can read those. */
const secrets = ['password', 'secret']

/** The operations of all kinds, by their ids. */
export function operationsOfCommands({ paths, components }: ApiDescription): Record<string, Operation> {
  const wanted = new Set<string>(Object.values(kinds).flatMap((kind) => [...idsOf(kind), ...kind.commands.flatMap(idsOfCommand)]))
  const resolved = (schema: Schema): Schema =>
    schema.$ref ? { ...components.schemas[schema.$ref.split('/').at(-1) ?? ''], ...schema, $ref: undefined } : schema

  function fieldOf(name: string, given: Schema, isRequired: boolean): Field {
    const schema = resolved(given)
    const variants = (schema.anyOf ?? [schema]).map(resolved)
    const types = variants.flatMap(({ type }) => type ?? [])
    const [variant = schema] = variants.filter(({ type }) => type !== 'null')
    const isOneOf = variants.filter(({ type }) => type !== 'null').length === 1
    const values = variant.enum ?? (variant.items && resolved(variant.items).enum)
    return {
      name,
      type: secrets.includes(name) || !isOneOf ? 'document' : typeOf(variant),
      description: schema.description ?? variant.description ?? '',
      ...(isRequired && { isRequired }),
      ...(types.includes('null') && { isNullable: true }),
      ...(values && { values }),
    }
  }

  const described = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ path, method: method.toUpperCase() as Operation['method'], operation })),
  )
  return Object.fromEntries(
    described
      .filter(({ operation }) => wanted.has(operation.operationId))
      .map(({ path, method, operation: { operationId, parameters = [], requestBody } }) => {
        const { properties = {}, required = [] } = resolved(requestBody?.content['application/json']?.schema ?? {})
        const query = parameters
          .filter((one) => one.in === 'query')
          .map((one) => fieldOf(one.name, { description: one.description ?? '', ...one.schema }, one.required ?? false))
        const body = Object.entries(properties).map(([name, schema]) => fieldOf(name, schema, required.includes(name)))
        return [operationId, { method, path, query, body }] as const
      })
      .sort(([left], [right]) => left.localeCompare(right)),
  )
}

function typeOf({ type, items }: Schema): Field['type'] {
  if (type === 'array') return items?.type === 'string' ? 'texts' : 'document'
  return ({ string: 'text', integer: 'number', number: 'number', boolean: 'boolean' } as const)[type ?? ''] ?? 'document'
}

const idsOf = ({ list, get }: RecordKind) => [list, ...(get ? [get] : [])]
const idsOfCommand = (one: RecordCommand) => [
  ...(one.does === 'show' ? [] : [one.operation]),
  ...(one.does === 'list' && one.remotely ? [one.remotely] : []),
  ...(one.does === 'change' && one.confirms?.impact ? [one.confirms.impact.operation] : []),
]
