import { beforeAll, describe, expect, it } from 'vitest'
import { sampleOf } from '../../src/isolation/routes.ts'
import type { Answer, HttpClient, RequestOptions } from '../support/http-client.ts'
import { useService } from '../support/service.ts'
import { type DescribedRoute, describedRoutes, jsonSchemaOf } from './described.ts'
import { ownRefusals } from './refusals.ts'
import { type World, worldOf } from './world.ts'

const service = useService()
const withTenantHeader = useService({ environment: { TENANT_HEADER: 'required', STRICT_INPUT: 'on' } })

interface Circumstances {
  route: DescribedRoute
  /** A caller who may use the route. */
  by: HttpClient
  world: World
  /** A service that requires the tenant header, which nothing here sends. */
  strict: World
}

type Provocation = (circumstances: Circumstances) => Promise<Answer> | undefined

const tooLarge = JSON.stringify('x'.repeat(1024 * 1024))

/** A request that causes each refusal that all routes share; undefined for a route that cannot have it. */
const provocations: Record<string, Provocation> = {
  400: ({ route, by, strict }) => {
    if (route.method !== 'GET') return send(route, by, { body: '{' })
    if (kindOf(route) === 'admin') return send(route, strict.owner)
    return send(route, callerOf(route, strict), {}, '?unknown=1')
  },
  401: ({ route, world }) => (kindOf(route) === 'public' ? undefined : send(route, world.anonymous)),
  403: ({ route, world }) => (asksForCsrfToken(route) ? send(route, world.anonymous.with({ cookie: world.owner.cookie })) : undefined),
  404: ({ route, by }) => {
    if (kindOf(route) === 'admin') return send(route, by.with({ 'x-org-domain': 'nowhere' }))
    if (kindOf(route) !== 'system' || !route.path.includes('{')) return undefined
    const schema = jsonSchemaOf(route.operation.requestBody)
    return send(route, by, schema ? { body: sampleOf(schema as never, {}) } : {}, requiredQueryOf(route))
  },
  413: ({ route, by }) => (route.method === 'GET' ? undefined : send(route, by, { body: tooLarge })),
  415: ({ route, by }) => (route.method === 'GET' ? undefined : send(route, by, { body: 'x', headers: { 'content-type': 'text/plain' } })),
}

/** The query that a route requires before it looks for a record. */
function requiredQueryOf({ operation }: DescribedRoute): string {
  const parameters = (operation.parameters ?? []) as {
    name: string
    in: string
    required?: boolean
    schema: { example?: unknown }
    example?: unknown
  }[]
  const required = parameters.filter((parameter) => parameter.in === 'query' && parameter.required)
  return required.length > 0
    ? `?${new URLSearchParams(Object.fromEntries(required.map(({ name, schema, example }) => [name, String(example ?? schema.example)])))}`
    : ''
}

function kindOf({ operation: { security = [] } }: DescribedRoute): 'admin' | 'self' | 'system' | 'public' {
  if (security.some((scheme) => 'systemKey' in scheme)) return 'system'
  if (security.some((scheme) => 'apiKey' in scheme)) return 'admin'
  return security.some((scheme) => 'session' in scheme) ? 'self' : 'public'
}

const asksForCsrfToken = ({ operation: { security = [] } }: DescribedRoute) => security.some((scheme) => 'csrf' in scheme)

function callerOf(route: DescribedRoute, { owner, operator, anonymous }: World): HttpClient {
  const kind = kindOf(route)
  if (kind === 'system') return operator
  return kind === 'public' ? anonymous : owner
}

const send = ({ method, path }: DescribedRoute, by: HttpClient, options: RequestOptions = {}, query = '') =>
  by.request(method, path.replace(/\{\w+\}/g, 'unknown') + query, options)

/** Described for every operation. test/faults causes it by stopping the database. */
const notAvailable = '503'

describe('the description of the API', () => {
  let routes: DescribedRoute[]
  beforeAll(async () => {
    routes = (await describedRoutes(service().anonymous)).filter(({ path }) => path.startsWith('/v1/'))
  })

  // All tests check the reverse, that every response is described: test/support/described-answers.ts.
  it('names no refusal that a route cannot respond with: its own have a row in test/http/refusals.ts', async () => {
    const world = await worldOf(service())
    const strict = await worldOf(withTenantHeader())
    for (const route of routes) {
      const by = callerOf(route, world)
      const had = new Set<string>()
      for (const [status, provoke] of Object.entries(provocations)) {
        const answer = await provoke({ route, by, world, strict })
        if (!answer) continue
        expect([route.name, answer.status, answer.body]).toMatchObject([route.name, Number(status), { status: Number(status) }])
        had.add(status)
      }
      // What every route says of the key of a request is provoked in test/idempotency.
      const ofKey = route.operation.parameters?.some(({ name }) => name === 'Idempotency-Key') ? ['409', '422'] : []
      const described = Object.keys(route.operation.responses).filter(
        (status) => status >= '400' && status !== notAvailable && !ofKey.includes(status),
      )
      const own = described.filter((status) => !had.has(status)).map((status) => `${route.name} ${status}`)
      expect(own.filter((refusal) => !ownRefusals[refusal])).toEqual([])
    }
  })

  it.each(Object.entries(ownRefusals))("names a route's own refusal: %s", async (name, provoke) => {
    const [, method, path, status] = /^(\S+) (\S+) (\d+)$/.exec(name) ?? []
    const route = routes.find((one) => one.method === method && one.path === path)

    const answer = await provoke(await worldOf(service()))

    expect([answer.status, answer.body]).toMatchObject([Number(status), { status: Number(status) }])
    expect(route?.operation.responses).toHaveProperty(status ?? '')
  })
})
