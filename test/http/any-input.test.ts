import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { databaseKind } from '../support/database.ts'
import { unique } from '../support/given.ts'
import type { Answer } from '../support/http-client.ts'
import { useService } from '../support/service.ts'
import { nearly, plantedSecret, rawBodies } from './any-value.ts'
import { Attacker } from './attacker.ts'
import { type DescribedRoute, describedRoutes, jsonSchemaOf } from './described.ts'

const service = useService({ environment: { RATE_LIMIT: 'off' } })

// The same inputs with every run. These variables select others, and more.
const seed = Number(process.env.ANY_INPUT_SEED ?? 20_261_121)
// Almost all of it ends before the database, so that the slower one gets less.
const numRuns = Number(process.env.ANY_INPUT_RUNS ?? (databaseKind() === 'pglite' ? 3 : 12))

const marker = `marker-${unique()}`

/** An organisation whose records all have the marker in their names. Callers of others know only its ids. */
async function plantedOrganisation(): Promise<string[]> {
  const { given } = service()
  const { id, owner } = await given.organisation()
  const permissions = (await owner.get('/v1/admin/permissions')).body.data.map(({ slug }: { slug: string }) => slug)
  const role = await given.role(owner, { name: marker, permissions: ['users:read'] })
  const user = await given.user(owner, { firstName: marker, lastName: marker, roleIds: [role.id] })
  const made = [
    await owner.post('/v1/admin/teams', { name: marker, slug: 'team', description: marker }),
    await owner.post('/v1/admin/clients', { name: marker, clientType: 'public', redirectUris: [`https://${marker}.test/`] }),
    await owner.post('/v1/admin/api-keys', { name: marker, permissions }),
    await owner.post('/v1/admin/webhooks', { url: `https://${marker}.test/`, events: ['*'] }),
  ]
  for (const answer of made) expect(answer.status).toBe(201)
  await given.role(owner)
  const deliveries = (await owner.get(`/v1/admin/webhooks/${made[3]?.body.id}/deliveries`)).body.data
  return [id, owner.id, owner.sessionId, role.id, user.id, deliveries[0].id, ...made.map(({ body }) => body.id)]
}

interface GeneratedRequest {
  path: string
  query: string
  body: string | undefined
}

function requestsTo({ path, operation }: DescribedRoute, known: readonly string[]): fc.Arbitrary<GeneratedRequest> {
  const id = fc.oneof(fc.constantFrom(...known), fc.constantFrom('%00', '..', 'usr_x', 'x'.repeat(400), '%ff', '%f0%9f%98%80', "'"))
  const filledPath = fc.tuple(
    ...path.split(/\{\w+\}/).map((part, index) => (index === 0 ? fc.constant(part) : id.map((value) => value + part))),
  )
  const parameters = (operation.parameters ?? []).filter((parameter) => parameter.in === 'query')
  const query = fc.record(Object.fromEntries(parameters.map(({ name, schema }) => [name, nearly(schema, known, name)])), {
    requiredKeys: [],
  })
  const schema = jsonSchemaOf(operation.requestBody)
  const json = schema ? nearly(schema, known).map((value) => JSON.stringify(value)) : fc.constant(undefined)
  const body = schema ? fc.oneof({ weight: 8, arbitrary: json }, { weight: 1, arbitrary: fc.constantFrom(...rawBodies) }) : json
  return fc.record({ path: filledPath.map((parts) => parts.join('')), query: query.map(queryString), body })
}

function queryString(values: Record<string, unknown>): string {
  const pairs = Object.entries(values).map(([name, value]) => {
    const text = typeof value === 'object' ? JSON.stringify(value) : String(value)
    return `${name}=${encodeURIComponent(text.toWellFormed()).slice(0, 8_000)}`
  })
  return pairs.length > 0 ? `?${pairs.join('&')}` : ''
}

function judge(route: DescribedRoute, answer: Answer): void {
  // The links of a page to its other languages repeat the address of the request.
  const text = typeof answer.body === 'string' ? answer.body.replace(/<a [^>]*hreflang[^>]*>/g, '') : JSON.stringify(answer.body)
  expect(answer.status, text).toBeLessThan(500)
  expect(text).not.toContain(plantedSecret)
  if (!route.operation.security?.some((scheme) => 'systemKey' in scheme)) expect(text).not.toContain(marker)
}

describe('any input to any route', () => {
  it('gets a documented response that shows nothing of another organisation and echoes no secret', async () => {
    const foreign = await plantedOrganisation()
    const attacker = new Attacker(service())
    const failures: string[] = []
    for (const route of await describedRoutes(service().anonymous)) {
      const sender = attacker.senderTo(route)
      const own = [(await attacker.client()).id]
      // Changes by the operator are no attack on an organisation.
      const known = route.path.startsWith('/v1/system') ? own : [...own, ...foreign]
      const property = fc.asyncProperty(requestsTo(route, known), async ({ path, query, body }) => {
        const by = await sender()
        const answer = await by.request(route.method, path + query, { body })
        attacker.take(answer)
        judge(route, answer)
      })
      await fc
        .assert(property, { seed, numRuns, endOnFailure: true })
        .catch((error) => failures.push(`${route.name}: ${error.message}\n${error.cause?.message ?? ''}`))
    }
    expect(failures).toEqual([])
    expect(service().logLines.filter((line) => line.includes(plantedSecret) || /svc_session=\w/.test(line))).toEqual([])
    expect(service().logLines.length).toBeGreaterThan(500)
  })
})
