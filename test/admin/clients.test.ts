import { describe, expect, it } from 'vitest'
import type { HttpClient } from '../support/http-client.ts'
import { useService } from '../support/service.ts'

const service = useService()

const webApplication = {
  name: 'Acme Portal',
  clientType: 'confidential',
  redirectUris: ['https://portal.acme.test/callback'],
} as const
const browserApplication = { ...webApplication, clientType: 'public' } as const

async function register(admin: HttpClient, fields: Record<string, unknown> = {}) {
  const created = await admin.post('/v1/admin/clients', { ...webApplication, ...fields })
  expect(created).toMatchObject({ status: 201 })
  return created.body
}

async function auditOf(admin: HttpClient, targetId: string) {
  return (await admin.audit({ targetId })) as { action: string; changes: Record<string, { from: unknown; to: unknown }> | null }[]
}

async function storedClient(id: string) {
  return service().database.system().selectFrom('clients').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
}

describe('POST /v1/admin/clients', () => {
  it('registers a confidential client with the documented defaults and shows its secret once', async () => {
    const organisation = await service().given.organisation()
    const { owner } = organisation

    const created = await owner.post('/v1/admin/clients', webApplication)

    expect(created.status).toBe(201)
    expect(created.headers.get('cache-control')).toBe('no-store')
    const { clientSecret, ...client } = created.body
    expect(clientSecret).toMatch(/^[\w-]{43}$/)
    expect(client).toEqual({
      id: expect.stringMatching(/^cli_[0-9a-z]{26}$/),
      clientId: client.id,
      name: 'Acme Portal',
      description: null,
      clientType: 'confidential',
      tokenEndpointAuthMethod: 'client_secret_basic',
      redirectUris: ['https://portal.acme.test/callback'],
      postLogoutRedirectUris: [],
      initiateLoginUri: null,
      jwks: null,
      jwksUri: null,
      tokenEndpointAuthSigningAlg: null,
      requireSignedRequestObject: false,
      requestObjectSigningAlg: null,
      grantTypes: ['authorization_code', 'refresh_token'],
      scopes: [],
      requirePkce: true,
      allowPlainPkce: true,
      requireConsent: false,
      requirePushedAuthorizationRequests: false,
      requireDpop: false,
      tlsClientAuth: null,
      certificateBoundAccessTokens: false,
      profile: null,
      federatedCredentials: [],
      isActive: true,
      refreshTokenGraceSeconds: 0,
      accessTokenLifetime: 3600,
      refreshTokenLifetime: 2592000,
      refreshTokenAbsoluteLifetime: 15552000,
      idTokenLifetime: 3600,
      authorizationCodeTtl: 600,
      idTokenSignedResponseAlg: 'EdDSA',
      introspectionSignedResponseAlg: null,
      defaultAcrValues: null,
      defaultMaxAge: null,
      backchannelLogoutUri: null,
      backchannelLogoutSessionRequired: false,
      backchannelLogoutRevokesRefresh: false,
      claimMappings: [],
      origin: 'admin',
      metadataUrl: null,
      registration: null,
      resourceServerIds: null,
      defaultResource: null,
      logoUrl: null,
      organisationId: organisation.id,
      createdAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
      updatedAt: client.createdAt,
      lastUsedAt: null,
      secret: { createdAt: client.createdAt, lastUsedAt: null, previousValidUntil: null },
    })
    expect((await owner.get(`/v1/admin/clients/${client.id}`)).body).toEqual(client)
    expect(JSON.stringify(await storedClient(client.id))).not.toContain(clientSecret)
    expect(await auditOf(owner, client.id)).toMatchObject([{ action: 'client.created' }])
  })

  it('registers a public client, which has no secret and authenticates by none', async () => {
    const { owner } = await service().given.organisation()

    const client = await register(owner, browserApplication)

    expect(client).toMatchObject({ clientType: 'public', clientSecret: null, tokenEndpointAuthMethod: 'none', requirePkce: true })
  })

  it('stores every field that is sent', async () => {
    const { owner } = await service().given.organisation()
    const fields = {
      name: 'Shop',
      description: 'Sells things',
      tokenEndpointAuthMethod: 'client_secret_post',
      redirectUris: ['https://shop.test/a', 'http://127.0.0.1:9999/b', 'test.shop.app:/callback'],
      postLogoutRedirectUris: ['https://shop.test/bye'],
      grantTypes: ['authorization_code', 'client_credentials'],
      scopes: ['orders:read', 'orders:write'],
      requirePkce: false,
      allowPlainPkce: false,
      requireConsent: true,
      refreshTokenGraceSeconds: 30,
      accessTokenLifetime: 60,
      refreshTokenLifetime: 86400,
      idTokenLifetime: 120,
      authorizationCodeTtl: 30,
      idTokenSignedResponseAlg: 'RS256',
      logoUrl: 'https://shop.test/logo.svg',
    }

    const client = await register(owner, fields)

    expect(client).toMatchObject(fields)
    expect((await owner.get(`/v1/admin/clients/${client.id}`)).body).toMatchObject(fields)
  })

  it.each([
    [
      'a public client with a secret method',
      { ...browserApplication, tokenEndpointAuthMethod: 'client_secret_basic' },
      ['tokenEndpointAuthMethod'],
    ],
    ['a public client without PKCE', { ...browserApplication, requirePkce: false }, ['requirePkce']],
    ['a public client with client_credentials', { ...browserApplication, grantTypes: ['client_credentials'] }, ['grantTypes']],
    ['authorization_code without redirectUris', { ...webApplication, redirectUris: [] }, ['redirectUris']],
    [
      'a confidential client that does not authenticate',
      { ...webApplication, tokenEndpointAuthMethod: 'none' },
      ['tokenEndpointAuthMethod'],
    ],
    ['a script as redirect URI', { ...webApplication, redirectUris: ['https://a.test/', 'javascript:alert(1)'] }, ['redirectUris', 1]],
    ['data as redirect URI', { ...webApplication, redirectUris: ['data:text/html,x'] }, ['redirectUris', 0]],
    ['plain http to another machine', { ...webApplication, redirectUris: ['http://a.test/'] }, ['redirectUris', 0]],
    ['a redirect URI with a fragment', { ...webApplication, redirectUris: ['https://a.test/#x'] }, ['redirectUris', 0]],
    ['a redirect URI that brings a state along', { ...webApplication, redirectUris: ['https://a.test/?state=x'] }, ['redirectUris', 0]],
    [
      'an address after logout that brings a state along',
      { ...webApplication, postLogoutRedirectUris: ['https://a.test/?state=x'] },
      ['postLogoutRedirectUris', 0],
    ],
    ['ID tokens without a signature', { ...webApplication, idTokenSignedResponseAlg: 'none' }, ['idTokenSignedResponseAlg']],
    [
      'ID tokens signed with a secret that a public client cannot keep',
      { ...browserApplication, idTokenSignedResponseAlg: 'HS256' },
      ['idTokenSignedResponseAlg'],
    ],
    ['a relative address after logout', { ...webApplication, postLogoutRedirectUris: ['/bye'] }, ['postLogoutRedirectUris', 0]],
    ['a scope of OpenID Connect that is not supported', { ...webApplication, scopes: ['address'] }, ['scopes', 0]],
    ['a scope of two words', { ...webApplication, scopes: ['two words'] }, ['scopes', 0]],
    ['an unknown grant', { ...webApplication, grantTypes: ['password'] }, ['grantTypes', 0]],
    ['no grant at all', { ...webApplication, grantTypes: [] }, ['grantTypes']],
    ['a grace beyond a minute', { ...webApplication, refreshTokenGraceSeconds: 61 }, ['refreshTokenGraceSeconds']],
    ['a lifetime of nothing', { ...webApplication, accessTokenLifetime: 0 }, ['accessTokenLifetime']],
    ['no name', { ...webApplication, name: undefined }, ['name']],
    ['no clientType', { ...webApplication, clientType: undefined }, ['clientType']],
    ['a clientType that does not exist', { ...webApplication, clientType: 'native' }, ['clientType']],
  ])('refuses %s and registers nothing', async (_, fields, path) => {
    const { owner } = await service().given.organisation()

    const refused = await owner.post('/v1/admin/clients', fields)

    expect(refused).toMatchObject({ status: 400, body: { detail: 'Invalid input', errors: [{ path }] } })
    expect((await owner.get('/v1/admin/clients')).body).toEqual({ data: [], total: 0 })
  })

  it("stays within the organisation's allowedCallbackUrls and allowedLogoutUrls when it has any", async () => {
    const organisation = await service().given.organisation()
    const { owner } = organisation
    await service()
      .database.tenant(organisation.id)
      .updateTable('organisations')
      .set({ allowedCallbackUrls: ['https://portal.acme.test/callback'], allowedLogoutUrls: ['https://portal.acme.test/'] })
      .execute()

    const refused = await owner.post('/v1/admin/clients', {
      ...webApplication,
      redirectUris: ['https://portal.acme.test/callback', 'https://portal.acme.test/other'],
      postLogoutRedirectUris: ['https://elsewhere.test/'],
    })
    expect(refused.status).toBe(400)
    expect(refused.body.errors.map(({ path }: { path: unknown }) => path)).toEqual([
      ['redirectUris', 1],
      ['postLogoutRedirectUris', 0],
    ])

    const client = await register(owner, { postLogoutRedirectUris: ['https://portal.acme.test/'] })
    const changed = await owner.patch(`/v1/admin/clients/${client.id}`, { redirectUris: ['https://elsewhere.test/'] })
    expect(changed).toMatchObject({ status: 400, body: { errors: [{ path: ['redirectUris', 0] }] } })
  })

  it('needs clients:create', async () => {
    const { owner } = await service().given.organisation()
    const reader = await service().given.userWith(owner, ['clients:read'])

    const refused = await reader.post('/v1/admin/clients', webApplication)

    expect(refused).toMatchObject({ status: 403, body: { detail: 'Missing required permission: clients:create' } })
  })
})

describe('GET /v1/admin/clients', () => {
  it('lists the clients of the organisation without their secrets, and no others', async () => {
    const { owner } = await service().given.organisation()
    const other = await service().given.organisation()
    await register(other.owner)
    const first = await register(owner, { name: 'First' })
    const second = await register(owner, { name: 'Second' })

    const list = await owner.get('/v1/admin/clients')

    expect(list).toMatchObject({ status: 200, body: { data: [{ id: first.id }, { id: second.id }], total: 2 } })
    for (const { secret, ...client } of list.body.data) {
      expect(JSON.stringify(client)).not.toMatch(/secret(?!_)/i)
      expect(Object.keys(secret)).toEqual(['createdAt', 'lastUsedAt', 'previousValidUntil'])
    }
    expect(JSON.stringify(list.body)).not.toContain(first.clientSecret)
    expect(JSON.stringify(list.body)).not.toContain((await storedClient(first.id)).secretHash)

    const page = await owner.get('/v1/admin/clients?limit=1')
    expect(page.body).toMatchObject({ data: [{ id: first.id }], total: 2, nextCursor: expect.any(String) })
    expect((await owner.get(`/v1/admin/clients?limit=1&cursor=${page.body.nextCursor}`)).body).toMatchObject({
      data: [{ id: second.id }],
      nextCursor: null,
    })
  })

  it('searches by the beginning of the name and sorts by it, as extensions', async () => {
    const { owner } = await service().given.organisation()
    for (const name of ['Beta', 'alpha', 'Alpine']) await register(owner, { name })
    const names = async (query: string) =>
      (await owner.get(`/v1/admin/clients?${query}`)).body.data.map((client: { name: string }) => client.name)

    expect(await names('q=AL&sort=-name')).toEqual(['Alpine', 'alpha'])
    expect(await names('sort=name&limit=2')).toEqual(['alpha', 'Alpine'])
  })

  it("shows lifetimes of the organisation's policy where the client has none of its own", async () => {
    const organisation = await service().given.organisation()
    const client = await register(organisation.owner, { idTokenLifetime: 60 })
    await service()
      .database.tenant(organisation.id)
      .updateTable('organisations')
      .set({ tokenLifetimePolicy: JSON.stringify({ accessToken: 900, idToken: 900 }) })
      .execute()

    expect((await organisation.owner.get(`/v1/admin/clients/${client.id}`)).body).toMatchObject({
      accessTokenLifetime: 900,
      refreshTokenLifetime: 2592000,
      idTokenLifetime: 60,
    })
  })
})

describe('GET /v1/admin/clients/:id', () => {
  it("responds 404 for another organisation's client, as for one that never existed", async () => {
    const { owner } = await service().given.organisation()
    const foreign = await register((await service().given.organisation()).owner)

    const answers = await Promise.all(
      [foreign.id, 'cli_00000000000000000000000000', 'nonsense'].map((id) => owner.get(`/v1/admin/clients/${id}`)),
    )

    for (const answer of answers) expect(answer).toMatchObject({ status: 404, body: { detail: 'Client not found' } })
  })
})

describe('PATCH /v1/admin/clients/:id', () => {
  it('changes only the fields that are sent, and records before and after', async () => {
    const { owner } = await service().given.organisation()
    const { clientSecret, ...client } = await register(owner)

    const changed = await owner.patch(`/v1/admin/clients/${client.id}`, {
      name: 'New name',
      scopes: ['orders:read'],
      accessTokenLifetime: 60,
    })

    expect(changed).toMatchObject({ status: 200 })
    expect(changed.body).toEqual({
      ...client,
      name: 'New name',
      scopes: ['orders:read'],
      accessTokenLifetime: 60,
      updatedAt: expect.any(String),
    })
    expect((await auditOf(owner, client.id))[0]).toMatchObject({
      action: 'client.updated',
      changes: {
        name: { from: 'Acme Portal', to: 'New name' },
        scopes: { from: [], to: ['orders:read'] },
        accessTokenLifetime: { from: 3600, to: 60 },
      },
    })
  })

  it('leaves out the scopes of OpenID Connect, which every client may ask for', async () => {
    const { owner } = await service().given.organisation()
    const scopes = ['openid', 'profile', 'orders:read', 'email', 'phone', 'offline_access']
    const client = await register(owner, { scopes })
    expect(client.scopes).toEqual(['orders:read'])
    const changed = await owner.patch(`/v1/admin/clients/${client.id}`, { scopes: ['openid', 'orders:write'] })
    expect(changed).toMatchObject({ status: 200, body: { scopes: ['orders:write'] } })
    expect(await storedClient(client.id)).toMatchObject({ scopes: ['orders:write'] })
  })

  it('accepts an initiateLoginUri by https or of loopback, within the callback URLs of the organisation', async () => {
    const { owner } = await service().given.organisation()
    const initiateLoginUri = 'https://portal.acme.test/login'
    const client = await register(owner, { initiateLoginUri })
    expect(client).toMatchObject({ initiateLoginUri })
    const change = (uri: string | null) => owner.patch(`/v1/admin/clients/${client.id}`, { initiateLoginUri: uri })
    const refused = { status: 400, body: { errors: [{ path: ['initiateLoginUri'] }] } }

    for (const uri of ['com.acme.app:/login', 'http://portal.acme.test/login', 'javascript:alert(1)', `${initiateLoginUri}?iss=x`]) {
      expect(await change(uri)).toMatchObject(refused)
    }
    expect(await change('http://127.0.0.1:3000/login')).toMatchObject({ status: 200 })
    await owner.patch('/v1/admin/organisation', { allowedCallbackUrls: ['https://portal.acme.test/callback'] })
    expect(await change('https://evil.test/login')).toMatchObject(refused)
    expect(await change(initiateLoginUri)).toMatchObject({ status: 200, body: { initiateLoginUri } })
    expect(await change(null)).toMatchObject({ status: 200, body: { initiateLoginUri: null } })
  })

  it("lets a lifetime follow the organisation's policy again by null", async () => {
    const { owner } = await service().given.organisation()
    const client = await register(owner, { accessTokenLifetime: 60, refreshTokenLifetime: 120, idTokenLifetime: 180 })

    const changed = await owner.patch(`/v1/admin/clients/${client.id}`, {
      accessTokenLifetime: null,
      refreshTokenLifetime: null,
      idTokenLifetime: null,
    })

    expect(changed.body).toMatchObject({ accessTokenLifetime: 3600, refreshTokenLifetime: 2592000, idTokenLifetime: 3600 })
    expect(await storedClient(client.id)).toMatchObject({ accessTokenLifetime: null, refreshTokenLifetime: null, idTokenLifetime: null })
  })

  it('ignores immutable and unknown fields: clientType, isActive, id', async () => {
    const { owner } = await service().given.organisation()
    const client = await register(owner)

    const changed = await owner.patch(`/v1/admin/clients/${client.id}`, {
      clientType: 'public',
      isActive: false,
      id: 'cli_other',
      organisationId: 'org_other',
      secretHash: 'x',
      tokensValidAfter: '2020-01-01T00:00:00Z',
    })

    expect(changed).toMatchObject({ status: 200, body: { id: client.id, clientType: 'confidential', isActive: true } })
    expect(await storedClient(client.id)).toMatchObject({ tokensValidAfter: null, secretHash: expect.not.stringMatching(/^x$/) })
  })

  it('refuses fields that do not fit the type of the client', async () => {
    const { owner } = await service().given.organisation()
    const client = await register(owner, browserApplication)

    for (const changes of [
      { requirePkce: false },
      { tokenEndpointAuthMethod: 'client_secret_post' },
      { grantTypes: ['client_credentials'] },
      { redirectUris: [] },
    ]) {
      const refused = await owner.patch(`/v1/admin/clients/${client.id}`, changes)
      expect(refused).toMatchObject({ status: 400, body: { errors: [{ path: [Object.keys(changes)[0]] }] } })
    }
    expect(await auditOf(owner, client.id)).toHaveLength(1)
  })
})

describe('POST /v1/admin/clients/:id/rotate-secret', () => {
  it('shows a new secret once and ends the old one at once', async () => {
    const { owner } = await service().given.organisation()
    const client = await register(owner)
    const before = await storedClient(client.id)

    const rotated = await owner.post(`/v1/admin/clients/${client.id}/rotate-secret`)

    expect(rotated).toMatchObject({ status: 200, body: { id: client.id, clientSecret: expect.stringMatching(/^[\w-]{43}$/) } })
    expect(rotated.body.clientSecret).not.toBe(client.clientSecret)
    const stored = await storedClient(client.id)
    expect(stored.secretHash).not.toBe(before.secretHash)
    expect(stored).toMatchObject({ previousSecretHash: null, previousSecretExpiresAt: null })
    expect((await auditOf(owner, client.id))[0]).toMatchObject({ action: 'client.secret_rotated', metadata: { gracePeriodSeconds: 0 } })
  })

  it('accepts the old secret for the gracePeriodSeconds', async () => {
    const { owner } = await service().given.organisation()
    const client = await register(owner)
    const before = await storedClient(client.id)

    const rotated = await owner.post(`/v1/admin/clients/${client.id}/rotate-secret`, { gracePeriodSeconds: 3600 })

    const stored = await storedClient(client.id)
    expect(stored.previousSecretHash).toBe(before.secretHash)
    expect(stored.previousSecretExpiresAt?.getTime()).toBe(new Date(rotated.body.updatedAt).getTime() + 3_600_000)
  })

  it.each([-1, 604801, 1.5, '60', null])('refuses a gracePeriodSeconds of %s', async (gracePeriodSeconds) => {
    const { owner } = await service().given.organisation()
    const client = await register(owner)

    const refused = await owner.post(`/v1/admin/clients/${client.id}/rotate-secret`, { gracePeriodSeconds })

    expect(refused).toMatchObject({ status: 400, body: { errors: [{ path: ['gracePeriodSeconds'] }] } })
  })

  it('refuses a public client, which has no secret', async () => {
    const { owner } = await service().given.organisation()
    const client = await register(owner, browserApplication)

    const refused = await owner.post(`/v1/admin/clients/${client.id}/rotate-secret`)

    expect(refused).toMatchObject({ status: 400, body: { detail: 'A public client has no secret' } })
  })
})

describe('POST /v1/admin/clients/:id/revoke and /activate', () => {
  it('deactivate and activate the client, while tokens from before the revocation stay revoked', async () => {
    const { owner } = await service().given.organisation()
    const client = await register(owner)

    expect(await owner.post(`/v1/admin/clients/${client.id}/revoke`)).toMatchObject({ status: 200, body: { message: expect.any(String) } })
    expect((await owner.get(`/v1/admin/clients/${client.id}`)).body.isActive).toBe(false)
    const { tokensValidAfter } = await storedClient(client.id)
    expect(tokensValidAfter).toBeInstanceOf(Date)

    expect(await owner.post(`/v1/admin/clients/${client.id}/activate`)).toMatchObject({
      status: 200,
      body: { message: expect.any(String) },
    })
    expect((await owner.get(`/v1/admin/clients/${client.id}`)).body.isActive).toBe(true)
    // What was being made during the revocation is from before the activation.
    expect((await storedClient(client.id)).tokensValidAfter?.getTime()).toBeGreaterThan(tokensValidAfter?.getTime() ?? Number.NaN)
    expect(await auditOf(owner, client.id)).toMatchObject([
      { action: 'client.activated', changes: { isActive: { from: false, to: true } } },
      { action: 'client.revoked', changes: { isActive: { from: true, to: false } } },
      { action: 'client.created' },
    ])
  })

  it('change nothing when the client is already in that state', async () => {
    const { owner } = await service().given.organisation()
    const client = await register(owner)

    expect(await owner.post(`/v1/admin/clients/${client.id}/activate`)).toMatchObject({ status: 200 })
    await Promise.all(Array.from({ length: 4 }, () => owner.post(`/v1/admin/clients/${client.id}/revoke`)))

    expect((await auditOf(owner, client.id)).map(({ action }) => action)).toEqual(['client.revoked', 'client.created'])
  })

  it('leave an inactive client without a redirect URI as it is, until it has one', async () => {
    const { owner } = await service().given.organisation()
    const client = await register(owner)
    const path = `/v1/admin/clients/${client.id}`
    await owner.post(`${path}/revoke`)

    expect(await owner.patch(path, { redirectUris: [] })).toMatchObject({ status: 200 })
    expect(await owner.patch(path, { name: 'Portal to be' })).toMatchObject({
      status: 200,
      body: { name: 'Portal to be', isActive: false },
    })
    expect(await owner.post(`${path}/activate`)).toMatchObject({
      status: 400,
      body: { errors: [{ path: ['redirectUris'], reason: 'redirect-uri-missing' }] },
    })
    expect((await owner.get(path)).body.isActive).toBe(false)
    expect((await auditOf(owner, client.id)).map(({ action }) => action)).not.toContain('client.activated')

    await owner.patch(path, { redirectUris: webApplication.redirectUris })
    expect(await owner.post(`${path}/activate`)).toMatchObject({ status: 200 })
  })

  it('need clients:delete to revoke and clients:update to activate', async () => {
    const { owner } = await service().given.organisation()
    const client = await register(owner)
    const deleter = await service().given.userWith(owner, ['clients:delete'])
    const updater = await service().given.userWith(owner, ['clients:update'])

    expect(await updater.post(`/v1/admin/clients/${client.id}/revoke`)).toMatchObject({ status: 403 })
    expect(await deleter.post(`/v1/admin/clients/${client.id}/revoke`)).toMatchObject({ status: 200 })
    expect(await deleter.post(`/v1/admin/clients/${client.id}/activate`)).toMatchObject({ status: 403 })
    expect(await updater.post(`/v1/admin/clients/${client.id}/activate`)).toMatchObject({ status: 200 })
  })
})

describe('DELETE /v1/admin/clients/:id', () => {
  it('deletes the client for good', async () => {
    const { owner } = await service().given.organisation()
    const client = await register(owner)

    expect(await owner.delete(`/v1/admin/clients/${client.id}`)).toMatchObject({ status: 204, body: null })

    expect(await owner.get(`/v1/admin/clients/${client.id}`)).toMatchObject({ status: 404 })
    expect((await owner.get('/v1/admin/clients')).body).toEqual({ data: [], total: 0 })
    for (const path of ['revoke', 'activate', 'rotate-secret']) {
      expect(await owner.post(`/v1/admin/clients/${client.id}/${path}`)).toMatchObject({ status: 404 })
    }
    expect(await owner.patch(`/v1/admin/clients/${client.id}`, { name: 'Back' })).toMatchObject({ status: 404 })
    expect(await owner.delete(`/v1/admin/clients/${client.id}`)).toMatchObject({ status: 404 })
    expect((await auditOf(owner, client.id)).map(({ action }) => action)).toEqual(['client.deleted', 'client.created'])
  })

  it('leaves webhook endpoints that are bound to the client bound to it', async () => {
    const organisation = await service().given.organisation()
    const client = await register(organisation.owner)
    const tenant = service().database.tenant(organisation.id)
    await tenant
      .insertInto('webhookEndpoints')
      .values({
        id: 'wh_bound',
        url: 'https://hooks.acme.test/',
        events: ['*'],
        clientId: client.id,
        variant: 'B',
        secretEncrypted: 'x',
        createdAt: tenant.now,
        updatedAt: tenant.now,
      })
      .execute()

    expect(await organisation.owner.delete(`/v1/admin/clients/${client.id}`)).toMatchObject({ status: 204 })

    const bound = await tenant.selectFrom('webhookEndpoints').select('clientId').executeTakeFirst()
    expect(bound).toEqual({ clientId: client.id })
  })

  it('needs clients:delete', async () => {
    const { owner } = await service().given.organisation()
    const client = await register(owner)
    const updater = await service().given.userWith(owner, ['clients:read', 'clients:create', 'clients:update'])

    expect(await updater.delete(`/v1/admin/clients/${client.id}`)).toMatchObject({ status: 403 })
    expect((await owner.get('/v1/admin/clients')).body.total).toBe(1)
  })
})
