import { describe, expect, it } from 'vitest'
import { useService } from '../support/service.ts'
import { awaited, type Endpoint, endpoints, extensions } from './contract.ts'
import { describedRoutes, fieldsOf, jsonSchemaOf, type Operation } from './described.ts'

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

describe('/openapi.json', () => {
  it('describes every endpoint of the specification and the decisions', async () => {
    const routes = await described()

    expect(endpoints.map(({ name }) => name).filter((name) => !routes.has(name) && !awaited.has(name))).toEqual([])
  })

  it('describes no endpoint of /v1 that neither has, but for those listed as extensions', async () => {
    const known = new Set([...endpoints.map(({ name }) => name), ...Object.keys(extensions.routes)])

    expect([...(await described()).keys()].filter((name) => name.includes(' /v1/') && !known.has(name))).toEqual([])
  })

  it.each(endpoints.map((endpoint) => [endpoint.name, endpoint] as const))('agrees with them on %s', async (name, endpoint: Endpoint) => {
    const operation = (await described()).get(name)
    if (!operation && awaited.has(name)) return
    if (!operation) return expect.fail(`${name} is not described`)

    expect(accessOf(operation)).toBe(endpoint.access)
    expect(Object.keys(operation.responses).filter((status) => status < '300')).toEqual([String(endpoint.success)])
    const requestFields = fieldsOf(jsonSchemaOf(operation.requestBody)).filter((field) => !extensions.requestFields[name]?.includes(field))
    expect(requestFields.sort()).toEqual([...endpoint.request].sort())
    const responseFields = fieldsOf(jsonSchemaOf(operation.responses[endpoint.success]))
    expect(responseFields).toEqual(expect.arrayContaining(endpoint.response))
  })

  it('says of every route what it is for and which errors it can answer with', async () => {
    for (const [name, { summary, responses, security = [] }] of await described()) {
      expect(summary, name).toEqual(expect.stringMatching(/^[A-Z]/))
      if (!name.includes(' /v1/')) continue
      const statuses = Object.keys(responses)
      if (security.length > 0) expect(statuses, name).toContain('401')
      if (name.includes('{')) expect(statuses, name).toContain('404')
      if (name.startsWith('POST') || name.startsWith('PATCH')) expect(statuses, name).toContain('400')
    }
  })
})
