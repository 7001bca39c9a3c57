import { randomBytes } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { createConnection, newConnection, privateKey } from '../support/connections.ts'
import { type TestOrganisation, unique } from '../support/given.ts'
import { useService } from '../support/service.ts'

const service = useService()
const inProduction = useService({
  environment: {
    NODE_ENV: 'production',
    HOST: '127.0.0.1',
    PUBLIC_URL: 'https://id.example.com',
    SECRET_KEY: randomBytes(32).toString('base64'),
    SMTP_URL: 'smtp://127.0.0.1:1',
  },
})
const path = '/v1/admin/connections'
const organisation = () => service().given.organisation()
const entriesOf = async ({ owner }: TestOrganisation) => await owner.audit()
const manager = ({ owner }: TestOrganisation) =>
  service().given.userWith(owner, ['connections:read', 'connections:create', 'connections:update', 'connections:delete'])
const mistakes = (...errors: [path: (string | number)[], reason: string][]) => ({
  status: 400,
  body: { code: 'invalid-input', errors: errors.map(([at, reason]) => expect.objectContaining({ path: at, reason })) },
})

describe('a connection', () => {
  it('is created, read, listed, changed and deleted', async () => {
    const own = await organisation()
    const { owner } = own
    const input = newConnection()

    const created = await owner.post(path, input)

    expect(created).toMatchObject({
      status: 201,
      body: {
        ...{ name: 'Acme', slug: input.slug, type: 'oidc', provider: 'oidc', isActive: true, hasSecret: true, linking: null },
        ...{ provisioning: 'none', mapping: {}, roleMappings: [], teamMappings: [], syncOn: 'creation', trustsMfa: false },
        ...{ mfaContexts: [], upstreamLogout: false, idpInitiated: 'refuse', sessionMaxAgeSeconds: null, lastUsedAt: null },
        ...{ status: { state: 'ok', since: null, error: null }, certificates: [], previousSecretExpiresAt: null },
        configuration: {
          ...{ issuer: 'https://login.acme.test', clientId: 'gatehouse', scopes: ['openid', 'email', 'profile'] },
          ...{ clientAuthentication: 'client_secret_basic', userInfo: true, emailTrust: 'verified_claim' },
        },
      },
    })
    const { id } = created.body
    expect(id).toMatch(/^con_/)
    expect(created.body.callbackUrl).toBe(`${service().services.publicUrl}/federation/${id}/callback`)
    expect(await owner.get(`${path}/${id}`)).toMatchObject({ status: 200, body: created.body })
    expect((await owner.get(path)).body).toEqual({ data: [created.body], total: 1 })

    const second = await createConnection(owner, { name: 'Second' })
    const page = await owner.get(`${path}?limit=1`)
    expect(page.body).toMatchObject({ data: [{ id }], total: 2 })
    expect((await owner.get(`${path}?limit=1&cursor=${page.body.nextCursor}`)).body).toMatchObject({
      data: [{ id: second.id }],
      nextCursor: null,
    })

    const changed = await owner.patch(`${path}/${id}`, { name: 'Renamed', isActive: false, sessionMaxAgeSeconds: 3_600 })
    expect(changed).toMatchObject({ status: 200, body: { name: 'Renamed', isActive: false, sessionMaxAgeSeconds: 3_600 } })

    expect(await owner.delete(`${path}/${id}`)).toMatchObject({ status: 204 })
    expect(await owner.get(`${path}/${id}`)).toMatchObject({ status: 404, body: { code: 'connection-not-found' } })
    const actions = (await entriesOf(own)).filter(({ targetId }: { targetId: string }) => targetId === id)
    expect(actions.map(({ action }: { action: string }) => action)).toEqual([
      'connection.deleted',
      'connection.updated',
      'connection.created',
    ])
  })
})

const guid = '9f2f4f3e-8f0e-4c53-9f7e-0a8f7a1c2b3d'

describe('the configuration of a connection', () => {
  it.each<[provider: string, configuration: Record<string, unknown>, type: string]>([
    ['google', { clientId: 'g', allowedHostedDomains: ['Acme.TEST'], allowedDomains: ['*'] }, 'oidc'],
    ['microsoft', { clientId: 'm', tenant: 'organizations', allowedTenants: [guid.toUpperCase()] }, 'oidc'],
    ['microsoft', { clientId: 'm', tenant: guid }, 'oidc'],
    ['github', { clientId: 'h', host: 'github.acme.test', scopes: ['read:user'] }, 'oauth2'],
    ['apple', { clientId: 'test.acme.web', teamId: 'A1B2C3D4E5', keyId: 'F6G7H8I9J0' }, 'oidc'],
  ])('of %s holds what it needs: %o', async (provider, configuration, type) => {
    const { owner } = await organisation()
    const secret = provider === 'apple' ? privateKey() : 'secret'
    const created = await owner.post(path, newConnection({ provider, configuration, secret }))
    const lowered = JSON.parse(JSON.stringify(configuration).replace('Acme.TEST', 'acme.test').replace(guid.toUpperCase(), guid))
    expect(created).toMatchObject({ status: 201, body: { provider, type, isActive: true, hasSecret: true } })
    expect(created.body.configuration).toEqual(lowered)
  })

  it.each<[what: string, fields: Record<string, unknown>, ...errors: [path: (string | number)[], reason: string][]]>([
    ['http', { configuration: { issuer: 'http://login.acme.test', clientId: 'a' } }, [['configuration', 'issuer'], 'url-not-https']],
    ['no URL', { configuration: { issuer: 'login.acme.test', clientId: 'a' } }, [['configuration', 'issuer'], 'invalid-url']],
    ['a query', { configuration: { issuer: 'https://a.test/?x', clientId: 'a' } }, [['configuration', 'issuer'], 'issuer-with-more']],
    ['a fragment', { configuration: { issuer: 'https://a.test/#', clientId: 'a' } }, [['configuration', 'issuer'], 'issuer-with-more']],
    ['a user', { configuration: { issuer: 'https://u@a.test', clientId: 'a' } }, [['configuration', 'issuer'], 'issuer-with-more']],
    [
      'a private address',
      { configuration: { issuer: 'https://10.0.0.1', clientId: 'a' } },
      [['configuration', 'issuer'], 'provider-address-not-allowed'],
    ],
    [
      'the metadata service of a cloud',
      { configuration: { issuer: 'https://169.254.169.254', clientId: 'a' } },
      [['configuration', 'issuer'], 'provider-address-not-allowed'],
    ],
    [
      'settings of another provider',
      { configuration: { issuer: 'https://a.test', clientId: 'a', tenant: 'common', teamId: 'A1B2C3D4E5' } },
      [['configuration', 'tenant'], 'not-of-provider'],
      [['configuration', 'teamId'], 'not-of-provider'],
    ],
    [
      'no openid',
      { configuration: { issuer: 'https://a.test', clientId: 'a', scopes: ['email'] } },
      [['configuration', 'scopes'], 'scope-without-openid'],
    ],
    [
      'parameters of the service',
      { configuration: { issuer: 'https://a.test', clientId: 'a', extraParameters: { State: 'x', '1a': 'y', acr_values: 'z' } } },
      [['configuration', 'extraParameters', 'State'], 'reserved-parameter'],
      [['configuration', 'extraParameters', '1a'], 'invalid-parameter-name'],
    ],
    [
      'nothing',
      { configuration: {}, secret: undefined },
      [['configuration', 'issuer'], 'required-while-active'],
      [['configuration', 'clientId'], 'required-while-active'],
      [['secret'], 'required-while-active'],
    ],
    ['no tenant', { provider: 'microsoft', configuration: { clientId: 'a' } }, [['configuration', 'tenant'], 'required-while-active']],
    [
      'a name for a tenant',
      { provider: 'microsoft', configuration: { clientId: 'a', tenant: 'acme' } },
      [['configuration', 'tenant'], 'invalid-tenant'],
    ],
    [
      'tenants besides the one',
      { provider: 'microsoft', configuration: { clientId: 'a', tenant: guid, allowedTenants: [guid] } },
      [['configuration', 'allowedTenants'], 'allowed-tenants-of-one'],
    ],
    [
      'an address for a host',
      { provider: 'github', configuration: { clientId: 'a', host: 'https://github.acme.test' } },
      [['configuration', 'host'], 'invalid-host-name'],
    ],
    [
      'a domain that is none',
      { provider: 'google', configuration: { clientId: 'a', allowedHostedDomains: ['acme.test', '*'] } },
      [['configuration', 'allowedHostedDomains', 1], 'invalid-domain-name'],
    ],
    [
      'ids that are not of Apple',
      { provider: 'apple', configuration: { clientId: 'a', teamId: 'short', keyId: 'F6G7H8I9J0' } },
      [['configuration', 'teamId'], 'invalid-apple-id'],
    ],
    [
      'a secret that is no key',
      { provider: 'apple', configuration: { clientId: 'a', teamId: 'A1B2C3D4E5', keyId: 'F6G7H8I9J0' }, secret: 'a secret' },
      [['secret'], 'apple-key-required'],
    ],
    [
      'a key of another curve',
      {
        provider: 'apple',
        configuration: { clientId: 'a', teamId: 'A1B2C3D4E5', keyId: 'F6G7H8I9J0' },
        secret: privateKey('P-384'),
      },
      [['secret'], 'apple-key-required'],
    ],
    ['a secret of several lines', { secret: 'one\ntwo' }, [['secret'], 'invalid-characters']],
    ['a bent pointer', { mapping: { groups: '/a~2' } }, [['mapping', 'groups'], 'invalid-claim-name']],
  ])('is refused with %s', async (_what, fields, ...errors) => {
    const own = await organisation()
    expect(await own.owner.post(path, newConnection(fields))).toMatchObject(mistakes(...errors))
    expect((await own.owner.get(path)).body.total).toBe(0)
    expect((await entriesOf(own)).map(({ action }: { action: string }) => action)).not.toContain('connection.created')
  })

  it.each(['google', 'microsoft', 'github', 'apple'])(
    'has its addresses from the claim email where the provider is %s, which proves no other',
    async (provider) => {
      const { owner, ...own } = await organisation()
      const fields = { provider, isActive: false, configuration: { clientId: 'gatehouse' }, secret: undefined }
      const refusal = mistakes([['mapping', 'email'], 'email-claim-of-provider'])
      expect(await owner.post(path, newConnection({ ...fields, mapping: { email: 'upn' } }))).toMatchObject(refusal)

      const { id, slug } = await createConnection(owner, { ...fields, mapping: { email: 'email' } })
      expect(await owner.patch(`${path}/${id}`, { mapping: { email: 'preferred_username' } })).toMatchObject(refusal)
      const document = { connections: { [slug]: { name: 'Acme', provider, mapping: { email: 'upn' } } } }
      expect(await owner.post('/v1/admin/configuration/plan', { document })).toMatchObject(
        mistakes([['document', 'connections', slug, 'mapping', 'email'], 'email-claim-of-provider']),
      )

      // What was stored before proves nothing, and is no obstacle to other changes.
      const mapping = JSON.stringify({ email: 'upn' })
      await service().database.tenant(own.id).updateTable('connections').set({ mapping }).where('id', '=', id).execute()
      const changes = { name: 'Renamed', mapping: { email: 'upn', groups: 'roles' } }
      expect(await owner.patch(`${path}/${id}`, changes)).toMatchObject({
        status: 200,
        body: { mapping: { email: 'upn', groups: 'roles' } },
      })
      expect(await owner.patch(`${path}/${id}`, { mapping: { email: null } })).toMatchObject({ body: { mapping: { groups: 'roles' } } })
    },
  )

  it('may be incomplete until the connection is activated, so that the provider can be told the address first', async () => {
    const { owner } = await organisation()
    const draft = await owner.post(path, newConnection({ isActive: false, configuration: {}, secret: undefined }))
    expect(draft).toMatchObject({ status: 201, body: { isActive: false, hasSecret: false } })
    const at = `${path}/${draft.body.id}`

    expect(await owner.patch(at, { isActive: true })).toMatchObject(
      mistakes(
        [['configuration', 'issuer'], 'required-while-active'],
        [['configuration', 'clientId'], 'required-while-active'],
        [['secret'], 'required-while-active'],
      ),
    )
    const complete = { isActive: true, configuration: { issuer: 'https://a.test', clientId: 'a' }, secret: 's' }
    expect(await owner.patch(at, complete)).toMatchObject({ status: 200, body: { isActive: true, hasSecret: true } })
    expect(await owner.patch(at, { configuration: { clientId: null } })).toMatchObject(
      mistakes([['configuration', 'clientId'], 'required-while-active']),
    )
  })

  it('is changed member by member, and null brings back the default', async () => {
    const { owner } = await organisation()
    const { id } = await createConnection(owner, { mapping: { groups: 'groups', phone: '/contact/phone' } })
    const change = async (body: object) => (await owner.patch(`${path}/${id}`, body)).body
    expect(
      (await change({ configuration: { emailTrust: 'verified_domain', allowedDomains: ['a.test', 'A.test'] } })).configuration,
    ).toEqual({
      ...{ issuer: 'https://login.acme.test', clientId: 'gatehouse', scopes: ['openid', 'email', 'profile'], userInfo: true },
      ...{ clientAuthentication: 'client_secret_basic', emailTrust: 'verified_domain', allowedDomains: ['a.test'] },
    })
    const { configuration, mapping } = await change({
      configuration: { emailTrust: null, allowedDomains: null },
      mapping: { groups: null, email: 'mail' },
    })
    expect(configuration.emailTrust).toBe('verified_claim')
    expect(configuration).not.toHaveProperty('allowedDomains')
    expect(mapping).toEqual({ phone: '/contact/phone', email: 'mail' })
  })

  it('may name a provider on this machine during development alone', async () => {
    const create = async ({ owner }: TestOrganisation, issuer: string) =>
      owner.post(path, newConnection({ configuration: { issuer, clientId: 'a' } }))
    expect(await create(await organisation(), 'http://localhost:9000')).toMatchObject({ status: 201 })
    const refused = await inProduction().given.organisation()
    expect(await create(refused, 'http://localhost:9000')).toMatchObject(mistakes([['configuration', 'issuer'], 'url-not-https']))
    expect(await create(refused, 'https://127.0.0.1')).toMatchObject(
      mistakes([['configuration', 'issuer'], 'provider-address-not-allowed']),
    )
  })
})

describe('the secret of a connection', () => {
  it('is in no response, no entry of the audit log and no line of the log, and is stored encrypted', async () => {
    const own = await organisation()
    const { owner } = own
    const secrets = [`first-${unique()}`, `second-${unique()}`, `third-${unique()}`] as const
    const created = await owner.post(path, newConnection({ secret: secrets[0] }))
    const at = `${path}/${created.body.id}`
    const answers = [
      created,
      await owner.patch(at, { secret: secrets[1] }),
      await owner.post(`${at}/rotate-secret`, { secret: secrets[2], gracePeriodSeconds: 3_600 }),
      await owner.get(at),
      await owner.get(path),
      await service().operator.get(`/v1/system/organisations/${own.id}/export`),
    ]
    expect(answers.map(({ status }) => status)).toEqual([201, 200, 200, 200, 200, 200])
    const told = JSON.stringify([answers.map(({ body }) => body), await entriesOf(own), service().logLines])
    for (const secret of secrets) expect(told).not.toContain(secret)

    const stored = await service().database.tenant(own.id).selectFrom('connections').selectAll().executeTakeFirstOrThrow()
    expect(service().services.keyring.decrypt(stored.secretEncrypted ?? '', stored.id)).toBe(secrets[2])
    expect(service().services.keyring.decrypt(stored.previousSecretEncrypted ?? '', stored.id)).toBe(secrets[1])
    const entries = (await entriesOf(own)).filter(({ targetId }: { targetId: string }) => targetId === stored.id)
    expect(entries.map(({ action, metadata }: { action: string; metadata: unknown }) => [action, metadata])).toEqual([
      ['connection.secret_rotated', { gracePeriodSeconds: 3_600 }],
      ['connection.updated', { secretReplaced: true }],
      ['connection.created', null],
    ])
  })

  it('says until when the one before is tried, and forgets it with the next', async () => {
    const { owner } = await organisation()
    const at = `${path}/${(await createConnection(owner)).id}`
    const until = new Date(service().clock.now().getTime() + 3_600_000).toISOString().slice(0, 16)
    const rotated = await owner.post(`${at}/rotate-secret`, { secret: 'two', gracePeriodSeconds: 3_600 })
    expect(rotated.body.previousSecretExpiresAt.slice(0, 16)).toBe(until)
    expect((await owner.patch(at, { secret: 'three' })).body.previousSecretExpiresAt).toBeNull()
    expect((await owner.post(`${at}/rotate-secret`, { secret: 'four' })).body.previousSecretExpiresAt).toBeNull()
    expect(await owner.post(`${at}/rotate-secret`, { secret: 'x', gracePeriodSeconds: 604_801 })).toMatchObject({ status: 400 })
    expect(await owner.post(`${at}/rotate-secret`, { gracePeriodSeconds: 5 })).toMatchObject({ status: 400 })
  })

  it('of a draft without one is set by a rotation, too', async () => {
    const { owner } = await organisation()
    const { id } = await createConnection(owner, { isActive: false, secret: undefined })
    const rotated = await owner.post(`${path}/${id}/rotate-secret`, { secret: 'first', gracePeriodSeconds: 60 })
    expect(rotated).toMatchObject({ status: 200, body: { hasSecret: true, previousSecretExpiresAt: null } })
  })

  it('of Apple changes together with the id of its key', async () => {
    const { owner } = await organisation()
    const configuration = { clientId: 'test.acme.web', teamId: 'A1B2C3D4E5', keyId: 'F6G7H8I9J0' }
    const at = `${path}/${(await createConnection(owner, { provider: 'apple', configuration, secret: privateKey() })).id}`
    const refused = await owner.post(`${at}/rotate-secret`, { secret: privateKey() })
    expect(refused).toMatchObject({ status: 400, body: { code: 'apple-key-has-an-id' } })
    const changed = await owner.patch(at, { secret: privateKey(), configuration: { keyId: 'K1L2M3N4O5' } })
    expect(changed).toMatchObject({ status: 200, body: { configuration: { keyId: 'K1L2M3N4O5' } } })
  })
})

describe('who may say who a user is', () => {
  const lacking = (slug: string) => ({ status: 403, body: { code: 'cannot-grant', permission: slug } })

  it('holds every permission that any user but the owner holds', async () => {
    const own = await organisation()
    const someone = await manager(own)
    const created = await someone.post(path, newConnection())
    expect(created).toMatchObject({ status: 201 })
    const at = `${path}/${created.body.id}`

    const other = await service().given.userWith(own.owner, ['audit:read'])
    expect(await someone.post(path, newConnection())).toMatchObject(lacking('audit:read'))
    const trusted = [
      { configuration: { issuer: 'https://other.test' } },
      { configuration: { emailTrust: 'verified_domain' } },
      { linking: 'automatic' },
      { provisioning: 'jit' },
      { mapping: { email: 'upn' } },
      { trustsMfa: true },
      { mfaContexts: ['mfa'] },
      { syncOn: 'every_sign_in' },
    ]
    for (const change of trusted) expect([change, await someone.patch(at, change)]).toMatchObject([change, lacking('audit:read')])
    expect((await own.owner.get(at)).body).toEqual(created.body)

    // A field that does not say who a user is, or that stays as it is, needs the slug alone.
    expect(await someone.patch(at, { name: 'Renamed', linking: null, provisioning: 'none' })).toMatchObject({ status: 200 })
    expect(await someone.patch(at, { isActive: false })).toMatchObject({ status: 200 })
    expect(await someone.post(`${at}/rotate-secret`, { secret: 'new' })).toMatchObject({ status: 200 })

    await own.owner.patch(`/v1/admin/users/${other.id}`, { blockedAt: '2026-01-31T09:30:00Z' })
    expect(await someone.patch(at, { linking: 'none' })).toMatchObject(lacking('audit:read'))
    await own.owner.delete(`/v1/admin/users/${other.id}`)
    expect(await someone.patch(at, { linking: 'none' })).toMatchObject({ status: 200 })
    expect(await own.owner.patch(at, { linking: 'confirm' })).toMatchObject({ status: 200 })
  })

  it('holds the permissions of the roles that are mapped', async () => {
    const own = await organisation()
    const someone = await manager(own)
    const role = await service().given.role(own.owner, { permissions: ['audit:read'] })
    const roleMappings = [{ claim: 'groups', value: 'auditors', roleId: role.id }]
    expect(await someone.post(path, newConnection({ roleMappings }))).toMatchObject(lacking('audit:read'))
    expect(await own.owner.post(path, newConnection({ roleMappings }))).toMatchObject({ status: 201, body: { roleMappings } })
  })

  it('holds the permissions of the roles that the connection maps already', async () => {
    const own = await organisation()
    const someone = await manager(own)
    const role = await service().given.role(own.owner, { permissions: ['audit:read'] })
    const roleMappings = [{ claim: 'groups', value: 'auditors', roleId: role.id }]
    const { id } = await createConnection(own.owner, { roleMappings })
    const { id: inactive } = await createConnection(own.owner, { roleMappings, isActive: false })
    const team = (await own.owner.post('/v1/admin/teams', { name: 'Team', slug: 'team' })).body
    const trusted = [
      { configuration: { issuer: 'https://other.test' } },
      { linking: 'automatic' },
      { provisioning: 'jit' },
      { mapping: { groups: 'roles' } },
      { teamMappings: [{ claim: 'groups', value: 'auditors', teamId: team.id }] },
      { syncOn: 'every_sign_in' },
      { trustsMfa: true },
    ]
    for (const change of trusted)
      expect([change, await someone.patch(`${path}/${id}`, change)]).toMatchObject([change, lacking('audit:read')])
    expect(await someone.patch(`${path}/${inactive}`, { isActive: true })).toMatchObject(lacking('audit:read'))

    // What gives nothing still needs the slug alone, and so does to give no longer what the caller could not give.
    expect(await someone.patch(`${path}/${id}`, { name: 'Renamed' })).toMatchObject({ status: 200 })
    expect(await someone.patch(`${path}/${id}`, { roleMappings: [], provisioning: 'jit' })).toMatchObject({ status: 200 })
  })

  it('holds them for an undone change and a configuration document, too', async () => {
    const own = await organisation()
    const someone = await service().given.userWith(own.owner, ['audit:read', 'connections:read', 'connections:update'])
    const role = await service().given.role(own.owner, { permissions: ['webhooks:delete'] })
    const { id, slug } = await createConnection(own.owner, { roleMappings: [{ claim: 'groups', value: 'operators', roleId: role.id }] })
    await own.owner.patch(`${path}/${id}`, { provisioning: 'jit' })
    await own.owner.patch(`${path}/${id}`, { provisioning: 'none' })
    const [entry] = (await entriesOf(own)).filter(({ action }) => action === 'connection.updated')

    expect(await someone.post(`/v1/admin/audit-logs/${entry?.id}/undo`)).toMatchObject(lacking('webhooks:delete'))
    const { connections } = (await own.owner.get('/v1/admin/configuration')).body
    const document = { connections: { [slug]: { ...connections[slug], provisioning: 'jit' } } }
    expect(await someone.post('/v1/admin/configuration/apply', { document })).toMatchObject({ status: 403, body: { code: 'cannot-grant' } })
    expect((await own.owner.get(`${path}/${id}`)).body).toMatchObject({ provisioning: 'none' })
  })

  it('is an API key only within its own permissions', async () => {
    const own = await organisation()
    await service().given.userWith(own.owner, ['audit:read'])
    const keyOf = async (permissions: string[]) =>
      service().anonymous.with({
        authorization: `Bearer ${(await own.owner.post('/v1/admin/api-keys', { name: 'Key', permissions })).body.key}`,
      })
    const weak = await keyOf(['connections:create'])
    const strong = await keyOf(['connections:create', 'audit:read'])
    expect(await weak.post(path, newConnection())).toMatchObject(lacking('audit:read'))
    expect(await strong.post(path, newConnection())).toMatchObject({ status: 201 })
  })

  it('needs the permission of the operation itself', async () => {
    const own = await organisation()
    const at = `${path}/${(await createConnection(own.owner)).id}`
    const reader = await service().given.userWith(own.owner, ['connections:read'])
    expect(await reader.get(at)).toMatchObject({ status: 200 })
    for (const answer of [
      await reader.post(path, newConnection()),
      await reader.patch(at, { name: 'New' }),
      await reader.delete(at),
      await reader.post(`${at}/rotate-secret`, { secret: 'x' }),
    ])
      expect(answer).toMatchObject({ status: 403, body: { code: 'missing-permission' } })
  })
})

describe('mappings', () => {
  it('name roles and teams of the organisation, by id or slug, and never the owner role', async () => {
    const own = await organisation()
    const other = await organisation()
    const role = await service().given.role(own.owner)
    const foreign = await service().given.role(other.owner)
    const team = (await own.owner.post('/v1/admin/teams', { name: 'Team', slug: 'team' })).body
    const roles = (await own.owner.get('/v1/admin/roles')).body.data
    const ownerRole = roles.find(({ slug }: { slug: string }) => slug === 'owner')
    const to = (roleId: string) => ({ claim: 'groups', value: 'x', roleId })

    const refused = await own.owner.post(
      path,
      newConnection({
        roleMappings: [to(role.id), to(ownerRole.id), to('owner'), to(foreign.id)],
        teamMappings: [{ claim: 'groups', value: 'x', teamId: 'tem_unknown' }],
      }),
    )
    expect(refused).toMatchObject(
      mistakes(
        [['roleMappings', 1, 'roleId'], 'owner-role-not-mapped'],
        [['roleMappings', 2, 'roleId'], 'owner-role-not-mapped'],
        [['roleMappings', 3, 'roleId'], 'role-not-found'],
        [['teamMappings', 0, 'teamId'], 'team-not-found'],
      ),
    )
    const created = await createConnection(own.owner, {
      roleMappings: [to(role.slug)],
      teamMappings: [{ claim: '/realm/groups', value: 'y', teamId: 'team' }],
    })
    expect(created).toMatchObject({ roleMappings: [to(role.id)], teamMappings: [{ teamId: team.id }] })
    // A mapping of a role that is gone stays without effect, and is no obstacle to other changes.
    await own.owner.delete(`/v1/admin/roles/${role.id}`)
    expect(await own.owner.patch(`${path}/${created.id}`, { linking: 'none' })).toMatchObject({ status: 200 })
  })

  it('are at most 200 in an organisation', async () => {
    const { owner } = await organisation()
    const role = await service().given.role(owner)
    const some = (count: number) => Array.from({ length: count }, (_, index) => ({ claim: 'groups', value: `g${index}`, roleId: role.id }))
    await createConnection(owner, { roleMappings: some(150) })
    const tooMany = { status: 400, body: { code: 'too-many-mappings' } }
    expect(await owner.post(path, newConnection({ roleMappings: some(51) }))).toMatchObject(tooMany)
    const { id } = await createConnection(owner, { roleMappings: some(50) })
    expect(await owner.patch(`${path}/${id}`, { roleMappings: some(51) })).toMatchObject(tooMany)
    expect(await owner.patch(`${path}/${id}`, { roleMappings: some(49) })).toMatchObject({ status: 200 })
    expect(await owner.patch(`${path}/${id}`, { roleMappings: some(201) })).toMatchObject({ status: 400, body: { code: 'invalid-input' } })
  })
})

describe('connections of an organisation', () => {
  it('are unknown to every other', async () => {
    const own = await organisation()
    const other = await organisation()
    const { id, slug } = await createConnection(own.owner)
    const unknown = { status: 404, body: { code: 'connection-not-found' } }
    expect(await other.owner.get(`${path}/${id}`)).toMatchObject(unknown)
    expect(await other.owner.patch(`${path}/${id}`, { name: 'Mine' })).toMatchObject(unknown)
    expect(await other.owner.post(`${path}/${id}/rotate-secret`, { secret: 'mine' })).toMatchObject(unknown)
    expect(await other.owner.delete(`${path}/${id}`)).toMatchObject(unknown)
    expect((await other.owner.get(path)).body).toEqual({ data: [], total: 0 })
    // The slug is one organisation's own.
    expect(await other.owner.post(path, newConnection({ slug }))).toMatchObject({ status: 201 })
    expect(await own.owner.post(path, newConnection({ slug }))).toMatchObject({ status: 409, body: { code: 'connection-slug-taken' } })
    expect((await own.owner.get(`${path}/${id}`)).body.name).toBe('Acme')
  })

  it('are at most 50, also when they come at once', async () => {
    const own = await organisation()
    const tenant = service().database.tenant(own.id)
    const row = { name: 'Old', type: 'oidc', provider: 'oidc', configuration: '{}', createdAt: tenant.now, updatedAt: tenant.now } as const
    const rows = Array.from({ length: 48 }, (_, index) => ({ ...row, id: `con_${unique()}${index}`, slug: `old-${index}` }))
    await tenant.insertInto('connections').values(rows).execute()

    const answers = await Promise.all(Array.from({ length: 5 }, () => own.owner.post(path, newConnection())))

    expect(answers.map(({ status }) => status).sort()).toEqual([201, 201, 400, 400, 400])
    const refused = answers.find(({ status }) => status === 400)
    expect(refused?.body).toMatchObject({ code: 'too-many-connections', detail: 'An organisation has at most 50 connections' })
    expect((await own.owner.get(path)).body.total).toBe(50)
  })

  it('keep both of two changes at the same moment, or one under If-Match', async () => {
    const { owner } = await organisation()
    const at = `${path}/${(await createConnection(owner)).id}`
    await Promise.all([
      owner.patch(at, { configuration: { allowedDomains: ['a.test'] } }),
      owner.patch(at, { configuration: { emailTrust: 'verified_domain' } }),
    ])
    const read = await owner.get(at)
    expect(read.body.configuration).toMatchObject({ allowedDomains: ['a.test'], emailTrust: 'verified_domain' })

    const ifMatch = owner.with({ 'if-match': read.headers.get('etag') ?? '' })
    const answers = await Promise.all([ifMatch.patch(at, { name: 'One' }), ifMatch.patch(at, { name: 'Other' })])
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 412])
  })
})
