import { describe, expect, it } from 'vitest'
import { addDomain, publish, verifiedDomain } from '../support/domains.ts'
import { unique } from '../support/given.ts'
import { givenApplication } from '../support/oauth.ts'
import { newResourceServer, resourceServer } from '../support/resource-servers.ts'
import { useService } from '../support/service.ts'

const service = useService({ environment: { OAUTH_EXTENSIONS: 'resource_indicators' } })
const withProofs = useService({ environment: { OAUTH_EXTENSIONS: 'dpop,resource_indicators' } })
const path = '/v1/admin/resource-servers'
const organisation = () => service().given.organisation()

describe('a resource server', () => {
  it('is created, read, listed, changed and deleted', async () => {
    const { owner } = await organisation()
    const identifier = `https://api.example.test/${unique()}`

    const created = await owner.post(path, { name: 'Orders API', identifier })

    expect(created).toMatchObject({
      status: 201,
      body: {
        ...{ id: expect.stringMatching(/^rsv_/), name: 'Orders API', identifier, scopes: [], accessTokenLifetime: null, isActive: true },
        ...{ accessTokenSigningAlg: 'EdDSA', allowsAutomaticClients: false, requireDpop: false, includeAuthenticationContext: false },
        ...{ introspectionClientIds: [], exchangeClientIds: [] },
      },
    })
    const { id } = created.body
    expect((await owner.get(`${path}/${id}`)).body).toEqual(created.body)
    expect((await owner.get(path)).body).toEqual({ data: [created.body], total: 1 })

    const changes = { name: 'Orders', scopes: [{ name: 'orders:read', description: null }], accessTokenLifetime: 600, isActive: false }
    expect(await owner.patch(`${path}/${id}`, changes)).toMatchObject({ status: 200, body: changes })

    expect(await owner.delete(`${path}/${id}`, { reason: 'Retired' })).toMatchObject({ status: 204 })
    expect(await owner.get(`${path}/${id}`)).toMatchObject({ status: 404, body: { code: 'resource-server-not-found' } })
    const entries = (await owner.get(`/v1/admin/audit-logs?targetId=${id}`)).body.data as { action: string }[]
    expect(entries.map(({ action }) => action)).toEqual(['resource_server.deleted', 'resource_server.updated', 'resource_server.created'])
  })

  it('has its identifier in the form in which it is compared, for good', async () => {
    const { owner } = await organisation()
    const host = `${unique()}.example.test`
    const { body } = await owner.post(path, newResourceServer({ identifier: `HTTPS://${host.toUpperCase()}/` }))
    expect(body.identifier).toBe(`https://${host}`)

    const changed = await owner.patch(`${path}/${body.id}`, { identifier: 'https://other.example.test' })
    expect(changed).toMatchObject({ status: 200, body: { identifier: body.identifier } })
  })

  it('has an identifier that no resource server of any organisation has', async () => {
    const [one, other] = [await organisation(), await organisation()]
    const body = newResourceServer()
    expect((await one.owner.post(path, body)).status).toBe(201)
    for (const { owner } of [one, other]) {
      expect(await owner.post(path, body)).toMatchObject({
        status: 409,
        body: { code: 'identifier-taken', detail: 'Identifier already in use' },
      })
    }
  })

  it('has no identifier at or below the host of a domain that another organisation has verified', async () => {
    const [keeper, other] = [await organisation(), await organisation()]
    const domain = await addDomain(keeper.owner)
    const identifiers = [`https://${domain.domain}`, `https://api.${domain.domain}:8443/mcp`, `https://api.${domain.domain}./mcp`]
    const alike = `https://x${domain.domain}/mcp`
    const before = await resourceServer(other.owner, { identifier: `https://old.${domain.domain}` })
    publish(service(), domain)
    expect(await keeper.owner.post(`/v1/admin/domains/${domain.id}/verify`)).toMatchObject({ status: 200 })

    for (const identifier of identifiers)
      expect(await other.owner.post(path, newResourceServer({ identifier }))).toMatchObject({
        status: 409,
        body: { code: 'identifier-taken' },
      })
    await resourceServer(other.owner, { identifier: alike })
    for (const identifier of identifiers) await resourceServer(keeper.owner, { identifier })
    expect(await other.owner.patch(`${path}/${before.id}`, { name: 'Old' })).toMatchObject({ status: 200 })
  })

  it('has an identifier at a domain of its organisation that is below one of another', async () => {
    const [keeper, other] = [await organisation(), await organisation()]
    const { domain } = await verifiedDomain(service(), keeper.owner)
    await verifiedDomain(service(), other.owner, { domain: `part.${domain}` })
    await resourceServer(other.owner, { identifier: `https://mcp.part.${domain}` })
    const taken = await keeper.owner.post(path, newResourceServer({ identifier: `https://mcp.part.${domain}/other` }))
    expect(taken).toMatchObject({ status: 409, body: { code: 'identifier-taken' } })
  })

  it.each<[string, Record<string, unknown>, (string | number)[]]>([
    ['an identifier that is relative', { identifier: 'api/orders' }, ['identifier']],
    ['an identifier with a fragment', { identifier: 'https://api.example.test/#x' }, ['identifier']],
    ['an identifier without a host', { identifier: 'https:///orders' }, ['identifier']],
    ['an identifier with a password', { identifier: 'https://a:b@api.example.test' }, ['identifier']],
    ['an identifier of http elsewhere than on loopback', { identifier: 'http://api.example.test' }, ['identifier']],
    ['an identifier of another scheme', { identifier: 'urn:example:orders' }, ['identifier']],
    ['an address of this service', { identifier: 'http://gatehouse.test/orders' }, ['identifier']],
    ['an identifier of 513 characters', { identifier: `https://api.example.test/${'a'.repeat(488)}` }, ['identifier']],
    ['a scope with a space', { scopes: [{ name: 'orders read' }] }, ['scopes', 0, 'name']],
    ['a scope of OpenID Connect', { scopes: [{ name: 'openid' }] }, ['scopes', 0, 'name']],
    ['a scope twice', { scopes: [{ name: 'a' }, { name: 'a' }] }, ['scopes', 1, 'name']],
    ['101 scopes', { scopes: Array.from({ length: 101 }, (_, index) => ({ name: `s${index}` })) }, ['scopes']],
    ['a lifetime of 0', { accessTokenLifetime: 0 }, ['accessTokenLifetime']],
    ['an unknown algorithm', { accessTokenSigningAlg: 'none' }, ['accessTokenSigningAlg']],
    ['an unknown client that introspects', { introspectionClientIds: ['cli_x'] }, ['introspectionClientIds', 0]],
    ['automatic clients without their extension', { allowsAutomaticClients: true }, ['allowsAutomaticClients']],
    ['bound tokens without their extension', { requireDpop: true }, ['requireDpop']],
  ])('is refused %s, at the field', async (_, fields, at) => {
    const { owner } = await organisation()
    const answer = await owner.post(path, newResourceServer(fields))
    expect(answer).toMatchObject({ status: 400, body: { errors: [{ path: at }] } })
    expect((await owner.get(path)).body.total).toBe(0)
  })

  it('is introspected by confidential clients alone', async () => {
    const own = await organisation()
    const app = await givenApplication(service(), { organisation: own, clientType: 'public' })
    expect(await own.owner.post(path, newResourceServer({ introspectionClientIds: [app.id] }))).toMatchObject({
      status: 400,
      body: { errors: [{ path: ['introspectionClientIds', 0], reason: 'public-client-cannot-introspect' }] },
    })
  })

  it('tells what it has to publish about itself', async () => {
    const { owner } = await organisation()
    const { id, identifier } = await resourceServer(owner, { identifier: `https://api.example.test/${unique()}` })
    const url = identifier.replace('https://api.example.test', 'https://api.example.test/.well-known/oauth-protected-resource')

    expect((await owner.get(`${path}/${id}/metadata`)).body).toEqual({
      url,
      document: {
        resource: identifier,
        resource_name: 'Orders API',
        authorization_servers: ['http://gatehouse.test'],
        scopes_supported: ['orders:read'],
        bearer_methods_supported: ['header'],
      },
      wwwAuthenticate: `Bearer resource_metadata="${url}"`,
    })
  })

  it('that takes bound tokens alone publishes that, and asks for a proof instead of a bearer token', async () => {
    const { owner } = await withProofs().given.organisation()
    const { id } = await resourceServer(owner, { requireDpop: true })
    const { body } = await owner.get(`${path}/${id}/metadata`)
    expect(body.document).toMatchObject({
      dpop_bound_access_tokens_required: true,
      dpop_signing_alg_values_supported: ['EdDSA', 'Ed25519', 'ES256', 'PS256', 'RS256'],
    })
    expect(body.wwwAuthenticate).toBe(`DPoP algs="EdDSA Ed25519 ES256 PS256 RS256", resource_metadata="${body.url}"`)
  })

  it('is one of at most 200 of its organisation', async () => {
    const { owner, id } = await organisation()
    const tenant = service().database.tenant(id)
    const times = { createdAt: tenant.now, updatedAt: tenant.now }
    const others = Array.from({ length: 199 }, (_, index) => ({
      ...{ id: `rsv_${id.slice(4)}${index}`, name: `API ${index}`, identifier: `https://api.example.test/${id}/${index}`, scopes: '[]' },
      ...times,
    }))
    await tenant.insertInto('resourceServers').values(others).execute()
    expect((await owner.post(path, newResourceServer())).status).toBe(201)
    expect(await owner.post(path, newResourceServer())).toMatchObject({ status: 400, body: { code: 'too-many-resource-servers' } })
  })

  it('is not deleted while it is the default of a client, and leaves the others', async () => {
    const own = await organisation()
    const { owner } = own
    const { id, identifier } = await resourceServer(owner)
    const app = await givenApplication(service(), { organisation: own, resourceServerIds: [id], defaultResource: identifier })

    expect(await owner.delete(`${path}/${id}`)).toMatchObject({ status: 409, body: { code: 'resource-server-is-default' } })
    await owner.patch(`/v1/admin/clients/${app.id}`, { defaultResource: null })
    expect(await owner.delete(`${path}/${id}`)).toMatchObject({ status: 204 })
    expect((await owner.get(`/v1/admin/clients/${app.id}`)).body).toMatchObject({ resourceServerIds: [], defaultResource: null })
  })

  it('is deleted once the client is, whose default it was', async () => {
    const own = await organisation()
    const { id, identifier } = await resourceServer(own.owner)
    const app = await givenApplication(service(), { organisation: own, resourceServerIds: [id], defaultResource: identifier })
    await own.owner.delete(`/v1/admin/clients/${app.id}`)
    expect(await own.owner.delete(`${path}/${id}`)).toMatchObject({ status: 204 })
  })

  it('is found by its name and its identifier', async () => {
    const { owner } = await organisation()
    const { id, identifier } = await resourceServer(owner, { name: 'Orders API' })
    for (const q of ['orders', identifier, id]) {
      expect((await owner.get(`/v1/admin/search?q=${encodeURIComponent(q)}`)).body.data).toMatchObject([
        { type: 'resource_server', id, title: 'Orders API', subtitle: identifier },
      ])
    }
  })

  it('is given back what a change took from it', async () => {
    const { owner } = await organisation()
    const { id } = await resourceServer(owner)
    await owner.patch(`${path}/${id}`, { name: 'Orders', scopes: [] })
    const [entry] = (await owner.get(`/v1/admin/audit-logs?targetId=${id}&action=resource_server.updated`)).body.data
    expect((await owner.post(`/v1/admin/audit-logs/${entry.id}/undo`, {})).status).toBeLessThan(300)
    expect((await owner.get(`${path}/${id}`)).body).toMatchObject({ name: 'Orders API', scopes: [{ name: 'orders:read' }] })
  })
})

describe('a client', () => {
  it('is found by the resource server that it may ask for, and by a scope', async () => {
    const own = await organisation()
    const { owner } = own
    const { id } = await resourceServer(owner)
    const reading = await givenApplication(service(), { organisation: own, resourceServerIds: [id], scopes: ['orders:read'] })
    const other = await givenApplication(service(), { organisation: own, resourceServerIds: [id], scopes: ['openid'] })
    const elsewhere = await givenApplication(service(), { organisation: own, scopes: ['orders:read'] })
    const found = async (query: string) => {
      const { body } = await owner.get(`/v1/admin/clients?${query}`)
      expect(body.total).toBe(body.data.length)
      return body.data.map((client: { id: string }) => client.id)
    }
    expect(await found(`resourceServerId=${id}`)).toEqual([reading.id, other.id])
    expect(await found('scope=orders:read')).toEqual([reading.id, elsewhere.id])
    expect(await found(`resourceServerId=${id}&scope=orders:read`)).toEqual([reading.id])
    expect(await found('resourceServerId=rsv_unknown')).toEqual([])
  })

  it.each<[string, (own: { id: string; identifier: string }, foreign: { id: string; identifier: string }) => object, (string | number)[]]>([
    ['a resource server of another organisation', (_, { id }) => ({ resourceServerIds: [id] }), ['resourceServerIds', 0]],
    ['a default that it may not ask for', ({ identifier }) => ({ defaultResource: identifier }), ['defaultResource']],
    [
      'a default of another organisation',
      ({ id }, { identifier }) => ({ resourceServerIds: [id], defaultResource: identifier }),
      ['defaultResource'],
    ],
  ])('is refused %s', async (_, fieldsOf, at) => {
    const own = await organisation()
    const fields = fieldsOf(await resourceServer(own.owner), await resourceServer((await organisation()).owner))
    const app = await givenApplication(service(), { organisation: own })
    expect(await own.owner.patch(`/v1/admin/clients/${app.id}`, fields)).toMatchObject({ status: 400, body: { errors: [{ path: at }] } })
  })
})
