import { describe, expect, it } from 'vitest'
import { withoutReferences } from '../../src/isolation/routes.ts'
import { grants } from '../../src/oauth/grants/grants.ts'
import { useService } from '../support/service.ts'
import { type Endpoint, endpoints, extensions } from './contract.ts'
import { type Content, describedRoutes, fieldsOf, jsonSchemaOf, type Operation, type Schema } from './described.ts'

const service = useService()

const described = async () => new Map((await describedRoutes(service().anonymous)).map((route) => [route.name, route.operation]))

/** The access of an operation by its description, in the words of the contract. */
function accessOf({ security = [], description = '' }: Operation): string {
  if (security.some((scheme) => 'systemKey' in scheme)) return 'system'
  const permission = /Requires the permission `([\w:]+)`/.exec(description)?.[1]
  if (permission) return permission
  if (security.some((scheme) => 'apiKey' in scheme)) return 'signed in'
  return security.some((scheme) => 'session' in scheme) ? 'self' : 'public'
}

/** The fields without a description, and those without an example in themselves, their fields or their items. */
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

  it('describes no other endpoint of /v1, except those listed as extensions', async () => {
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

  it('describes every field and parameter, each with an example', async () => {
    const unexplained: string[] = []
    const { body } = await service().anonymous.get('/openapi.json')
    const { schemas } = body.components
    for (const [name, schema] of Object.entries(withoutReferences(schemas, schemas) as Record<string, Schema>))
      unexplained.push(...unexplainedIn(schema).map((field) => `${name}: ${field}`))
    for (const [name, { parameters = [], requestBody, responses }] of await described()) {
      for (const { name: parameter, description, example, schema } of parameters) {
        if (!(description ?? schema.description)) unexplained.push(`${name}: parameter ${parameter}`)
        else if ((example ?? schema.example) === undefined) unexplained.push(`${name}: parameter ${parameter} (no example)`)
      }
      for (const { content = {}, headers = {} } of [requestBody ?? {}, ...Object.values(responses)] as Content[]) {
        unexplained.push(...Object.values(content).flatMap(({ schema }) => unexplainedIn(schema).map((field) => `${name}: ${field}`)))
        for (const [header, { description }] of Object.entries(headers)) if (!description) unexplained.push(`${name}: header ${header}`)
      }
    }
    expect(unexplained).toEqual([])
  })

  it.each([
    ['POST /oauth2/revoke', 'token token_type_hint client_id client_secret'],
    ['POST /oauth2/introspect', 'token token_type_hint client_id client_secret'],
    ['POST /oauth2/userinfo', 'access_token'],
    [
      'POST /oauth2/authorize',
      'response_type client_id redirect_uri scope state response_mode nonce code_challenge code_challenge_method prompt max_age login_hint connection id_token_hint ui_locales',
    ],
    ['POST /oauth2/logout', 'id_token_hint client_id post_logout_redirect_uri state ui_locales'],
  ])('describes the form of %s', async (name, parameters) => {
    const operation = (await described()).get(name)

    expect(fieldsOf(operation?.requestBody?.content?.['application/x-www-form-urlencoded']?.schema)).toEqual(parameters.split(' '))
  })

  it('describes the form of POST /oauth2/token with the parameters of every grant', async () => {
    const operation = (await described()).get('POST /oauth2/token')
    // This service has no extensions.
    const own = grants.flatMap(({ parameters }) => Object.entries(parameters).flatMap(([name, { extension }]) => (extension ? [] : [name])))

    const fields = fieldsOf(operation?.requestBody?.content?.['application/x-www-form-urlencoded']?.schema)
    expect(fields).toEqual(expect.arrayContaining(['grant_type', 'code', 'redirect_uri', 'code_verifier', 'refresh_token', 'scope']))
    expect(fields.sort()).toEqual([...new Set(['grant_type', 'client_id', 'client_secret', ...own])].sort())
  })

  it.each(['authorize', 'logout'])('describes the query of GET /oauth2/%s like its form', async (path) => {
    const routes = await described()
    const query = routes.get(`GET /oauth2/${path}`)?.parameters?.map((parameter) => parameter.name)

    expect(query).toEqual(fieldsOf(routes.get(`POST /oauth2/${path}`)?.requestBody?.content?.['application/x-www-form-urlencoded']?.schema))
  })

  it('describes the purpose of every route and the errors that it can respond with', async () => {
    for (const [name, { summary, responses, security = [] }] of await described()) {
      expect(summary, name).toEqual(expect.stringMatching(/^[A-Z]/))
      if (!name.includes(' /v1/')) continue
      const statuses = Object.keys(responses)
      if (security.length > 0) expect(statuses, name).toContain('401')
      if (name.startsWith('POST') || name.startsWith('PATCH')) expect(statuses, name).toContain('400')
    }
  })
})
