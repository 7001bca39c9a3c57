import { beforeAll, describe, expect, it } from 'vitest'
import { kinds } from '../../shared/kinds.ts'
import { type Route, sampleOf } from '../../src/isolation/routes.ts'
import { type TestOrganisation, unique } from '../support/given.ts'
import type { Answer, HttpClient } from '../support/http-client.ts'
import { routesBelow } from '../support/route-table.ts'
import { useService } from '../support/service.ts'

const service = useService()
const neverExisted = '01kahm3z9n4v7f2t8q6w5r1y0x'
const prefixes: Record<string, string> = {
  ...Object.fromEntries(Object.values(kinds).map(({ path, idPrefix }) => [path, idPrefix])),
  deliveries: 'dlv',
  'logout-deliveries': 'lgd',
  sessions: 'ses',
}

/** The path of a route with an id in place of its first parameter. Other parameters get ids that never existed. */
function pathWith(path: string, id: string): string {
  let first = true
  return path.replace(/(\w[\w-]*)\/\{\w+\}/g, (_, resource: string) => {
    const value = first ? id : unknownId(resource)
    first = false
    return `${resource}/${value}`
  })
}

/** Fields that a creation needs besides those that its schema requires. Unknown fields are ignored. */
const neededByRules = {
  ...{ redirectUris: ['https://app.example.test/callback'], events: ['user.created'], permissions: ['users:read'] },
  identifier: 'https://api.example.test/every-route',
  // An active connection would need what its provider has given.
  isActive: false,
}

const unknownId = (resource: string) => `${prefixes[resource] ?? 'usr'}_${neverExisted}`
const nameOf = ({ method, path }: Route) => `${method} ${path}`

async function call(client: HttpClient, { method, bodySchema }: Route, path: string, references: Record<string, string> = {}) {
  return client.request(method, path, bodySchema ? { body: sampleOf(bodySchema, references) } : {})
}

/** The content of a response without the parts that repeat the request. */
function said({ status, body: { instance, ...body } }: Answer) {
  return { status, body }
}

describe('every route of the admin API', () => {
  let routes: Route[]
  let own: TestOrganisation
  let foreign: TestOrganisation

  beforeAll(async () => {
    routes = await routesBelow(service().anonymous, '/v1/admin/')
    own = await service().given.organisation()
    foreign = await service().given.organisation()
    expect(routes.length).toBeGreaterThan(15)
  })

  it('responds 401 without a session', async () => {
    for (const route of routes) {
      expect([nameOf(route), await call(service().anonymous, route, pathWith(route.path, 'usr_1'))]).toMatchObject([
        nameOf(route),
        { status: 401, body: { title: 'Unauthorized', detail: 'Authentication required' } },
      ])
    }
  })

  it('responds 403 without a CSRF token', async () => {
    const withoutToken = service().anonymous.with({ cookie: own.owner.cookie })
    for (const route of routes) {
      expect([nameOf(route), await call(withoutToken, route, pathWith(route.path, 'usr_1'))]).toMatchObject([
        nameOf(route),
        { status: 403, body: { title: 'Forbidden', detail: 'Invalid CSRF token' } },
      ])
    }
  })

  it('responds 403 without the permission that it requires', async () => {
    const withoutPermissions = await service().given.userWith(own.owner, [])
    for (const route of routes.filter(({ permission }) => permission)) {
      expect([nameOf(route), await call(withoutPermissions, route, pathWith(route.path, 'usr_1'))]).toMatchObject([
        nameOf(route),
        { status: 403, body: { title: 'Forbidden', detail: `Missing required permission: ${route.permission}` } },
      ])
    }
  })

  it('requires a permission, except for reading the organisation, for operations of its owner, and where each part requires its own', () => {
    const free = routes.filter(({ permission }) => !permission).map(nameOf)
    const ofDocuments = ['diff', 'plan', 'apply'].map((name) => `POST /v1/admin/configuration/${name}`)
    const ofLinks = ['GET', 'POST', 'DELETE'].map((method) => `${method} /v1/admin/setup-links${method === 'DELETE' ? '/{id}' : ''}`)
    const ofParts = [
      ...['GET /v1/admin/statistics', 'GET /v1/admin/search', 'POST /v1/admin/setup-links/{id}/activate'],
      ...[...ofDocuments, ...ofLinks],
    ]
    const known = ['GET /v1/admin/organisation', 'POST /v1/admin/organisation/transfer-ownership', ...ofParts]
    for (const name of free) expect(known).toContain(name)
  })

  it('responds to ids of another organisation or another type and to malformed ids as if they did not exist', async () => {
    const ids = await recordsOf(foreign)
    const before = await read(foreign, ids)
    const ownRole = await service().given.role(own.owner)
    const references = { roleId: ownRole.id, userId: own.owner.id }
    for (const route of routes.filter(({ path }) => path.includes('{'))) {
      const resource = /\/v1\/admin\/([\w-]+)/.exec(route.path)?.[1] ?? ''
      const unknown = await call(own.owner, route, pathWith(route.path, unknownId(resource)), references)
      expect([nameOf(route), unknown]).toMatchObject([nameOf(route), { status: 404, body: { title: 'Not Found' } }])

      const others = [ids.get(resource), own.id, foreign.id, 'x', '%00', `${prefixes[resource]}_`, `${unknownId(resource)}x`, 'ä', "'--"]
      for (const id of others) {
        if (id === undefined) continue
        const answer = await call(own.owner, route, pathWith(route.path, id), references)
        expect([nameOf(route), id, said(answer)]).toEqual([nameOf(route), id, said(unknown)])
      }
    }
    expect(await read(foreign, ids)).toEqual(before)
  })

  /** One record of each kind that an organisation can create, by the list that it is in. */
  async function recordsOf({ owner }: TestOrganisation): Promise<Map<string, string>> {
    const role = await service().given.role(owner)
    const ids = new Map<string, string>()
    for (const route of routes.filter(({ creates, path }) => creates && /^\/v1\/admin\/[\w-]+$/.test(path))) {
      const references = { roleId: role.id, userId: owner.id, audienceClientId: ids.get('clients'), email: `${unique()}@example.test` }
      const sample = sampleOf(route.bodySchema ?? {}, references) as object
      const created = await owner.post(route.path, { ...sample, ...neededByRules })
      const resource = route.path.split('/')[3] as string
      const id = created.body?.id ?? created.body?.webhook?.id
      expect([nameOf(route), created.status, id]).toEqual([nameOf(route), 201, expect.any(String)])
      ids.set(resource, id)
    }
    expect([...ids.keys()]).toEqual(expect.arrayContaining(['users', 'roles']))
    return ids
  }

  async function read({ owner }: TestOrganisation, ids: Map<string, string>): Promise<unknown[]> {
    const answers = await Promise.all([...ids].map(([resource, id]) => owner.get(`/v1/admin/${resource}/${id}`)))
    return answers.map(({ status, body }) => ({ status, body }))
  }
})

describe('every route of the self-service API', () => {
  it('responds 401 without a session and 403 without a CSRF token', async () => {
    const { owner } = await service().given.organisation()
    const withoutToken = service().anonymous.with({ cookie: owner.cookie })
    const routes = await routesBelow(service().anonymous, '/v1/me/')
    expect(routes.length).toBeGreaterThan(0)
    for (const route of routes) {
      const path = pathWith(route.path, 'ses_1')
      expect([nameOf(route), await call(service().anonymous, route, path)]).toMatchObject([
        nameOf(route),
        { status: 401, body: { detail: 'Authentication required' } },
      ])
      expect([nameOf(route), await call(withoutToken, route, path)]).toMatchObject([
        nameOf(route),
        { status: 403, body: { detail: 'Invalid CSRF token' } },
      ])
    }
  })
})

describe('every route of the system API', () => {
  it('responds 401 without the key, with a wrong one, and to a signed-in owner', async () => {
    const { owner } = await service().given.organisation()
    const strangers = [service().anonymous, service().anonymous.with({ authorization: 'Bearer wrong' }), owner]
    const routes = await routesBelow(service().anonymous, '/v1/system/')
    expect(routes.length).toBeGreaterThan(4)
    for (const route of routes) {
      for (const stranger of strangers) {
        const answer = await call(stranger, route, pathWith(route.path, 'org_1'))
        expect([nameOf(route), answer]).toMatchObject([nameOf(route), { status: 401, body: { title: 'Unauthorized' } }])
        expect(answer.headers.get('www-authenticate')).toBe('Bearer')
      }
    }
  })
})
