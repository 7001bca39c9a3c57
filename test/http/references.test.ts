import { beforeAll, describe, expect, it } from 'vitest'
import { type IdLocation, type Kind, placesOf } from '../../src/isolation/records.ts'
import { requestOf } from '../../src/isolation/requests.ts'
import type { Route } from '../../src/isolation/routes.ts'
import { routesBelow } from '../support/route-table.ts'
import { useService } from '../support/service.ts'
import {
  client,
  connection,
  directory,
  domain,
  endpoint,
  person,
  resourceAuthorizationServer,
  resourceServer,
  team,
  type World,
  worldOf,
} from './world.ts'

const service = useService({ environment: { OAUTH_EXTENSIONS: 'all' } })

const nouns = {
  user: 'User',
  role: 'Role',
  team: 'Team',
  client: 'Client',
  connection: 'Connection',
  'resource server': 'Resource server',
  webhook: 'Webhook',
} as const
type Referred = keyof typeof nouns

/** The other kinds that bodies name, and why none of them is a reference. */
const noReferences: Partial<Record<Kind, string>> = {
  email: 'what a user types, which may be unknown',
  'domain name': 'what is to be proven',
  'passkey credential': 'proven by its signature',
}

/** The records of an organisation, by their kinds. */
async function recordsOf(world: World): Promise<Record<Referred | 'directory' | 'domain' | 'resource authorization server', string>> {
  const { id: role } = await world.given.role(world.owner)
  const [user, ownTeam, ownClient] = [(await person(world)).id, await team(world), await client(world)]
  const [ownConnection, webhook, ownDomain] = [await connection(world), await endpoint(world), (await domain(world)).id]
  return {
    user,
    role,
    team: ownTeam,
    client: ownClient,
    'resource server': await resourceServer(world),
    connection: ownConnection,
    directory: await directory(world),
    webhook,
    domain: ownDomain,
    'resource authorization server': await resourceAuthorizationServer(world),
  }
}

/** A resource authorization server with a grant, all of which is right but for the given fields. */
function withGrant(client: string | undefined, fields: object) {
  const [identifier, scope] = ['https://api.books.example', 'books:read']
  const grant = { clientId: client, downstreamClientId: 'acme', resources: [identifier], scopes: [scope], ...fields }
  const names = { name: 'Books', issuer: 'https://books.example', audienceClientId: client }
  return { ...names, resources: [{ identifier, scopes: [scope] }], grants: [grant] }
}

const grantForms = {
  'grants.[].clientId': (clientId: string, client?: string) => withGrant(client, { clientId }),
  'grants.[].roleIds.[]': (roleId: string, client?: string) => withGrant(client, { roleIds: [roleId] }),
  'grants.[].teamIds.[]': (teamId: string, client?: string) => withGrant(client, { teamIds: [teamId] }),
}

/** Bodies in another form than the first that their schemas describe. */
const otherForms: Record<string, (id: string, client?: string) => object> = {
  'POST /v1/admin/permission-checks checks.[].userId': (userId) => ({ checks: [{ userId, permission: 'users:read' }] }),
  ...Object.fromEntries(
    ['POST /v1/admin/resource-authorization-servers', 'PATCH /v1/admin/resource-authorization-servers/{id}'].flatMap((route) =>
      Object.entries(grantForms).map(([place, form]) => [`${route} ${place}`, form]),
    ),
  ),
}

describe('a reference in a body', () => {
  let world: World
  let own: Record<string, string>
  let foreign: Record<string, string>
  /** What bodies name of any kind, and what of that are references. */
  let named: { route: Route; place: IdLocation; name: string }[]
  let references: typeof named

  beforeAll(async () => {
    world = await worldOf(service())
    own = await recordsOf(world)
    foreign = await recordsOf(await worldOf(service()))
    const routes = await routesBelow(service().anonymous, '/v1/')
    named = routes
      // Who is not signed in belongs to no organisation.
      .filter(({ security, path }) => security.length > 0 && !path.startsWith('/v1/auth/'))
      .flatMap((route) =>
        placesOf(route).places.map((place) => ({ route, place, name: `${route.method} ${route.path} ${place.at.join('.')}` })),
      )
      .filter(({ place }) => place.in === 'body')
    references = named.filter(({ place }) => place.kind in nouns)
  })

  async function ask({ route, place, name }: (typeof references)[number], id: string) {
    const values = new Map<IdLocation, string>([[place, id]])
    for (const other of placesOf(route).places) {
      if (other.in === 'path') values.set(other, other.kind === 'organisation' ? world.organisation.id : (own[other.kind] ?? ''))
    }
    const fields = { userId: own.user, roleId: own.role, clientId: own.client, audienceClientId: own.client, domain: 'reference.example' }
    const { method, path, body } = requestOf(route, { values, fields })
    const by = route.security.includes('systemKey') ? world.operator : world.owner
    const { status, body: problem } = await by.request(method, path, { body: otherForms[name]?.(id, own.client) ?? body })
    return { status, problem }
  }

  const unowned = (kind: Kind) => {
    const prefix = (own[kind] ?? '').split('_')[0]
    return [foreign[kind] ?? '', `${prefix}_01kahm3z9n4v7f2t8q6w5r1y0x`, 'org_01kahm3z9n4v7f2t8q6w5r1y0x', 'x', "'--"]
  }

  it('that the organisation does not own is 404 and names the kind of record, at every endpoint', async () => {
    const single = references.filter(({ place }) => !place.at.includes('[]'))
    for (const reference of single) {
      const detail = `${nouns[reference.place.kind as Referred]} not found`
      for (const id of unowned(reference.place.kind)) {
        const answer = await ask(reference, id)
        expect([reference.name, id, answer]).toMatchObject([
          reference.name,
          id,
          { status: 404, problem: { title: 'Not Found', detail, code: expect.stringMatching(/-not-found$/) } },
        ])
      }
    }
    const names = single.map(({ name }) => name)
    expect(names).toEqual(
      expect.arrayContaining([
        'POST /v1/admin/directories connectionId',
        'PATCH /v1/admin/directories/{id} connectionId',
        'POST /v1/admin/domains connectionId',
        'PATCH /v1/admin/domains/{id} connectionId',
        'POST /v1/admin/permission-checks userId',
        'POST /v1/admin/authorization-checks userId',
        'POST /v1/admin/authorization-checks clientId',
        'POST /v1/admin/assertion-checks clientId',
        'POST /v1/admin/clients/{id}/claims/preview userId',
        'POST /v1/admin/resource-authorization-servers audienceClientId',
        'POST /v1/admin/webhooks clientId',
        'POST /v1/me/identities connectionId',
        'POST /v1/system/organisations/{id}/transfer-ownership userId',
      ]),
    )
  })

  it('is of a kind that is asked for here, or no reference', () => {
    const others = new Set(named.map(({ place }) => place.kind).filter((kind) => !(kind in nouns)))
    expect([...others].sort()).toEqual(Object.keys(noReferences).sort())
  })

  it('in a list is 400 and points at its place', async () => {
    const listed = references.filter(({ place }) => place.at.includes('[]'))
    for (const reference of listed) {
      const path = reference.place.at.map((part) => (part === '[]' ? 0 : part))
      const message = `${nouns[reference.place.kind as Referred]} not found`
      for (const id of unowned(reference.place.kind)) {
        const answer = await ask(reference, id)
        expect([reference.name, id, answer]).toMatchObject([reference.name, id, { status: 400, problem: { errors: [{ path, message }] } }])
      }
    }
    expect(listed.map(({ name }) => name)).toEqual(
      expect.arrayContaining(['POST /v1/admin/users roleIds.[]', 'PATCH /v1/admin/domains/{id} bypassUserIds.[]']),
    )
  })
})
