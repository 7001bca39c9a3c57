/**
 * The sources of `@gatehouse-iam/client` that follow from the description of the API, the refusals and the events. `npm run generate` writes
 * them, and a test compares them.
 */
import { typesOf } from './openapi/types-of.js'

interface Described {
  operationId: string
  summary?: string
  description?: string
  tags?: string[]
  parameters?: { name: string; in: string; required?: boolean }[]
  requestBody?: { required?: boolean; content: Record<string, unknown> }
  responses: Record<string, { description: string; content?: Record<string, unknown> }>
}

export interface Description {
  paths: Record<string, Record<string, Described>>
  components: { schemas: Record<string, { properties?: Record<string, unknown> }> }
}

interface Operation extends Described {
  path: string
  method: string
}

const head = '// Made by `npm run generate`.\n'

/** What the client calls: the API. OAuth has libraries of its own, and probes are no business of an application. */
const isOfApi = (path: string) => path.startsWith('/v1/')

/** The types of requests and responses, by path, without what a program cannot use: headers of responses, patterns, each status of a refusal. */
export async function schemaSource(description: Description): Promise<string> {
  const refused = { description: 'Refused', content: { 'application/problem+json': { schema: { $ref: '#/components/schemas/Problem' } } } }
  const paths = Object.fromEntries(
    Object.entries(description.paths)
      .filter(([path]) => isOfApi(path))
      .map(([path, methods]) => [path, mapValues(methods, (operation) => withOneRefusal(operation, refused))]),
  )
  const types = await typesOf(withoutExamples({ ...description, paths }) as unknown as Parameters<typeof typesOf>[0])
  const unused = /^ +(?:get|put|post|delete|options|head|patch|trace)\?: never;\n/gm
  return head + types.replaceAll(unused, '').replaceAll(/^(?: {4})+/gm, (spaces) => spaces.slice(spaces.length / 2))
}

function withOneRefusal(operation: Described, refused: Described['responses'][string]): Described {
  const { parameters = [], responses } = operation
  const answers = Object.entries(responses).filter(([status]) => status.startsWith('2'))
  return {
    ...operation,
    // The client sets them.
    parameters: parameters.filter(({ name }) => !['X-Org-Domain', 'X-Client-Id'].includes(name)),
    responses: {
      ...Object.fromEntries(answers.map(([status, { description, content }]) => [status, { description, ...(content && { content }) }])),
      default: refused,
    },
  }
}

/** They would double the size of the types, and a test holds them against these. */
function withoutExamples(node: unknown, isProperties = false): unknown {
  if (Array.isArray(node)) return node.map((item) => withoutExamples(item))
  if (node === null || typeof node !== 'object') return node
  return Object.fromEntries(
    Object.entries(node)
      .filter(([key]) => isProperties || !['example', 'examples', 'pattern'].includes(key))
      .map(([key, value]) => [key, withoutExamples(value, key === 'properties' && !isProperties)]),
  )
}

/** The named operations: their types, and how each is sent. */
export function operationsSource({ paths }: Description): string {
  const groups: Record<string, Operation[]> = {}
  for (const [path, methods] of Object.entries(paths).filter(([path]) => isOfApi(path))) {
    for (const [method, described] of Object.entries(methods)) {
      const group = groupOf(described.tags?.[0] ?? '')
      groups[group] = [...(groups[group] ?? []), { ...described, path, method }]
    }
  }
  const named = Object.entries(groups).sort(([left], [right]) => (left < right ? -1 : 1))
  const declared = named.map(([group, operations]) => {
    const members = operations.map((operation) => `${docOf(operation)}    ${nameOf(operation, group)}${signatureOf(operation)}\n`)
    return `  ${group}: {\n${members.join('')}  }\n`
  })
  const sent = named.map(([group, operations]) => {
    const members = operations.map((operation) => `    ${nameOf(operation, group)}: '${wayOf(operation)}',\n`)
    return `  ${group}: {\n${members.join('')}  },\n`
  })
  return `${head}import type { AnswerOf, BodyOf, CallOptions, KeyedCallOptions, List, QueryOf } from './named-types.ts'

/** The operations of the API, by the kind of record that they are about. */
export interface NamedOperations {
${declared.join('')}}

/** How each is sent: method and path, then what the first argument after the ids is, or how the response is read. */
export const ways = {
${sent.join('')}} as const satisfies Record<keyof NamedOperations, Record<string, string>>
`
}

/** `Administration: api keys` → `apiKeys`. */
function groupOf(tag: string): string {
  const own: Record<string, string> = { 'Self-service': 'me', 'Sign-in': 'auth', Service: 'service' }
  return own[tag] ?? tag.replace(/^[^:]*: /, '').replaceAll(/ (.)/g, (_, letter: string) => letter.toUpperCase())
}

/** The records of a group, as operations call them, if that is not the name of the group. */
const recordsOf: Record<string, string> = { auditLogs: '(?:Audit(?:Entries|Entry)?)', me: '' }

/** `listUserSessions` of `users` → `listSessions`: the group says whose. */
function nameOf({ operationId }: Operation, group: string): string {
  const plural = group.charAt(0).toUpperCase() + group.slice(1)
  const records = recordsOf[group] ?? `(?:${plural}|${singularOf(plural)})`
  return operationId.replace(new RegExp(`^([a-z]+)(All)?(?:Own)?${records}(?=[A-Z]|$)`), '$1$2')
}

const singularOf = (plural: string) => plural.replace(/ies$/, 'y').replace(/s$/, '')

const docOf = ({ summary = '', description }: Operation) =>
  `    /**\n     * ${[summary, description]
    .filter(Boolean)
    .join('. ')
    .replaceAll(/\s*\n\s*/g, ' ')}\n     */\n`

const idsOf = ({ path }: Operation) => [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name as string)
const queryOf = ({ parameters = [] }: Operation) => parameters.filter((parameter) => parameter.in === 'query')
const takesKey = ({ parameters = [] }: Operation) => parameters.some(({ name }) => name === 'Idempotency-Key')
const isList = (operation: Operation) => queryOf(operation).some(({ name }) => name === 'cursor')
/** NDJSON or CSV, which is read as it comes. */
const isStream = ({ responses }: Operation) => 'text/csv' in (responses['200']?.content ?? {})

function signatureOf(operation: Operation): string {
  const { operationId, requestBody } = operation
  const query = queryOf(operation)
  const optional = requestBody ? !requestBody.required : !query.some(({ required }) => required)
  const type = requestBody ? 'BodyOf' : query.length > 0 ? 'QueryOf' : undefined
  const given = [
    ...idsOf(operation).map((id) => `${id}: string`),
    ...(type ? [`${type === 'BodyOf' ? 'body' : 'query'}${optional ? '?' : ''}: ${type}<'${operationId}'>`] : []),
    `options?: ${takesKey(operation) ? 'KeyedCallOptions' : 'CallOptions'}`,
  ]
  const answer = isList(operation)
    ? `List<AnswerOf<'${operationId}'>>`
    : isStream(operation)
      ? 'Promise<Response>'
      : `Promise<AnswerOf<'${operationId}'>>`
  return `(${given.join(', ')}): ${answer}`
}

function wayOf(operation: Operation): string {
  const { method, path, requestBody } = operation
  const kind = isList(operation)
    ? ' list'
    : isStream(operation)
      ? ' stream'
      : requestBody
        ? ' body'
        : queryOf(operation).length > 0
          ? ' query'
          : ''
  return `${method.toUpperCase()} ${path}${kind}`
}

/** The codes of all refusals, as a type. */
export const codesSource = (codes: readonly string[]): string =>
  `${head}/** The codes of \`docs/errors.md\`. One keeps its meaning; a later release of the service may have more. */
export type RefusalCode =
${codes.map((code) => `  | '${code}'\n`).join('')}`

type ExampleData = Readonly<Record<string, unknown>>

interface DescribedEvent {
  description: string
  data: ExampleData
  otherForms?: readonly ExampleData[]
}

/** What each event carries: the fields of a record that its examples have, with the types that the API gives them. */
export function eventsSource(events: Readonly<Record<string, DescribedEvent>>, { components }: Description): string {
  const typeOf = (object: string, examples: readonly unknown[]): string => {
    const component = object.charAt(0).toUpperCase() + object.slice(1)
    const properties = components.schemas[component]?.properties
    if (typeof examples[0] === 'string') return 'string'
    const { names: fields, isInAll } = keysOf(examples as object[])
    if (!properties) return `{ ${fields.map((field) => `${field}${isInAll(field) ? '' : '?'}: string`).join('; ')} }`
    const omitted = Object.keys(properties).filter((field) => !fields.includes(field))
    const [way, named] = omitted.length < fields.length ? ['Omit', omitted] : ['Pick', fields]
    if (named.length === 0) return `Schemas['${component}']`
    return `${way}<Schemas['${component}'], ${named.map((field) => `'${field}'`).join(' | ')}>`
  }
  const members = Object.entries(events).map(([name, { description, data, otherForms = [] }]) => {
    const forms = [data, ...otherForms]
    const { names, isInAll } = keysOf(forms)
    const objects = names.map((object) => {
      if (object === 'actor') return 'actor?: EventActor'
      const examples = forms.flatMap((form) => (object in form ? [form[object]] : []))
      return `${object}${isInAll(object) ? '' : '?'}: ${typeOf(object, examples)}`
    })
    return `  /** ${description}. */\n  '${name}': { ${objects.join('; ')} }\n`
  })
  return `${head}import type { components } from './schema.ts'

type Schemas = components['schemas']

/** The caller who caused an event: a user, an API key, a client or a directory. */
export interface EventActor {
  id: string
  type: string
  email?: string
}

/** What each event carries in \`data\`. */
export interface EventData {
${members.join('')}}
`
}

function keysOf(objects: readonly object[]) {
  const names = [...new Set(objects.flatMap((object) => Object.keys(object)))]
  return { names, isInAll: (name: string) => objects.every((object) => name in object) }
}

const mapValues = <Value, Mapped>(record: Record<string, Value>, map: (value: Value) => Mapped): Record<string, Mapped> =>
  Object.fromEntries(Object.entries(record).map(([key, value]) => [key, map(value)]))
