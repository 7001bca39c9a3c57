import { describe, expect, it } from 'vitest'
import { useService } from '../support/service.ts'
import { type Endpoint, endpoints, extensions } from './contract.ts'
import { describedRoutes, fieldsOf, jsonSchemaOf, type Operation, type Schema } from './described.ts'

const service = useService()

const described = async () => new Map((await describedRoutes(service().anonymous)).map((route) => [route.name, route.operation]))

/** What the description says of who may call, in the words of the contract. */
function accessOf({ security = [], description = '' }: Operation): string {
  if (security.some((scheme) => 'systemKey' in scheme)) return 'system'
  const permission = /Requires the permission `([\w:]+)`/.exec(description)?.[1]
  if (permission) return permission
  if (security.some((scheme) => 'apiKey' in scheme)) return 'signed in'
  return security.some((scheme) => 'session' in scheme) ? 'self' : 'public'
}

/** The fields without a meaning, and those without an example that neither fields nor items of theirs have. */
function unexplainedIn(schema: Schema | undefined): string[] {
  if (!schema) return []
  const inner = [schema.items, ...(schema.anyOf ?? []), ...(schema.oneOf ?? [])].flatMap(unexplainedIn)
  const own = Object.entries(schema.properties ?? {}).flatMap(([name, field]) => {
    const mistakes = unexplainedIn(field).map((mistake) => `${name}.${mistake}`)
    const isComposed = field.properties || field.items?.properties || field.anyOf || field.oneOf || field.additionalProperties
    if (!field.description) mistakes.push(name)
    else if (field.example === undefined && !isComposed) mistakes.push(`${name} (no example)`)
    return mistakes
  })
  return [...inner, ...own]
}

describe('/openapi.json', () => {
  it('describes every endpoint of the specification and the decisions', async () => {
    const routes = await described()

    expect(endpoints.map(({ name }) => name).filter((name) => !routes.has(name))).toEqual([])
  })

  it('describes no endpoint of /v1 that neither has, but for those listed as extensions', async () => {
    const known = new Set([...endpoints.map(({ name }) => name), ...Object.keys(extensions.routes)])

    expect([...(await described()).keys()].filter((name) => name.includes(' /v1/') && !known.has(name))).toEqual([])
  })

  it.each(endpoints.map((endpoint) => [endpoint.name, endpoint] as const))('agrees with them on %s', async (name, endpoint: Endpoint) => {
    const operation = (await described()).get(name)
    if (!operation) return expect.fail(`${name} is not described`)

    expect(accessOf(operation)).toBe(endpoint.access)
    expect(Object.keys(operation.responses).filter((status) => status < '300')).toEqual([String(endpoint.success)])
    const requestFields = fieldsOf(jsonSchemaOf(operation.requestBody)).filter((field) => !extensions.requestFields[name]?.includes(field))
    expect(requestFields.sort()).toEqual([...endpoint.request].sort())
    const responseFields = fieldsOf(jsonSchemaOf(operation.responses[endpoint.success]))
    expect(responseFields).toEqual(expect.arrayContaining(endpoint.response))
  })

  it('says what every field and parameter means, and gives an example of each', async () => {
    const unexplained: string[] = []
    for (const [name, { parameters = [], requestBody, responses }] of await described()) {
      for (const parameter of parameters) {
        if (!parameter.description && !parameter.schema.description) unexplained.push(`${name}: parameter ${parameter.name}`)
      }
      for (const content of [requestBody, ...Object.values(responses)])
        unexplained.push(...unexplainedIn(jsonSchemaOf(content)).map((field) => `${name}: ${field}`))
    }
    expect(unexplained).toEqual([])
  })

  it('says of every route what it is for and which errors it can answer with', async () => {
    for (const [name, { summary, responses, security = [] }] of await described()) {
      expect(summary, name).toEqual(expect.stringMatching(/^[A-Z]/))
      if (!name.includes(' /v1/')) continue
      const statuses = Object.keys(responses)
      if (security.length > 0) expect(statuses, name).toContain('401')
      if (name.startsWith('POST') || name.startsWith('PATCH')) expect(statuses, name).toContain('400')
    }
  })
})
