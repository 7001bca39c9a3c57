import { createLocalJWKSet, jwtVerify } from 'jose'
import { describe, expect, it } from 'vitest'
import {
  browserOf,
  callbackOf,
  claimsOf,
  consentPath,
  decideConsent,
  givenApplication,
  headerOf,
  pkce,
  type Registration,
  type TestApplication,
} from '../support/oauth.ts'
import { resourceServer } from '../support/resource-servers.ts'
import { useService } from '../support/service.ts'

const service = useService({ environment: { OAUTH_EXTENSIONS: 'resource_indicators' } })

/** An organisation with two APIs, Orders and Bills, and an application that may ask for both. */
async function world(registration: Registration = {}) {
  const organisation = await service().given.organisation()
  const orders = await resourceServer(organisation.owner, { name: 'Orders API', scopes: scopesOf('orders:read', 'orders:write') })
  const bills = await resourceServer(organisation.owner, { name: 'Bills API', scopes: scopesOf('bills:read') })
  const app = await givenApplication(service(), {
    organisation,
    grantTypes: ['authorization_code', 'refresh_token', 'client_credentials'],
    scopes: ['orders:read', 'bills:read', 'portal'],
    resourceServerIds: [orders.id, bills.id],
    ...registration,
  })
  return { organisation, owner: organisation.owner, orders, bills, app }
}

const scopesOf = (...names: string[]) => names.map((name) => ({ name, description: `May do ${name}` }))
const grant = { grant_type: 'client_credentials' }

/** Sends a form with a parameter that comes more than once. */
const withResources = (app: TestApplication, form: Record<string, string>, resources: readonly string[]) =>
  service().anonymous.post(
    '/oauth2/token',
    new URLSearchParams([...Object.entries(form), ...resources.map((one): [string, string] => ['resource', one])]).toString(),
    {
      headers: { 'content-type': 'application/x-www-form-urlencoded', ...app.authorization },
    },
  )

describe('a token for a resource server', () => {
  it('names its identifier alone as audience, with the claims and the type of RFC 9068', async () => {
    const { app, orders } = await world()

    const { body } = await app.token({ ...grant, resource: orders.identifier, scope: 'orders:read' })

    const keys = createLocalJWKSet((await service().anonymous.get('/oauth2/jwks.json')).body)
    const { payload } = await jwtVerify(body.access_token, keys, { audience: orders.identifier, typ: 'at+jwt', algorithms: ['EdDSA'] })
    expect(payload).toEqual({
      iss: 'http://gatehouse.test',
      sub: app.id,
      client_id: app.id,
      aud: orders.identifier,
      exp: (payload.iat ?? 0) + 3600,
      iat: expect.any(Number),
      jti: expect.any(String),
      scope: 'orders:read',
      org: app.organisation.id,
      roles: [],
    })
  })

  it('is for the client itself where neither the request nor the client names one', async () => {
    const { app } = await world()
    const { body } = await app.token({ ...grant, scope: 'orders:read' })
    expect(claimsOf(body.access_token)).toMatchObject({ aud: app.id, scope: 'orders:read' })
  })

  it('is for the default of the client where the request names none, also for openid alone', async () => {
    const { app, orders, owner } = await world()
    expect(await owner.patch(`/v1/admin/clients/${app.id}`, { defaultResource: orders.identifier })).toMatchObject({ status: 200 })

    expect(claimsOf((await app.token(grant)).body.access_token)).toMatchObject({ aud: orders.identifier, scope: 'orders:read' })
    const { access_token } = await app.signIn({ scope: 'openid' })
    expect(claimsOf(access_token).aud).toEqual([orders.identifier, 'http://gatehouse.test'])
  })

  it('compares identifiers after lower-casing scheme and host and without the slash of an empty path', async () => {
    const { owner, app } = await world()
    const bare = await resourceServer(owner, { identifier: `https://${Date.now()}.example.test` })
    await owner.patch(`/v1/admin/clients/${app.id}`, { resourceServerIds: [bare.id] })
    const sent = `HTTPS://${new URL(bare.identifier).host.toUpperCase()}/`

    expect(claimsOf((await app.token({ ...grant, resource: sent })).body.access_token).aud).toBe(bare.identifier)
    expect(await app.token({ ...grant, resource: `${bare.identifier}/v1/` })).toMatchObject({ body: { error: 'invalid_target' } })
  })

  it('has all scopes of the resource servers that the client may have when it names no scope', async () => {
    const { app, orders, bills } = await world()
    expect((await app.token({ ...grant, resource: orders.identifier })).body.scope).toBe('orders:read')
    const { body } = await withResources(app, grant, [orders.identifier, bills.identifier])
    expect(claimsOf(body.access_token)).toMatchObject({ aud: [orders.identifier, bills.identifier], scope: 'orders:read bills:read' })
  })

  it('may have scopes of the client that no resource server defines, and none of one that was not asked for', async () => {
    const { app, orders } = await world()
    const ask = (scope: string) => app.token({ ...grant, resource: orders.identifier, scope })

    expect((await ask('orders:read portal')).body.scope).toBe('orders:read portal')
    expect(await ask('bills:read')).toMatchObject({ status: 400, body: { error: 'invalid_scope' } })
    expect(await ask('orders:write')).toMatchObject({ status: 400, body: { error: 'invalid_scope' } })
  })

  it('is signed, lasts and tells how the user signed in as the resource server says', async () => {
    const { app, owner, orders, bills } = await world()
    await owner.patch(`/v1/admin/resource-servers/${orders.id}`, {
      accessTokenLifetime: 60,
      accessTokenSigningAlg: 'RS256',
      includeAuthenticationContext: true,
    })

    const { access_token, expires_in } = await app.signIn({ scope: 'openid', resource: orders.identifier })
    expect(headerOf(access_token)).toMatchObject({ alg: 'RS256', typ: 'at+jwt' })
    expect(expires_in).toBe(60)
    expect(claimsOf(access_token)).toMatchObject({ acr: 'aal1', amr: ['pwd'], auth_time: expect.any(Number) })
    expect((await app.userInfo(access_token)).body).toEqual({ sub: owner.id })

    const both = await withResources(app, grant, [bills.identifier, orders.identifier])
    expect(both.body.expires_in).toBe(60)
    expect(headerOf(both.body.access_token)).toMatchObject({ alg: 'RS256' })
    expect(headerOf((await app.token({ ...grant, resource: bills.identifier })).body.access_token)).toMatchObject({ alg: 'EdDSA' })
  })
})

describe('a resource', () => {
  it.each<[string, (given: Awaited<ReturnType<typeof world>>) => string | Promise<string>]>([
    ['is unknown', () => 'https://unknown.example.test'],
    ['is no URI', () => 'orders'],
    ['has a fragment', ({ orders }) => `${orders.identifier}#part`],
    ['has a space', ({ orders }) => `${orders.identifier} https://other.example.test`],
    ['is a URN', () => 'urn:example:orders'],
    [
      'is not allowed to the client',
      async ({ owner, orders, app }) => {
        await owner.patch(`/v1/admin/clients/${app.id}`, { resourceServerIds: [] })
        return orders.identifier
      },
    ],
    [
      'is inactive',
      async ({ owner, orders }) => {
        await owner.patch(`/v1/admin/resource-servers/${orders.id}`, { isActive: false })
        return orders.identifier
      },
    ],
    ['is of another organisation', async () => (await world()).orders.identifier],
  ])('is refused as invalid_target when it %s', async (_, prepare) => {
    const given = await world()
    const resource = await prepare(given)

    expect(await given.app.token({ ...grant, resource })).toMatchObject({ status: 400, body: { error: 'invalid_target' } })
    const { challenge } = pkce()
    const answer = await given.app.authorize({ code_challenge: challenge, code_challenge_method: 'S256', scope: 'openid', resource })
    expect(callbackOf(answer).get('error')).toBe('invalid_target')
  })

  it('may come more than once, but not without end', async () => {
    const { app, orders } = await world()
    const many = Array.from({ length: 21 }, (_, index) => `https://${index}.example.test`)
    expect(await withResources(app, grant, many)).toMatchObject({ status: 400, body: { error: 'invalid_request' } })
    expect(await withResources(app, grant, [orders.identifier, orders.identifier, ''])).toMatchObject({ status: 200 })
  })
})

describe('what was authorized for several resource servers', () => {
  /** A sign-in for both, with a refresh token. */
  async function signedIn() {
    const given = await world()
    const { app, orders, bills } = given
    const { verifier, challenge } = pkce()
    const query = new URLSearchParams({
      ...{ response_type: 'code', client_id: app.id, redirect_uri: app.redirectUri, state: 'xyz' },
      ...{ code_challenge: challenge, code_challenge_method: 'S256', scope: 'openid offline_access orders:read bills:read portal' },
    })
    for (const { identifier } of [orders, bills]) query.append('resource', identifier)
    const answer = await given.owner.get(`/oauth2/authorize?${query}`)
    return { ...given, code: callbackOf(answer).get('code') ?? '', verifier }
  }

  it('is narrowed by the token request, with the scope, and the family keeps all of it', async () => {
    const { app, orders, bills, code, verifier } = await signedIn()

    const first = await app.redeem(code, verifier, { resource: orders.identifier })
    expect(first.body.scope).toBe('openid offline_access orders:read portal')
    expect(claimsOf(first.body.access_token)).toMatchObject({ aud: [orders.identifier, 'http://gatehouse.test'], scope: first.body.scope })

    const second = await app.refresh(first.body.refresh_token, { resource: bills.identifier })
    expect(claimsOf(second.body.access_token)).toMatchObject({
      aud: [bills.identifier, 'http://gatehouse.test'],
      scope: 'openid offline_access bills:read portal',
    })
    const narrowed = await app.refresh(second.body.refresh_token, { resource: bills.identifier, scope: 'bills:read' })
    expect(claimsOf(narrowed.body.access_token)).toMatchObject({ aud: bills.identifier, scope: 'bills:read' })
    const third = await app.refresh(narrowed.body.refresh_token)
    expect(claimsOf(third.body.access_token).aud).toEqual([orders.identifier, bills.identifier, 'http://gatehouse.test'])
    expect(third.body.scope).toBe('openid offline_access orders:read bills:read portal')
  })

  it('never becomes more: neither another resource nor a scope of one that the request leaves out', async () => {
    const { app, owner, orders, bills, code, verifier } = await signedIn()
    const other = await resourceServer(owner)
    await owner.patch(`/v1/admin/clients/${app.id}`, { resourceServerIds: [orders.id, bills.id, other.id] })
    const refused = { status: 400, body: { error: 'invalid_target' } }

    expect(await app.redeem(code, verifier, { resource: other.identifier })).toMatchObject(refused)
    const { body } = await app.redeem(code, verifier)
    expect(await app.refresh(body.refresh_token, { resource: other.identifier })).toMatchObject(refused)
    expect(await app.refresh(body.refresh_token, { resource: orders.identifier, scope: 'bills:read' })).toMatchObject({
      status: 400,
      body: { error: 'invalid_scope' },
    })
    expect((await app.refresh(body.refresh_token)).status).toBe(200)
  })

  it('without a resource earns no token for one afterwards', async () => {
    const { app, orders } = await world()
    const { code, verifier } = await app.code({ scope: 'openid offline_access' })
    expect(await app.redeem(code, verifier, { resource: orders.identifier })).toMatchObject({
      status: 400,
      body: { error: 'invalid_target' },
    })
    const { body } = await app.redeem(code, verifier)
    expect(await app.refresh(body.refresh_token, { resource: orders.identifier })).toMatchObject({ body: { error: 'invalid_target' } })
  })

  it.each<[string, (given: Awaited<ReturnType<typeof signedIn>>) => Promise<unknown>]>([
    ['deactivated', ({ owner, orders }) => owner.patch(`/v1/admin/resource-servers/${orders.id}`, { isActive: false })],
    ['deleted', ({ owner, orders }) => owner.delete(`/v1/admin/resource-servers/${orders.id}`)],
  ])('ends at once for one that is %s, and lives on for the others', async (_, end) => {
    const given = await signedIn()
    const { app, owner, orders, bills, code, verifier } = given
    await owner.patch(`/v1/admin/resource-servers/${bills.id}`, { introspectionClientIds: [app.id] })
    const { body } = await app.redeem(code, verifier, { resource: orders.identifier })
    expect((await app.introspect(body.access_token)).body).toMatchObject({ active: true })
    service().clock.advance({ seconds: 1 })

    await end(given)

    expect((await app.introspect(body.access_token)).body).toEqual({ active: false })
    expect(await app.userInfo(body.access_token)).toMatchObject({ status: 401 })
    expect(await app.refresh(body.refresh_token, { resource: orders.identifier })).toMatchObject({ body: { error: 'invalid_target' } })
    const refreshed = await app.refresh(body.refresh_token)
    expect(claimsOf(refreshed.body.access_token).aud).toEqual([bills.identifier, 'http://gatehouse.test'])

    await owner.patch(`/v1/admin/resource-servers/${orders.id}`, { isActive: true })
    expect((await app.introspect(body.access_token)).body).toEqual({ active: false })
    expect((await app.introspect(refreshed.body.refresh_token)).body).toMatchObject({ active: true })
    await owner.delete(`/v1/admin/resource-servers/${bills.id}`)
    await owner.delete(`/v1/admin/resource-servers/${orders.id}`)
    expect((await app.introspect(refreshed.body.refresh_token)).body).toEqual({ active: false })
    expect(await app.refresh(refreshed.body.refresh_token)).toMatchObject({ status: 400, body: { error: 'invalid_target' } })
  })

  it('is introspected as it would be refreshed: without the scopes of one that is inactive, and not at all without any', async () => {
    const { app, owner, orders, bills, code, verifier } = await signedIn()
    const { refresh_token: token } = (await app.redeem(code, verifier)).body
    const set = ({ id }: { id: string }, isActive: boolean) => owner.patch(`/v1/admin/resource-servers/${id}`, { isActive })
    const shown = async () => (await app.introspect(token)).body
    expect(await shown()).toMatchObject({ scope: 'openid offline_access orders:read bills:read portal' })

    await set(orders, false)
    expect(await shown()).toMatchObject({ active: true, scope: 'openid offline_access bills:read portal' })
    await set(bills, false)
    expect(await shown()).toEqual({ active: false })
    await set(orders, true)
    expect(await shown()).toMatchObject({ active: true, scope: 'openid offline_access orders:read portal' })
    await owner.patch(`/v1/admin/clients/${app.id}`, { resourceServerIds: [] })
    expect(await shown()).toEqual({ active: false })
  })

  it('leaves nothing of one that is deleted to the others', async () => {
    const { app, owner, orders, code, verifier } = await signedIn()
    await owner.delete(`/v1/admin/resource-servers/${orders.id}`)
    const { body } = await app.redeem(code, verifier)
    expect(body.scope).toBe('openid offline_access bills:read portal')
    expect((await app.refresh(body.refresh_token)).body.scope).toBe('openid offline_access bills:read portal')
  })

  it('gives a scope of one, or of the client, to no other one that begins to define it', async () => {
    const { app, owner, bills, code, verifier } = await signedIn()
    const { body } = await app.redeem(code, verifier)
    const scopes = scopesOf('bills:read', 'orders:read', 'portal')
    await owner.patch(`/v1/admin/resource-servers/${bills.id}`, { scopes })
    const refreshed = await app.refresh(body.refresh_token, { resource: bills.identifier })
    expect(refreshed.body.scope).toBe('openid offline_access bills:read')
  })

  it('has no scope any more that its resource server has ceased to define', async () => {
    const { app, owner, orders, code, verifier } = await signedIn()
    const { body } = await app.redeem(code, verifier)
    await owner.patch(`/v1/admin/resource-servers/${orders.id}`, { scopes: scopesOf('orders:write') })
    expect((await app.refresh(body.refresh_token)).body.scope).toBe('openid offline_access bills:read portal')
  })

  it('is answered again within the grace for the same resource alone', async () => {
    const { app, owner, orders, bills, code, verifier } = await signedIn()
    await owner.patch(`/v1/admin/clients/${app.id}`, { refreshTokenGraceSeconds: 30 })
    const { body } = await app.redeem(code, verifier)
    const first = await app.refresh(body.refresh_token, { resource: orders.identifier })

    expect((await app.refresh(body.refresh_token, { resource: orders.identifier })).body).toEqual(first.body)
    expect(await app.refresh(body.refresh_token, { resource: bills.identifier })).toMatchObject({ body: { error: 'invalid_target' } })
    expect((await app.refresh(first.body.refresh_token)).status).toBe(200)
  })
})

describe('introspection of a token for a resource server', () => {
  it('is for the client that has the token, and for those that the resource server names', async () => {
    const { organisation, owner, app, orders, bills } = await world()
    const [api, other] = await Promise.all([1, 2].map(() => givenApplication(service(), { organisation })))
    await owner.patch(`/v1/admin/resource-servers/${orders.id}`, { introspectionClientIds: [api?.id] })
    await owner.patch(`/v1/admin/resource-servers/${bills.id}`, { introspectionClientIds: [other?.id] })
    const { body } = await app.token({ ...grant, resource: orders.identifier })

    const seen = { active: true, aud: orders.identifier, scope: 'orders:read', client_id: app.id }
    expect((await api?.introspect(body.access_token))?.body).toMatchObject(seen)
    expect((await app.introspect(body.access_token)).body).toMatchObject(seen)
    expect((await other?.introspect(body.access_token))?.body).toEqual({ active: false })
    const own = await app.token({ ...grant, scope: 'portal' })
    expect((await other?.introspect(own.body.access_token))?.body).toMatchObject({ active: true, aud: app.id })
  })

  it('is for the same clients where it is a refresh token', async () => {
    const { organisation, owner, app, orders } = await world()
    const api = await givenApplication(service(), { organisation })
    const other = await givenApplication(service(), { organisation })
    await owner.patch(`/v1/admin/resource-servers/${orders.id}`, { introspectionClientIds: [api.id] })
    const { refresh_token: token } = await app.signIn({ scope: 'openid offline_access orders:read', resource: orders.identifier })

    for (const client of [app, api]) {
      expect((await client.introspect(token)).body).toMatchObject({ active: true, scope: 'openid offline_access orders:read' })
    }
    expect((await other.introspect(token)).body).toEqual({ active: false })
  })
})

describe('UserInfo', () => {
  it('takes a token for a resource server only when openid was granted', async () => {
    const { app, orders } = await world()
    const withOpenid = await app.signIn({ scope: 'openid orders:read', resource: orders.identifier })
    expect((await app.userInfo(withOpenid.access_token)).status).toBe(200)
    const without = await app.signIn({ scope: 'orders:read', resource: orders.identifier })
    expect(await app.userInfo(without.access_token)).toMatchObject({ status: 403 })
    expect(claimsOf(without.access_token).aud).toBe(orders.identifier)
  })
})

describe('consent', () => {
  async function asks(app: TestApplication, form: Record<string, string>): Promise<string | undefined> {
    const { challenge } = pkce()
    const answer = await app.authorize({ code_challenge: challenge, code_challenge_method: 'S256', ...form })
    const location = answer.headers.get('location') ?? ''
    return location.startsWith('/oauth2/consent') ? (new URL(location, 'http://x').searchParams.get('request') ?? undefined) : undefined
  }

  it('names the resource server, its identifier and what each scope allows', async () => {
    const { app, owner, orders } = await world({ requireConsent: true })
    const reference = await asks(app, { scope: 'openid orders:read portal', resource: orders.identifier })
    const { body } = await browserOf(owner).open(consentPath(reference ?? ''))
    for (const text of ['Orders API', orders.identifier, 'May do orders:read', 'Use “portal”', 'Know who you are'])
      expect(body).toContain(text)
    expect(body).not.toContain('May do orders:write')
  })

  it('is remembered for the client and each resource server', async () => {
    const { app, owner, orders, bills } = await world({ requireConsent: true })
    const atOrders = { scope: 'openid orders:read', resource: orders.identifier }
    await decideConsent(owner, (await asks(app, atOrders)) ?? '', 'allow')

    expect(await asks(app, atOrders)).toBeUndefined()
    expect(await asks(app, { scope: 'openid' })).toBeUndefined()
    expect(await asks(app, { scope: 'openid orders:read' })).toBeDefined()
    expect(await asks(app, { scope: 'openid', resource: bills.identifier })).toBeDefined()
    expect((await owner.get('/v1/me/consents')).body.data).toMatchObject([
      {
        clientId: app.id,
        scopes: ['openid', 'orders:read'],
        resources: [{ id: orders.id, name: 'Orders API', identifier: orders.identifier, scopes: ['orders:read'] }],
      },
    ])

    expect(await owner.delete(`/v1/me/consents/${app.id}`)).toMatchObject({ status: 204 })
    expect(await asks(app, atOrders)).toBeDefined()
  })
})
