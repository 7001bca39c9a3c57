import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ways } from '../../packages/client/src/operations.ts'
import { type EventDescription, events, testEvent } from '../../src/activity/events.ts'

const run = promisify(execFile)

interface Schema {
  $ref?: string
  type?: string | string[]
  example?: unknown
  enum?: unknown[]
  const?: unknown
  properties?: Record<string, Schema>
  required?: string[]
  items?: Schema
  anyOf?: Schema[]
  oneOf?: Schema[]
  allOf?: Schema[]
}

interface Content {
  content?: Record<string, { schema: Schema }>
}

interface Operation {
  operationId: string
  parameters?: { name: string; in: string; required?: boolean; schema: Schema }[]
  requestBody?: Content
  responses: Record<string, Content>
}

let folder: string
let description: { paths: Record<string, Record<string, Operation>>; components: { schemas: Record<string, Schema> } }
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'gatehouse-types-'))
  description = JSON.parse(await readFile('docs/openapi.json', 'utf8'))
})
afterAll(() => rm(folder, { recursive: true, force: true }))

const resolved = (schema: Schema): Schema =>
  schema.$ref ? resolved(description.components.schemas[schema.$ref.replace('#/components/schemas/', '')] as Schema) : schema

/** The examples that the description gives: of an object, all fields with theirs, and the required ones alone. */
function examplesOf(schema: Schema): unknown[] {
  const { properties, required = [], const: only, anyOf, oneOf, items, example, ...rest } = resolved(schema)
  if (properties) {
    const entries = Object.entries(properties)
    const all = entries.map(([name, property]) => [name, examplesOf(property)[0]])
    const least = entries.filter(([name]) => required.includes(name)).map(([name, property]) => [name, examplesOf(property).at(-1)])
    return [Object.fromEntries(all), Object.fromEntries(least)]
  }
  if (only !== undefined) return [only]
  const alternatives = anyOf ?? oneOf
  if (alternatives) return alternatives.flatMap(examplesOf)
  const types = [rest.type ?? []].flat()
  const nothing = types.includes('null') ? [null] : []
  if (rest.enum) return rest.enum
  if (example !== undefined) return [example, ...nothing]
  if (items) return [examplesOf(items), [], ...nothing]
  if (types.includes('object')) return [{}, ...nothing]
  if (types.includes('boolean')) return [true, ...nothing]
  if (types.includes('integer') || types.includes('number')) return [1, ...nothing]
  return types.includes('string') ? ['text', ...nothing] : nothing
}

const operations = () =>
  Object.entries(description.paths).flatMap(([path, methods]) => (path.startsWith('/v1/') ? Object.values(methods) : []))

/** A line of TypeScript for each example, which does not compile unless it has the type. */
function* assignments(): Generator<string> {
  const typed = function* (type: string, schema: Schema) {
    for (const example of examplesOf(schema)) yield `  (): ${type} => (${JSON.stringify(example)}),`
  }
  for (const { operationId, parameters = [], requestBody, responses } of operations()) {
    const body = requestBody?.content?.['application/json']?.schema
    if (body) yield* typed(`BodyOf<'${operationId}'>`, body)
    for (const [status, { content }] of Object.entries(responses)) {
      const answer = content?.['application/json']?.schema
      if (answer && status.startsWith('2')) yield* typed(`AnswerOf<'${operationId}'>`, answer)
    }
    const query = parameters.filter((parameter) => parameter.in === 'query')
    const named = Object.fromEntries(query.map(({ name, schema }) => [name === 'q' ? 'search' : name, schema]))
    const required = query.flatMap(({ name, required }) => (required ? [name === 'q' ? 'search' : name] : []))
    if (query.length > 0) yield* typed(`QueryOf<'${operationId}'>`, { properties: named, required })
  }
  for (const [name, { properties = {} }] of Object.entries(description.components.schemas)) {
    for (const [field, schema] of Object.entries(properties)) yield* typed(`Schemas['${name}']['${field}']`, schema)
  }
  for (const [name, { data, otherForms = [] }] of Object.entries<EventDescription>({ ...events, 'webhook.test': testEvent })) {
    for (const form of [data, ...otherForms]) yield `  (): EventData['${name}'] => (${JSON.stringify(form)}),`
  }
}

describe('the types of the client', () => {
  it('accept every example of the description of the API, and of the events, and nothing that is none', async () => {
    const examples = [...assignments()]
    expect(examples.length).toBeGreaterThan(1_000)
    const wrong = [
      `(): BodyOf<'createUser'> => ({ email: 1 })`,
      `(): BodyOf<'createUser'> => ({})`,
      `(): AnswerOf<'getUser'> => ({ id: 'usr_1' })`,
      `(): QueryOf<'listUsers'> => ({ status: 'awake' })`,
      `(): QueryOf<'listUsers'> => ({ colour: 'blue' })`,
      `(): EventData['user.created'] => ({ role: {} })`,
      `(client: Client) => client.users.get()`,
      `(client: Client) => client.users.list({ search: 1 })`,
      `(client: Client) => client.GET('/v1/admin/nothing')`,
      `(client: Client) => client.users.delete('usr_1', undefined, { idempotencyKey: 'import-17' })`,
      `(client: Client) => client.users.get('usr_1', { idempotencyKey: 'import-17' })`,
      `(client: Client) => client.auth.identify({ email: 'anna@acme.test' }, { idempotencyKey: 'import-17' })`,
      `(event: WebhookEvent) => event.type === 'role.created' && event.data.user`,
      `(event: WebhookEvent) => event.type === 'oauth2.token.issued' && event.data.user.email`,
      `(event: WebhookEvent): string | false => event.type === 'oauth2.token.revoked' && event.data.token.familyId`,
    ].map((line) => `  // @ts-expect-error\n  ${line},`)
    const from = JSON.stringify(resolve('packages/client/src/index.ts'))
    const imported = `import type { AnswerOf, BodyOf, Client, components, EventData, QueryOf, WebhookEvent } from ${from}\ntype Schemas = components['schemas']\n`
    await writeFile(
      join(folder, 'examples.ts'),
      `${imported}export const examples = [\n${[...examples, ...wrong].join('\n')}\n] as const\n`,
    )
    const compilerOptions = {
      ...{ strict: true, exactOptionalPropertyTypes: true, noEmit: true, module: 'nodenext', target: 'es2023', types: [] },
      ...{ allowImportingTsExtensions: true, erasableSyntaxOnly: true },
    }
    await writeFile(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, include: ['examples.ts'] }))
    const { stdout } = await run(resolve('node_modules/.bin/tsc'), ['-p', folder], { timeout: 120_000 }).catch((error) => error)
    expect(stdout).toBe('')
  })

  it('name every operation below /v1 once', () => {
    const named = Object.values(ways).flatMap((group) => Object.values<string>(group))
    expect(new Set(named).size).toBe(named.length)
    expect(named).toHaveLength(operations().length)
  })
})
