/**
 * What a distributed PostgreSQL has to ask more than one place for. A tenant's rows lie on the shard of its organisation; tables that are
 * shared by all, such as signing keys, are copied to each (docs/scaling.md). A statement stays on one shard if it names its organisation.
 */
import { readFileSync } from 'node:fs'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { declaredStatements } from '../../src/platform/database/statement.ts'
import { freshEngine } from '../support/database.ts'
import { givenDirectory } from '../support/directories.ts'
import { HttpClient } from '../support/http-client.ts'
import { givenApplication, pkce, type TestApplication } from '../support/oauth.ts'
import { type RecordedStatement, type RecordingEngine, recordingEngine } from '../support/recording-engine.ts'
import { startTestService, type TestService } from '../support/service.ts'

let engine: RecordingEngine
let service: TestService
let tenantTables: ReadonlySet<string>
beforeAll(async () => {
  engine = recordingEngine(await freshEngine())
  service = await startTestService({ engine, environment: { RATE_LIMIT: 'off' } })
  const { rows } = await sql<{ name: string }>`
    select c.relname as name from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attname = 'organisation_id'
    where c.relkind in ('r', 'p') and c.relnamespace = 'public'::regnamespace`.execute(service.database.system())
  tenantTables = new Set(['organisations', ...rows.map(({ name }) => name)])
})
afterAll(() => service?.stop())

const anything = new Proxy<Record<string, unknown>>({}, { get: () => null })
const declared = () =>
  new Map(declaredStatements.map((one) => [one.with(anything as never).sql, one.crossesOrganisations !== undefined] as const))

/** Whether a statement is sent to every shard, since it says of no organisation whose rows it means. */
function leavesShard({ query, setUp }: RecordedStatement): boolean {
  // What is bound to a tenant reads and writes the rows of that one alone.
  if (setUp !== undefined) return false
  const crosses = declared().get(query.sql)
  if (crosses !== undefined) return crosses
  const tables = [...query.sql.matchAll(/\b(?:from|join|update|into) "?([a-z_]+)"?/g)].map(([, name = '']) => name)
  return tables.some((name) => tenantTables.has(name)) && !/"?organisation_id"? = (\$|:)/.test(query.sql)
}

/** How many statements a request causes, and how many of them leave the shard of its organisation. */
async function statementsOf(request: () => Promise<{ status: number }>): Promise<{ all: number; leaving: number }> {
  engine.statements.length = 0
  expect((await request()).status).toBeLessThan(400)
  await service.settled()
  const ofRequest = engine.statements.filter((one) => one.ofRequest)
  return { all: ofRequest.length, leaving: ofRequest.filter(leavesShard).length }
}

/** The table of docs/scaling.md. */
const documented = Object.fromEntries(
  [...readFileSync('docs/scaling.md', 'utf8').matchAll(/^\| ([^|]+) \| (\d+) \| (\d+) \|$/gm)].map(([, name = '', all, leaving]) => [
    name,
    { all: Number(all), leaving: Number(leaving) },
  ]),
)

describe('the statements that leave the shard of an organisation', () => {
  it('are those that find the organisation, as the document counts them', async () => {
    const organisation = await service.given.organisation()
    const { owner } = organisation
    const grantTypes = ['authorization_code', 'refresh_token', 'client_credentials']
    const app: TestApplication = await givenApplication(service, { organisation, grantTypes, scopes: ['orders:read'] })
    const key = (await owner.post('/v1/admin/api-keys', { name: 'Reader', permissions: ['users:read'] })).body.key
    const { scim } = await givenDirectory(service, { organisation })
    const { verifier, challenge } = pkce()
    let code = ''
    const tokens = await app.signIn({ scope: 'openid offline_access' })

    const measured = {
      'sign-in by password': await statementsOf(() =>
        service.anonymous.post('/v1/auth/login', { email: owner.email, password: owner.password }),
      ),
      'own profile, by a session': await statementsOf(() => owner.get('/v1/me/profile')),
      'list of users': await statementsOf(() => owner.get('/v1/admin/users')),
      'list of users, by an API key': await statementsOf(() =>
        new HttpClient(service.origin, { authorization: `Bearer ${key}` }).get('/v1/admin/users'),
      ),
      'creation of a role': await statementsOf(() => owner.post('/v1/admin/roles', { name: 'Support', slug: 'support' })),
      'audit log': await statementsOf(() => owner.get('/v1/admin/audit-logs')),
      'authorization request': await statementsOf(async () => {
        const answer = await app.authorize({ code_challenge: challenge, code_challenge_method: 'S256', scope: 'openid' })
        code = new URL(answer.headers.get('location') ?? '').searchParams.get('code') ?? ''
        return answer
      }),
      'exchange of a code': await statementsOf(() =>
        app.token({ grant_type: 'authorization_code', code, redirect_uri: app.redirectUri, code_verifier: verifier }),
      ),
      refresh: await statementsOf(() => app.refresh(tokens.refresh_token)),
      'client credentials': await statementsOf(() => app.token({ grant_type: 'client_credentials' })),
      introspection: await statementsOf(() => app.introspect(tokens.access_token)),
      UserInfo: await statementsOf(() => app.userInfo(tokens.access_token)),
      revocation: await statementsOf(() => app.revoke(tokens.access_token)),
      'list of a directory': await statementsOf(() => scim.get('/Users')),
      'sign-out': await statementsOf(() => owner.post('/v1/auth/logout')),
      'discovery and keys': await statementsOf(async () => {
        await service.anonymous.get('/.well-known/openid-configuration')
        return service.anonymous.get('/oauth2/jwks.json')
      }),
    }
    expect(measured).toEqual(documented)
  })
})
