import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { reservedNames } from '../../src/claims/reserved-names.ts'
import { askOnDevice, decideOnDevice, poll } from '../support/devices.ts'
import { userByConnection } from '../support/federation.ts'
import { unique } from '../support/given.ts'
import { type IdentityProvider, listeningProvider } from '../support/identity-provider.ts'
import { claimsOf, givenApplication, type Registration, type TestApplication } from '../support/oauth.ts'
import { resourceServer } from '../support/resource-servers.ts'
import { useService } from '../support/service.ts'

const service = useService({ environment: { OAUTH_EXTENSIONS: 'resource_indicators,device' } })

let provider: IdentityProvider & { close(): Promise<void> }
beforeAll(async () => {
  provider = await listeningProvider({ now: () => service().clock.now() })
})
afterAll(() => provider.close())

const everywhere = ['id_token', 'access_token', 'userinfo', 'introspection']
const department = { name: 'department', in: everywhere, from: '/user/metadata/department' }

/** An application of an organisation whose owner is of the department Sales. */
async function mapped(claimMappings: object[], registration: Registration = {}) {
  const app = await givenApplication(service(), { claimMappings, ...registration })
  const { owner } = app.organisation
  expect(await owner.patch(`/v1/admin/users/${owner.id}`, { metadata: { department: 'Sales', level: '7' } })).toMatchObject({ status: 200 })
  return { app, owner, path: `/v1/admin/clients/${app.id}` }
}

/** The four documents of a user's tokens. */
async function documentsOf(app: TestApplication, tokens: { id_token: string; access_token: string }) {
  const [userInfo, introspection] = [await app.userInfo(tokens.access_token), await app.introspect(tokens.access_token)]
  expect([userInfo.status, introspection.status]).toEqual([200, 200])
  return [claimsOf(tokens.id_token), claimsOf(tokens.access_token), userInfo.body, introspection.body]
}

describe('claim mappings of an application', () => {
  it('are stored with it, in its history, and taken away by an empty list', async () => {
    const mapping = { ...department, as: 'lowercase', scope: 'openid', default: 'none' }
    const { app, owner, path } = await mapped([mapping])

    expect((await owner.get(path)).body.claimMappings).toEqual([mapping])
    expect((await owner.patch(path, { claimMappings: [mapping] })).body.claimMappings).toEqual([mapping])
    expect((await owner.patch(path, { claimMappings: [] })).body.claimMappings).toEqual([])
    expect((await owner.patch(path, { claimMappings: [] })).status).toBe(200)
    const entries = await owner.audit({ targetId: app.id, action: 'client.updated' })
    expect(entries.map(({ changes }: { changes: object }) => changes)).toEqual([{ claimMappings: { from: [mapping], to: [] } }])
    expect(await owner.post(`/v1/admin/audit-logs/${entries[0].id}/undo`)).toMatchObject({ status: 200 })
    expect((await owner.get(path)).body.claimMappings).toEqual([mapping])
  })

  it('are in each token and response that they name, and in no other', async () => {
    const { app } = await mapped(everywhere.map((target) => ({ ...department, name: `of_${target}`, in: [target] })))

    const documents = await documentsOf(app, await app.signIn({ scope: 'openid' }))

    // Introspection shows besides what the token holds.
    const own = (document: object) => Object.entries(document).filter(([name]) => name.startsWith('of_'))
    expect(documents.map((document) => own(document).sort())).toEqual([
      [['of_id_token', 'Sales']],
      [['of_access_token', 'Sales']],
      [['of_userinfo', 'Sales']],
      [
        ['of_access_token', 'Sales'],
        ['of_introspection', 'Sales'],
      ],
    ])
  })

  it('read the user anew with each refresh, while issued tokens stay as they are', async () => {
    const { app, owner } = await mapped([{ ...department, in: ['access_token', 'id_token'] }])
    const first = await app.signIn({ scope: 'openid offline_access' })
    await owner.patch(`/v1/admin/users/${owner.id}`, { metadata: { department: 'Support' } })

    const second = await app.refresh(first.refresh_token)

    expect(claimsOf(second.body.access_token).department).toBe('Support')
    expect(claimsOf(second.body.id_token).department).toBe('Support')
    expect((await app.introspect(first.access_token)).body).toMatchObject({ active: true, department: 'Sales' })
  })

  it('take slugs of teams and roles, the organisation, and the level of the sign-in', async () => {
    const sources = {
      teams: '/user/teams',
      held: '/user/roles',
      at: '/organisation/slug',
      plan: '/organisation/metadata/plan',
      level: '/session/acr',
    }
    const mappings = Object.entries(sources).map(([name, from]) => ({ name, from, in: everywhere }))
    const { app, owner } = await mapped(mappings)
    await owner.patch('/v1/admin/organisation', { metadata: { plan: 'gold' } })
    const { body: team } = await owner.post('/v1/admin/teams', { name: 'Europe', slug: 'europe' })
    await owner.post(`/v1/admin/teams/${team.id}/members`, { userId: owner.id })

    const documents = await documentsOf(app, await app.signIn({ scope: 'openid' }))

    const { slug } = app.organisation
    for (const document of documents)
      expect(document).toMatchObject({ teams: ['europe'], held: ['owner'], at: slug, plan: 'gold', level: 'aal1' })
  })

  it('are in the tokens of a device', async () => {
    const { app, owner } = await mapped([department], { grantTypes: ['urn:ietf:params:oauth:grant-type:device_code'] })
    const codes = await askOnDevice(app, { scope: 'openid' })
    await decideOnDevice(owner, codes, 'allow')

    const { body } = await poll(app, codes)

    for (const document of await documentsOf(app, body)) expect(document.department).toBe('Sales')
  })

  it('say nothing of a user in a token of the application itself', async () => {
    const mappings = [
      { ...department, default: 'none' },
      { name: 'level', in: everywhere, from: '/session/acr', default: 'none' },
      { name: 'at', in: everywhere, from: '/organisation/slug' },
      { name: 'region', in: everywhere, from: { value: 'emea' } },
    ]
    const { app } = await mapped(mappings, { grantTypes: ['client_credentials'] })

    const { body } = await app.token({ grant_type: 'client_credentials' })

    const expected = { at: app.organisation.slug, region: 'emea' }
    for (const document of [claimsOf(body.access_token), (await app.introspect(body.access_token)).body]) {
      expect(document).toMatchObject(expected)
      expect(document).not.toHaveProperty('department')
      expect(document).not.toHaveProperty('level')
    }
  })

  it('take claims of the identity provider that the session came by', async () => {
    const application = await givenApplication(service(), {
      claimMappings: [{ name: 'unit', in: everywhere, from: '/identity/sub' }],
    })
    const { browser, subject } = await userByConnection(service(), provider, { application })

    for (const document of await documentsOf(application, await application.signIn({ scope: 'openid' }, browser)))
      expect(document.unit).toBe(subject)
    // The owner has a password.
    expect(claimsOf((await application.signIn({ scope: 'openid' })).id_token)).not.toHaveProperty('unit')
  })

  it('leave out what would make a token too large, which a diagnosis says once in five minutes', async () => {
    const large = { name: 'large', in: ['access_token', 'userinfo'], from: '/user/metadata/large' }
    const { app, owner } = await mapped([large, { ...department, in: ['access_token'] }])
    await owner.patch(`/v1/admin/users/${owner.id}`, { metadata: { department: 'Sales', large: 'x'.repeat(4_096) } })

    const { access_token } = await app.signIn({ scope: 'openid' })
    await app.signIn({ scope: 'openid' })

    expect(claimsOf(access_token)).toMatchObject({ department: 'Sales' })
    expect(claimsOf(access_token)).not.toHaveProperty('large')
    expect((await app.userInfo(access_token)).body).toEqual({ sub: owner.id })
    await service().settled()
    const { body } = await owner.get('/v1/admin/diagnostics')
    expect(body.data).toMatchObject([{ endpoint: 'token', error: 'claim_too_large', clientId: app.id, check: 'claims' }])
    expect((await owner.get(`/v1/admin/diagnostics/${body.data[0].reference}`)).body).toMatchObject({
      ...{ check: 'claims', expected: '4096 B', received: ['large'] },
    })
  })
})

describe('claim mappings of a resource server', () => {
  it('are in its access tokens, where they win over those of the application', async () => {
    const organisation = await service().given.organisation()
    const { owner } = organisation
    const api = await resourceServer(owner, {
      scopes: [],
      claimMappings: [
        { name: 'department', in: ['access_token'], from: { value: 'of the API' } },
        { name: 'plan', in: ['introspection'], from: '/organisation/metadata/plan' },
        { name: 'level', in: ['access_token'], from: '/user/metadata/level', as: 'number' },
      ],
    })
    await owner.patch('/v1/admin/organisation', { metadata: { plan: 'gold' } })
    await owner.patch(`/v1/admin/users/${owner.id}`, { metadata: { department: 'Sales', level: '7' } })
    const grantTypes = ['authorization_code', 'refresh_token', 'client_credentials']
    const app = await givenApplication(service(), { organisation, grantTypes, resourceServerIds: [api.id], claimMappings: [department] })

    const tokens = await app.signIn({ scope: 'openid', resource: api.identifier })
    const [idToken, accessToken, userInfo, introspection] = await documentsOf(app, tokens)

    expect(idToken.department).toBe('Sales')
    expect(userInfo.department).toBe('Sales')
    expect(accessToken).toMatchObject({ department: 'of the API', level: 7 })
    expect(accessToken).not.toHaveProperty('plan')
    expect(introspection).toMatchObject({ department: 'of the API', level: 7, plan: 'gold' })

    const { body } = await app.token({ grant_type: 'client_credentials', resource: api.identifier })
    expect(claimsOf(body.access_token)).toMatchObject({ department: 'of the API' })
    expect(claimsOf(body.access_token)).not.toHaveProperty('level')
    expect((await app.introspect(body.access_token)).body).toMatchObject({ plan: 'gold' })
  })

  it('cannot be for the ID token or UserInfo, which are for applications', async () => {
    const { owner } = await service().given.organisation()
    const api = await resourceServer(owner)
    for (const target of ['id_token', 'userinfo']) {
      const claimMappings = [{ ...department, in: ['access_token', target] }]
      expect(await owner.patch(`/v1/admin/resource-servers/${api.id}`, { claimMappings })).toMatchObject({
        status: 400,
        body: { errors: [{ path: ['claimMappings', 0, 'in', 1] }] },
      })
    }
  })
})

describe('a claim mapping is refused', () => {
  it.each([...reservedNames])('for the reserved name %s, which the refusal names', async (name) => {
    const { owner, path } = await mapped([])
    expect(await owner.patch(path, { claimMappings: [department, { ...department, name }] })).toMatchObject({
      status: 400,
      body: { errors: [{ code: 'custom', path: ['claimMappings', 1, 'name'], message: `The claim ${name} is reserved` }] },
    })
  })

  it.each([
    ['another pointer', { from: '/user/email' }, ['from']],
    ['a pointer at all metadata', { from: '/user/metadata' }, ['from']],
    ['a pointer into roles', { from: '/user/roles/0' }, ['from']],
    ['a pointer with a wrong escape', { from: '/user/metadata/a~2' }, ['from']],
    ['a deeper claim of an identity', { from: '/identity/address/country' }, ['from']],
    ['neither a pointer nor a value', { from: { values: 1 } }, ['from']],
    ['a value without limits', { from: { value: 'x'.repeat(4_096) } }, ['from', 'value']],
    ['no target', { in: [] }, ['in']],
    ['an unknown target', { in: ['logout_token'] }, ['in', 0]],
    ['an unknown form', { as: 'uppercase' }, ['as']],
    ['an empty name', { name: '' }, ['name']],
  ])('for %s', async (_, changes, where) => {
    const { owner, path } = await mapped([])
    expect(await owner.patch(path, { claimMappings: [{ ...department, ...changes }] })).toMatchObject({
      status: 400,
      body: { errors: [{ path: ['claimMappings', 0, ...where] }] },
    })
    expect((await owner.get(path)).body.claimMappings).toEqual([])
  })

  it('for a name twice, for the 21st, and for more than 32 KiB', async () => {
    const { owner, path } = await mapped([])
    const many = (count: number, from: unknown = { value: 1 }) =>
      Array.from({ length: count }, (_, index) => ({ name: `claim-${index}`, in: ['access_token'], from }))
    expect(await owner.patch(path, { claimMappings: [department, department] })).toMatchObject({
      status: 400,
      body: { errors: [{ path: ['claimMappings', 1, 'name'], message: 'Another mapping has this name' }] },
    })
    expect(await owner.patch(path, { claimMappings: many(20) })).toMatchObject({ status: 200 })
    for (const claimMappings of [many(21), many(20, { value: 'x'.repeat(2_000) })])
      expect(await owner.patch(path, { claimMappings })).toMatchObject({ status: 400, body: { errors: [{ path: ['claimMappings'] }] } })
  })

  it('for a caller who may not read users, where it would show something of them', async () => {
    const { owner, path } = await mapped([department])
    const api = await resourceServer(owner)
    const permissions = ['clients:read', 'clients:update', 'clients:create', 'resource_servers:create', 'resource_servers:update']
    const admin = await service().given.userWith(owner, permissions)
    const team = { name: 'teams', in: ['access_token'], from: '/user/teams' }
    const identity = { name: 'unit', in: ['access_token'], from: '/identity/unit' }
    const others = [
      { name: 'at', in: ['access_token'], from: '/organisation/slug' },
      { name: 'region', in: ['access_token'], from: { value: 'emea' } },
    ]

    const lacking = { status: 403, body: { detail: 'Missing required permission: users:read' } }
    for (const mapping of [team, identity]) {
      expect(await admin.patch(path, { claimMappings: [department, mapping] })).toMatchObject(lacking)
      const registration = { name: 'Own', redirectUris: ['https://own.test/'], clientType: 'public', claimMappings: [mapping] }
      expect(await admin.post('/v1/admin/clients', registration)).toMatchObject(lacking)
      expect(await admin.patch(`/v1/admin/resource-servers/${api.id}`, { claimMappings: [mapping] })).toMatchObject(lacking)
      const server = { name: 'API', identifier: `https://api.test/${unique()}`, claimMappings: [mapping] }
      expect(await admin.post('/v1/admin/resource-servers', server)).toMatchObject(lacking)
    }
    // What is there already may stay.
    expect(await admin.patch(path, { claimMappings: [...others, department] })).toMatchObject({ status: 200 })
    expect(await admin.patch(path, { claimMappings: [{ ...department, name: 'unit' }] })).toMatchObject(lacking)
  })
})

describe('POST /v1/admin/clients/:id/claims/preview', () => {
  it('shows the four documents as they would be, of stored mappings and of those that are tried', async () => {
    const { app, owner, path } = await mapped([department])
    const preview = (body: object) => owner.post(`${path}/claims/preview`, { userId: owner.id, ...body })

    const { status, body } = await preview({ scope: 'openid email' })
    expect(status).toBe(200)
    const issued = await documentsOf(app, await app.signIn({ scope: 'openid email' }))
    const [idToken, accessToken, userInfo, introspection] = issued.map(({ jti, sid, at_hash, amr, ...rest }) => rest)
    const at = { exp: expect.any(Number), iat: expect.any(Number) }
    const { amr, ...previewed } = body.idToken
    expect(amr).toEqual(['pwd'])
    expect(previewed).toEqual({ ...idToken, ...at, auth_time: expect.any(Number) })
    expect(body.accessToken).toEqual({ ...accessToken, ...at })
    expect(body.userInfo).toEqual(userInfo)
    expect(body.introspection).toEqual({ ...introspection, ...at })

    const tried = await preview({
      scope: 'openid',
      claimMappings: [{ name: 'level', in: ['id_token'], from: '/user/metadata/level', as: 'number' }],
    })
    expect(tried.body.idToken).toMatchObject({ level: 7 })
    expect(tried.body.idToken).not.toHaveProperty('department')
    expect((await owner.get(path)).body.claimMappings).toEqual([department])
    expect((await preview({})).body).toMatchObject({ idToken: null, userInfo: null, accessToken: { department: 'Sales' } })
  })

  it('refuses a wrong scope, a wrong mapping, and what there is not', async () => {
    const { owner, path } = await mapped([department])
    const preview = (body: object, at = path) => owner.post(`${at}/claims/preview`, { userId: owner.id, ...body })
    const other = await mapped([])

    expect(await preview({ scope: 'orders:read' })).toMatchObject({ status: 400, body: { errors: [{ path: ['scope'] }] } })
    expect(await preview({ resource: 'https://api.test/none' })).toMatchObject({ status: 400, body: { errors: [{ path: ['resource'] }] } })
    expect(await preview({ claimMappings: [{ ...department, name: 'sub' }] })).toMatchObject({
      status: 400,
      body: { errors: [{ path: ['claimMappings', 0, 'name'] }] },
    })
    expect((await preview({ userId: other.owner.id })).status).toBe(404)
    expect((await preview({}, other.path)).status).toBe(404)
    for (const permission of ['clients:read', 'users:read']) {
      const reader = await service().given.userWith(owner, [permission])
      expect((await reader.post(`${path}/claims/preview`, { userId: owner.id })).status).toBe(403)
    }
  })

  it('shows the claims of the resource server that the token would be for', async () => {
    const { app, owner, path } = await mapped([department])
    const api = await resourceServer(owner, {
      scopes: [],
      claimMappings: [{ name: 'department', in: ['access_token'], from: { value: 'API' } }],
    })
    await owner.patch(path, { resourceServerIds: [api.id] })

    const { body } = await owner.post(`${path}/claims/preview`, { userId: owner.id, scope: 'openid', resource: api.identifier })

    expect(body.accessToken).toMatchObject({ department: 'API', aud: [api.identifier, 'http://gatehouse.test'], client_id: app.id })
    expect(body).toMatchObject({ idToken: { department: 'Sales' }, introspection: { department: 'API' } })
  })
})

describe('configuration as code', () => {
  it('holds the mappings of applications and resource servers, and changes them', async () => {
    const { app, owner } = await mapped([department])
    await resourceServer(owner, { claimMappings: [{ name: 'region', in: ['access_token'], from: { value: 'emea' } }] })
    const { body: document } = await owner.get('/v1/admin/configuration')
    expect(Object.values(document.resourceServers)).toMatchObject([{ claimMappings: [{ name: 'region' }] }])
    expect(Object.values(document.clients)).toMatchObject([{ claimMappings: [department] }])
    expect((await owner.post('/v1/admin/configuration/plan', { document })).body.changes).toEqual([])

    const [[key, client]] = Object.entries<object>(document.clients) as [[string, object]]
    const changed = { clients: { [key]: { ...client, claimMappings: [] } } }
    expect(await owner.post('/v1/admin/configuration/apply', { document: changed })).toMatchObject({ status: 200 })
    expect((await owner.get(`/v1/admin/clients/${app.id}`)).body.claimMappings).toEqual([])
  })
})
