import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { enrolAuthenticator } from '../support/authenticator.ts'
import { linkedIdentity } from '../support/connections.ts'
import { uniqueDomain, verifiedDomain } from '../support/domains.ts'
import { connect } from '../support/federation.ts'
import { unique } from '../support/given.ts'
import type { Answer } from '../support/http-client.ts'
import {
  type Accepting,
  assertionFor,
  diagnosisOf,
  givenAccepting,
  jwtBearer,
  present,
  signAssertion,
  withAssertions,
} from '../support/identity-assertions.ts'
import { type IdentityProvider, identityProvider, listeningProvider } from '../support/identity-provider.ts'
import { browserOf, claimsOf, givenApplication } from '../support/oauth.ts'
import { resourceServer } from '../support/resource-servers.ts'
import { useService } from '../support/service.ts'

const service = useService({ environment: withAssertions })

let provider: IdentityProvider & { close(): Promise<void> }
beforeAll(async () => {
  provider = await listeningProvider({ now: () => service().clock.now() })
})
afterAll(() => provider.close())

const world = (options: Parameters<typeof givenAccepting>[2] = {}) => givenAccepting(service(), provider, options)
const claimsFor = (accepting: Accepting) => assertionFor(accepting, provider, service().clock.now())
const now = () => Math.floor(service().clock.now().getTime() / 1_000)

/** Presents an assertion with some claims changed; one that is undefined is left out. */
const tryWith = async (
  accepting: Accepting,
  changes: Record<string, unknown> = {},
  header: Record<string, unknown> = {},
  form: Record<string, string> = {},
): Promise<Answer> => present(accepting.editor, await signAssertion(provider, { ...claimsFor(accepting), ...changes }, header), form)

const familiesOf = ({ organisation }: Accepting) =>
  service().database.tenant(organisation.id).selectFrom('tokenFamilies').selectAll().execute()
const isActive = async ({ editor }: Accepting, token: string) => (await editor.introspect(token)).body.active

describe('an identity assertion', () => {
  it('earns an access token for exactly its resources, for an hour at most, and no other token', async () => {
    const accepting = await world({ registration: { accessTokenLifetime: 86_400 } })
    const { editor, orders, userId, owner, connectionId } = accepting

    const answer = await tryWith(accepting)

    expect(answer).toMatchObject({ status: 200, body: { token_type: 'Bearer', expires_in: 3_600, scope: 'orders:read orders:write' } })
    expect(Object.keys(answer.body).sort()).toEqual(['access_token', 'expires_in', 'scope', 'token_type'])
    expect(claimsOf(answer.body.access_token)).toMatchObject({
      sub: userId,
      aud: orders.identifier,
      client_id: editor.id,
      scope: 'orders:read orders:write',
      auth_time: expect.any(Number),
      acr: 'aal1',
      amr: [],
    })
    expect(await isActive(accepting, answer.body.access_token)).toBe(true)
    expect(await owner.audit({ action: 'oauth2.identity_assertion.accepted' })).toMatchObject([
      { targetId: editor.id, actorType: 'client', actorId: editor.id, metadata: { userId, connectionId, resources: [orders.id] } },
    ])
    expect(JSON.stringify(service().logLines)).not.toContain(answer.body.access_token)
  })

  it('has the scopes that request, assertion, client and API allow alike', async () => {
    const accepting = await world()
    expect((await tryWith(accepting, { scope: 'orders:read orders:burn openid' })).body.scope).toBe('orders:read')
    expect((await tryWith(accepting, {}, {}, { scope: 'orders:write orders:burn' })).body.scope).toBe('orders:write')
  })

  it('has the claims that mappings of the client and of the API add', async () => {
    const accepting = await world()
    const { owner, editor, orders, userId } = accepting
    const mapping = (name: string, from: string) => ({ name, from, in: ['access_token', 'introspection'] })
    expect(await owner.patch(`/v1/admin/users/${userId}`, { metadata: { department: 'Sales' } })).toMatchObject({ status: 200 })
    const ofClient = { claimMappings: [mapping('department', '/user/metadata/department')] }
    expect(await owner.patch(`/v1/admin/clients/${editor.id}`, ofClient)).toMatchObject({ status: 200 })
    const ofServer = { claimMappings: [mapping('company', '/organisation/slug'), mapping('level', '/session/acr')] }
    expect(await owner.patch(`/v1/admin/resource-servers/${orders.id}`, ofServer)).toMatchObject({ status: 200 })

    const { body } = await tryWith(accepting)
    const added = { department: 'Sales', company: accepting.organisation.slug, level: 'aal1' }
    expect(claimsOf(body.access_token)).toMatchObject(added)
    expect((await editor.introspect(body.access_token)).body).toMatchObject(added)
  })

  it('tells how the user signed in, where the connection trusts it', async () => {
    const accepting = await world({ connection: { trustsMfa: true } })
    const auth_time = now() - 600
    const { body } = await tryWith(accepting, { amr: ['pwd', 'otp', 'mfa'], auth_time })
    expect(claimsOf(body.access_token)).toMatchObject({ acr: 'aal2', amr: ['pwd', 'otp', 'mfa'], auth_time })
  })

  it('without a resource is for the default of the client', async () => {
    const accepting = await world()
    const { owner, editor, orders } = accepting
    expect(await tryWith(accepting, { resource: undefined })).toMatchObject({ status: 400, body: { error: 'invalid_target' } })
    await owner.patch(`/v1/admin/clients/${editor.id}`, { defaultResource: orders.identifier })
    expect(claimsOf((await tryWith(accepting, { resource: undefined })).body.access_token).aud).toBe(orders.identifier)
  })

  it('may name several resources, of which the request takes some', async () => {
    const accepting = await world()
    const { owner, editor, orders, connectionId } = accepting
    const bills = await resourceServer(owner, { scopes: [{ name: 'bills:read', description: null }] })
    const [resourceServerIds, scopes] = [
      [orders.id, bills.id],
      ['orders:read', 'bills:read'],
    ]
    await owner.patch(`/v1/admin/clients/${editor.id}`, { resourceServerIds, scopes })
    await owner.patch(`/v1/admin/connections/${connectionId}`, { identityAssertions: { accepted: true, resourceServerIds } })
    const both = { resource: [orders.identifier, bills.identifier], scope: 'orders:read bills:read' }

    expect(claimsOf((await tryWith(accepting, both)).body.access_token)).toMatchObject({ aud: both.resource, scope: both.scope })
    const { body } = await tryWith(accepting, both, {}, { resource: bills.identifier })
    expect(claimsOf(body.access_token)).toMatchObject({ aud: bills.identifier, scope: 'bills:read' })
  })

  it('creates a user where the connection provisions and proves the address, and links no account', async () => {
    const configuration = { issuer: provider.issuer, clientId: 'gatehouse', emailTrust: 'verified_claim', allowedDomains: ['example.test'] }
    const accepting = await world({ connection: { provisioning: 'jit', configuration: JSON.stringify(configuration) } })
    const email = `grace-${unique()}@example.test`
    const grace = { sub: `sub-${unique()}`, email, email_verified: true, given_name: 'Grace', family_name: 'Hopper' }

    const first = await tryWith(accepting, grace)
    const again = await tryWith(accepting, { ...grace, email: undefined })

    expect(first.status).toBe(200)
    expect(claimsOf(again.body.access_token).sub).toBe(claimsOf(first.body.access_token).sub)
    expect((await accepting.owner.get(`/v1/admin/users?q=${email}`)).body.data).toMatchObject([
      { email, firstName: 'Grace', lastName: 'Hopper' },
    ])
    const known = await service().given.user(accepting.owner, { email: `known-${unique()}@example.test` })
    const other = { ...grace, sub: `sub-${unique()}`, email: known.email }
    expect(await tryWith(accepting, other)).toMatchObject({ status: 400, body: { error: 'invalid_grant' } })
    expect(await tryWith(accepting, { ...other, email: `new-${unique()}@example.test`, email_verified: false })).toMatchObject({
      status: 400,
    })
  })
})

describe('an assertion of a person who would be new', () => {
  it('leaves no user when it is refused', async () => {
    const configuration = { issuer: provider.issuer, clientId: 'gatehouse', emailTrust: 'verified_claim', allowedDomains: ['example.test'] }
    const accepting = await world({ connection: { provisioning: 'jit', trustsMfa: true, configuration: JSON.stringify(configuration) } })
    const { owner, editor } = accepting
    await owner.patch(`/v1/admin/clients/${editor.id}`, { defaultAcrValues: ['aal2'] })
    const email = `grace-${unique()}@example.test`
    const grace = { sub: `sub-${unique()}`, email, email_verified: true }

    expect(await tryWith(accepting, { ...grace, amr: ['pwd'] })).toMatchObject({ body: { error: 'insufficient_user_authentication' } })

    expect((await owner.get(`/v1/admin/users?q=${email}`)).body.data).toEqual([])
    expect((await tryWith(accepting, { ...grace, amr: ['mfa'] })).status).toBe(200)
    expect((await owner.get(`/v1/admin/users?q=${email}`)).body.data).toMatchObject([{ email }])
  })
})

/** How an assertion is bent; whether the error is another than `invalid_grant`; the check that it fails at. */
type Bent = [what: string, check: string, claims: (accepting: Accepting) => Record<string, unknown>, header?: Record<string, unknown>]

const bent: Bent[] = [
  ['has no type', 'assertion_type', () => ({}), { typ: undefined }],
  ['has the type of an ID token', 'assertion_type', () => ({}), { typ: 'JWT' }],
  ['has the type of an access token', 'assertion_type', () => ({}), { typ: 'at+jwt' }],
  ['has no issuer', 'assertion_issuer', () => ({ iss: undefined })],
  ['is of another issuer', 'assertion_issuer', () => ({ iss: 'https://elsewhere.test' })],
  ['names the issuer with a slash', 'assertion_issuer', () => ({ iss: `${provider.issuer}/` })],
  ['is of this service itself', 'assertion_issuer', () => ({ iss: 'http://gatehouse.test' })],
  ['is of a tenant, where none is trusted', 'assertion_tenant', () => ({ tenant: 'org_of_others' })],
  ['has no audience', 'assertion_audience', () => ({ aud: undefined })],
  ['is for another service', 'assertion_audience', () => ({ aud: 'https://elsewhere.test' })],
  ['is for the token endpoint', 'assertion_audience', () => ({ aud: 'http://gatehouse.test/oauth2/token' })],
  ['is for two services', 'assertion_audience', () => ({ aud: ['http://gatehouse.test', 'https://elsewhere.test'] })],
  ['is for this service twice', 'assertion_audience', () => ({ aud: ['http://gatehouse.test', 'http://gatehouse.test'] })],
  ['is for no service', 'assertion_audience', () => ({ aud: [] })],
  ['names no client', 'assertion_client', () => ({ client_id: undefined })],
  ['is of another client', 'assertion_client', () => ({ client_id: 'cli_another' })],
  ['names several clients', 'assertion_client', ({ editor }) => ({ client_id: [editor.id] })],
  ['has no expiry', 'assertion_lifetime', () => ({ exp: undefined })],
  ['has no time of issue', 'assertion_lifetime', () => ({ iat: undefined })],
  ['has times that are texts', 'assertion_lifetime', () => ({ exp: String(now() + 60), iat: String(now()) })],
  ['has expired', 'assertion_lifetime', () => ({ iat: now() - 200, exp: now() - 61 })],
  ['has times with characters that are not stored', 'assertion_lifetime', () => ({ exp: { '\u0000': ['\ud800'] }, nbf: '\u0000' })],
  ['has an audience that cannot be written as a text', 'assertion_audience', () => ({ aud: [{ toString: 1 }] })],
  ['has more audiences than are stored', 'assertion_audience', () => ({ aud: { more: 'x'.repeat(5_000) } })],
  ['was issued in the future', 'assertion_lifetime', () => ({ iat: now() + 90, exp: now() + 200 })],
  ['is not valid yet', 'assertion_lifetime', () => ({ nbf: now() + 90 })],
  ['lives for a day', 'assertion_lifetime', () => ({ exp: now() + 86_400 })],
  ['lives a second longer than it may', 'assertion_lifetime', () => ({ exp: now() + 301 })],
  ['expires before it was issued', 'assertion_lifetime', () => ({ iat: now() + 30, exp: now() + 10 })],
  ['has no id', 'assertion_id', () => ({ jti: undefined })],
  ['has an id that is none', 'assertion_id', () => ({ jti: ['a'] })],
  ['names no user', 'assertion_subject', () => ({ sub: undefined })],
  ['names a user by a number', 'assertion_subject', () => ({ sub: 7 })],
  ['names an unknown user', 'assertion_subject', () => ({ sub: 'unknown' })],
  [
    'names an unknown user by an address',
    'assertion_subject',
    ({ owner }) => ({ sub: 'unknown', email: owner.email, email_verified: true }),
  ],
  ['names a resource that is no text', 'resource', () => ({ resource: [7] })],
  ['has a scope that is a list', 'scope', () => ({ scope: ['orders:read'] })],
]

describe('a refused assertion', () => {
  it.each(bent)('is one that %s', async (_, check, claims, header) => {
    const accepting = await world()
    const answer = await tryWith(accepting, claims(accepting), header)
    expect(answer).toMatchObject({ status: 400, body: { error: 'invalid_grant' } })
    expect(await diagnosisOf(accepting.owner, answer)).toMatchObject({ check })
    expect(await familiesOf(accepting)).toEqual([])
    expect(await accepting.owner.audit({ action: 'oauth2.identity_assertion.accepted' })).toEqual([])
  })

  it.each<[string, string, (accepting: Accepting) => string | Promise<string>]>([
    ['is no JWT', 'assertion', () => 'assertion'],
    [
      'has been changed',
      'assertion_signature',
      async (accepting) => {
        const [header, , signature] = (await signAssertion(provider, claimsFor(accepting))).split('.')
        const payload = Buffer.from(JSON.stringify({ ...claimsFor(accepting), scope: 'orders:read' })).toString('base64url')
        return [header, payload, signature].join('.')
      },
    ],
    ['has no signature', 'assertion_algorithm', (accepting) => unsigned(accepting, 'none', '')],
    ['is signed by a shared secret', 'assertion_algorithm', (accepting) => unsigned(accepting, 'HS256', 'c2lnbmVk')],
    [
      'is signed by an unpublished key',
      'assertion_signature',
      async (accepting) => signAssertion(await identityProvider({ issuer: provider.issuer }), claimsFor(accepting)),
    ],
    [
      'brings its own key',
      'assertion_signature',
      async (accepting) => {
        const stranger = await identityProvider({ issuer: provider.issuer })
        const { keys } = (await (await stranger.fetch(`${provider.issuer}/jwks`)).json()) as { keys: object[] }
        return signAssertion(stranger, claimsFor(accepting), { jwk: keys[0] })
      },
    ],
  ])('%s', async (_, check, make) => {
    const accepting = await world()
    const answer = await present(accepting.editor, await make(accepting))
    expect(answer).toMatchObject({ status: 400, body: { error: 'invalid_grant' } })
    expect(await diagnosisOf(accepting.owner, answer)).toMatchObject({ check })
  })

  const unsigned = (accepting: Accepting, alg: string, signature: string) => {
    const parts = [{ alg, typ: 'oauth-id-jag+jwt' }, claimsFor(accepting)].map((part) =>
      Buffer.from(JSON.stringify(part)).toString('base64url'),
    )
    return [...parts, signature].join('.')
  }

  it.each<[string, string, (accepting: Accepting, other: Accepting) => Record<string, unknown>]>([
    ['is for an unknown resource', 'invalid_target', () => ({ resource: 'https://unknown.test' })],
    ['is for a resource of another organisation', 'invalid_target', (_, other) => ({ resource: other.orders.identifier })],
    [
      'is for a resource of another organisation besides',
      'invalid_target',
      ({ orders }, other) => ({
        resource: [orders.identifier, other.orders.identifier],
      }),
    ],
    ['has no scope', 'invalid_scope', () => ({ scope: undefined })],
    ['has scopes of none', 'invalid_scope', () => ({ scope: 'orders:burn' })],
    ['has a scope with characters that are not stored', 'invalid_scope', () => ({ scope: 'orders:read\u0000 \ud800' })],
  ])('%s', async (_, error, claims) => {
    const [accepting, other] = [await world(), await world()]
    const answer = await tryWith(accepting, claims(accepting, other))
    expect(answer).toMatchObject({ status: 400, body: { error } })
    expect(await familiesOf(accepting)).toEqual([])
  })

  it('is presented a second time, of twenty at once nineteen', async () => {
    const accepting = await world()
    const assertion = await signAssertion(provider, claimsFor(accepting))

    const answers = await Promise.all(Array.from({ length: 20 }, () => present(accepting.editor, assertion)))

    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
    const refused = answers.find(({ status }) => status !== 200) as Answer
    expect(refused).toMatchObject({ status: 400, body: { error: 'invalid_grant' } })
    expect(await diagnosisOf(accepting.owner, refused)).toMatchObject({ check: 'assertion_id' })
    expect(await familiesOf(accepting)).toHaveLength(1)
  })

  it('has been taken by another connection of its issuer, which was deactivated or removed since', async () => {
    const accepting = await world()
    const { owner, editor, organisation, connectionId, userId, subject } = accepting
    const next = async () => {
      const id = await connect(service(), organisation, provider)
      await linkedIdentity(service(), { organisationId: organisation.id, userId, connectionId: id, subject })
      const identityAssertions = { accepted: true, resourceServerIds: [accepting.orders.id] }
      expect(await owner.patch(`/v1/admin/connections/${id}`, { identityAssertions })).toMatchObject({ status: 200 })
      return id
    }
    const second = await next()
    await next()
    const assertion = await signAssertion(provider, claimsFor(accepting))
    expect((await present(editor, assertion)).status).toBe(200)

    for (const end of [
      () => owner.patch(`/v1/admin/connections/${connectionId}`, { isActive: false }),
      () => owner.delete(`/v1/admin/connections/${second}`),
    ]) {
      expect((await end()).status).toBeLessThan(300)
      const answer = await present(editor, assertion)
      expect(answer).toMatchObject({ status: 400, body: { error: 'invalid_grant' } })
      expect(await diagnosisOf(owner, answer)).toMatchObject({ check: 'assertion_id' })
      expect((await tryWith(accepting)).status).toBe(200)
    }
  })

  it('is not used up by another organisation, which trusts other keys of the same issuer', async () => {
    const [accepting, other] = [await world(), await world()]
    const jti = unique()
    expect((await tryWith(other, { jti })).status).toBe(200)
    expect((await tryWith(accepting, { jti })).status).toBe(200)
    expect(await tryWith(accepting, { jti })).toMatchObject({ status: 400, body: { error: 'invalid_grant' } })
  })

  it('is presented by another client of the organisation', async () => {
    const accepting = await world()
    const { organisation, orders } = accepting
    const other = await givenApplication(service(), {
      organisation,
      grantTypes: ['authorization_code', jwtBearer],
      scopes: ['orders:read'],
      resourceServerIds: [orders.id],
    })
    const answer = await present(other, await signAssertion(provider, claimsFor(accepting)))
    expect(await diagnosisOf(accepting.owner, answer)).toMatchObject({ check: 'assertion_client', expected: other.id })
  })

  it('asks for more than it holds: another resource or other scopes', async () => {
    const accepting = await world()
    const bills = await resourceServer(accepting.owner, { scopes: [{ name: 'bills:read', description: null }] })
    const { owner, editor, orders, connectionId } = accepting
    const resourceServerIds = [orders.id, bills.id]
    await owner.patch(`/v1/admin/clients/${editor.id}`, { resourceServerIds, scopes: ['orders:read', 'orders:write', 'bills:read'] })
    await owner.patch(`/v1/admin/connections/${connectionId}`, { identityAssertions: { accepted: true, resourceServerIds } })

    const wider = await tryWith(accepting, {}, {}, { resource: bills.identifier })
    expect(wider).toMatchObject({ status: 400, body: { error: 'invalid_target' } })
    const more = await tryWith(accepting, { scope: 'orders:read' }, {}, { scope: 'orders:write' })
    expect(more).toMatchObject({ status: 400, body: { error: 'invalid_scope' } })
  })

  it.each<[string, (accepting: Accepting) => Promise<unknown>, string]>([
    [
      'the connection does not take',
      ({ owner, connectionId }) =>
        owner.patch(`/v1/admin/connections/${connectionId}`, { identityAssertions: { accepted: true, resourceServerIds: [] } }),
      'invalid_target',
    ],
    [
      'the client may not ask for',
      ({ owner, editor }) => owner.patch(`/v1/admin/clients/${editor.id}`, { resourceServerIds: [] }),
      'invalid_target',
    ],
    [
      'is switched off',
      ({ owner, orders }) => owner.patch(`/v1/admin/resource-servers/${orders.id}`, { isActive: false }),
      'invalid_target',
    ],
  ])('is for a resource that %s', async (_, change, error) => {
    const accepting = await world()
    expect(await change(accepting)).toMatchObject({ status: 200 })
    expect(await tryWith(accepting)).toMatchObject({ status: 400, body: { error } })
  })

  it.each<[string, (accepting: Accepting) => Promise<unknown>]>([
    ['whose user is blocked', ({ owner, userId }) => owner.patch(`/v1/admin/users/${userId}`, { blockedAt: '2026-01-01T00:00:00.000Z' })],
    ['whose user is deleted', ({ owner, userId }) => owner.delete(`/v1/admin/users/${userId}`)],
    [
      'whose connection is inactive',
      ({ owner, connectionId }) => owner.patch(`/v1/admin/connections/${connectionId}`, { isActive: false }),
    ],
    [
      'that the connection accepts no longer',
      ({ owner, connectionId }) => owner.patch(`/v1/admin/connections/${connectionId}`, { identityAssertions: null }),
    ],
    [
      'whose identity is unlinked',
      async ({ owner, userId }) => {
        const [identity] = (await owner.get(`/v1/admin/users/${userId}/identities`)).body.data
        return owner.delete(`/v1/admin/users/${userId}/identities/${identity.id}`)
      },
    ],
  ])('one %s, and what was earned before has ended', async (_, change) => {
    const accepting = await world()
    const { body } = await tryWith(accepting)
    expect(await isActive(accepting, body.access_token)).toBe(true)

    expect(((await change(accepting)) as Answer).status).toBeLessThan(300)

    expect(await tryWith(accepting)).toMatchObject({ status: 400, body: { error: 'invalid_grant' } })
    expect(await isActive(accepting, body.access_token)).toBe(false)
  })

  it('is of a user whose domain requires another connection', async () => {
    const accepting = await world()
    const { owner, userId } = accepting
    const { body: user } = await owner.get(`/v1/admin/users/${userId}`)
    const other = (
      await owner.post('/v1/admin/connections', {
        name: 'Other',
        slug: `other-${unique()}`,
        provider: 'oidc',
        configuration: { issuer: 'https://other.test', clientId: 'gatehouse' },
        secret: 'secret',
      })
    ).body
    const domain = `d-${unique()}.example`
    await service()
      .database.tenant(accepting.organisation.id)
      .updateTable('users')
      .set({ email: `anna@${domain}` })
      .where('id', '=', user.id)
      .execute()
    const { id } = await verifiedDomain(service(), owner, { domain })
    expect(await owner.patch(`/v1/admin/domains/${id}`, { connectionId: other.id, sso: 'required' })).toMatchObject({ status: 200 })

    const answer = await tryWith(accepting)

    expect(answer).toMatchObject({ status: 400, body: { error: 'invalid_grant' } })
    expect(await diagnosisOf(owner, answer)).toMatchObject({ check: 'assertion_subject' })
    await owner.patch(`/v1/admin/domains/${id}`, { connectionId: accepting.connectionId, sso: 'required' })
    expect((await tryWith(accepting)).status).toBe(200)
  })

  it('is of a sign-in that is weaker or older than user, client and connection demand', async () => {
    const accepting = await world({ connection: { trustsMfa: true, sessionMaxAgeSeconds: 600 } })
    const { owner, editor } = accepting
    await owner.patch('/v1/admin/organisation', { requireMfa: true })
    const weak = await tryWith(accepting, { amr: ['pwd'] })
    expect(weak).toMatchObject({ status: 400, body: { error: 'insufficient_user_authentication', acr_values: 'aal2' } })
    expect(await diagnosisOf(owner, weak)).toEqual({ check: 'acr_values', expected: 'aal2', received: 'aal1' })
    expect((await tryWith(accepting, { amr: ['mfa'] })).status).toBe(200)
    const old = await tryWith(accepting, { amr: ['mfa'], auth_time: now() - 601 })
    expect(old).toMatchObject({ status: 400, body: { error: 'insufficient_user_authentication', max_age: 600 } })

    await owner.patch('/v1/admin/organisation', { requireMfa: false })
    await owner.patch(`/v1/admin/clients/${editor.id}`, { defaultAcrValues: ['aal2'] })
    expect(await tryWith(accepting)).toMatchObject({ body: { error: 'insufficient_user_authentication', acr_values: 'aal2' } })

    await owner.patch(`/v1/admin/clients/${editor.id}`, { defaultAcrValues: null, defaultMaxAge: 300 })
    expect((await tryWith(accepting)).status).toBe(200)
    const tooOld = await tryWith(accepting, { auth_time: now() - 301 })
    expect(tooOld).toMatchObject({ status: 400, body: { error: 'insufficient_user_authentication', max_age: 300 } })
  })

  it('does not make up for the second factor of a user', async () => {
    const accepting = await world()
    const person = await service().given.signIn(accepting.owner.email)
    await enrolAuthenticator(person, service().clock)
    const { subject } = await linkedIdentity(service(), {
      organisationId: accepting.organisation.id,
      userId: accepting.owner.id,
      connectionId: accepting.connectionId,
    })
    expect(await tryWith(accepting, { sub: subject })).toMatchObject({ body: { error: 'insufficient_user_authentication' } })
  })
})

describe('the tenant of an issuer that is the one of many', () => {
  it('has to be the one that the connection trusts', async () => {
    const accepting = await world({ settings: { tenant: 'org_acme' } })
    expect((await tryWith(accepting, { tenant: 'org_acme' })).status).toBe(200)
    for (const tenant of ['org_other', undefined, 7]) {
      const answer = await tryWith(accepting, { tenant })
      expect(await diagnosisOf(accepting.owner, answer)).toMatchObject({ check: 'assertion_tenant', expected: ['org_acme'] })
    }
  })
})

describe('identityAssertions of a connection', () => {
  it('changes only by those who hold every permission, and names resource servers that there are', async () => {
    const accepting = await world()
    const { owner, connectionId } = accepting
    const path = `/v1/admin/connections/${connectionId}`
    const other = await world()
    const unknown = { identityAssertions: { accepted: true, resourceServerIds: [other.orders.id] } }
    expect(await owner.patch(path, unknown)).toMatchObject({
      status: 400,
      body: { errors: [{ path: ['identityAssertions', 'resourceServerIds', 0], reason: 'resource-server-not-found' }] },
    })
    const settings = { accepted: true, resourceServerIds: [], maxLifetimeSeconds: 601 }
    expect(await owner.patch(path, { identityAssertions: settings })).toMatchObject({ status: 400 })
    const documents = { accepted: true, allowsUnauthenticatedDocuments: true }
    expect(await owner.patch(path, { identityAssertions: documents })).toMatchObject({
      status: 400,
      body: { errors: [{ message: 'Needs OAUTH_EXTENSIONS to hold client_metadata_documents' }] },
    })
    await service().given.userWith(owner, ['users:read', 'users:update'])
    const limited = await service().given.userWith(owner, ['connections:read', 'connections:update'])
    const answer = await limited.patch(path, { identityAssertions: { accepted: true, maxLifetimeSeconds: 60 } })
    expect(answer).toMatchObject({ status: 403 })
  })

  it('is of providers of OpenID Connect alone', async () => {
    const { owner } = await service().given.organisation()
    const created = await owner.post('/v1/admin/connections', {
      ...{ name: 'GitHub', slug: `github-${unique()}`, provider: 'github', configuration: { clientId: 'gatehouse' }, secret: 'secret' },
      identityAssertions: { accepted: true },
    })
    expect(created).toMatchObject({ status: 400, body: { errors: [{ reason: 'assertions-of-open-id-only' }] } })
  })
})

describe('what an application may do by an assertion', () => {
  it('is listed for the user as managed by the connection, and ended by them', async () => {
    const organisation = await service().given.organisation()
    const accepting = await world({ organisation, userId: organisation.owner.id })
    const { owner, userId, editor, orders, connectionId } = accepting
    const { body } = await tryWith(accepting)

    const consents = (await owner.get(`/v1/admin/users/${userId}/consents`)).body
    expect(consents).toMatchObject({
      total: 1,
      data: [
        {
          clientId: editor.id,
          scopes: ['orders:read', 'orders:write'],
          resources: [{ id: orders.id, scopes: [] }],
          managedBy: { id: connectionId, name: 'Workforce' },
        },
      ],
    })
    expect((await browserOf(owner).open('/account')).body).toContain('managed by Workforce')
    expect(await owner.delete(`/v1/admin/users/${userId}/consents/${editor.id}`)).toMatchObject({ status: 204 })
    expect(await isActive(accepting, body.access_token)).toBe(false)
    expect((await owner.get(`/v1/admin/users/${userId}/consents`)).body.total).toBe(0)
  })
})

describe('the tokens of the assertions of a connection', () => {
  it('end with a resource server that it accepts no longer, and not with one that was deleted before', async () => {
    const accepting = await world()
    const { owner, orders, connectionId } = accepting
    const [former, bills] = [await resourceServer(owner), await resourceServer(owner)]
    const accepts = async (...servers: { id: string }[]) => {
      const identityAssertions = { accepted: true, resourceServerIds: servers.map(({ id }) => id) }
      expect(await owner.patch(`/v1/admin/connections/${connectionId}`, { identityAssertions })).toMatchObject({ status: 200 })
    }
    await accepts(orders, former)
    const { body } = await tryWith(accepting)
    expect(await owner.delete(`/v1/admin/resource-servers/${former.id}`)).toMatchObject({ status: 204 })

    await accepts(orders, bills)
    expect(await isActive(accepting, body.access_token)).toBe(true)

    await accepts(bills)
    expect(await isActive(accepting, body.access_token)).toBe(false)
  })
})

describe('an identity assertion, while the domain of its user requires a connection,', () => {
  it.each<[string, 'by the required connection' | 'by another', boolean]>(
    (['the owner', 'an exception with a second factor', 'an exception without one any more', 'an ordinary user'] as const).flatMap(
      (who) => [
        [who, 'by the required connection', true],
        [who, 'by another', who === 'the owner' || who === 'an exception with a second factor'],
      ],
    ),
  )('lets an application act for %s %s: %s', async (who, way, isAccepted) => {
    const organisation = await service().given.organisation()
    const { owner } = organisation
    const user = who === 'the owner' ? owner : await service().given.userWith(owner, [])
    const accepting = await world({ organisation, userId: user.id, connection: { trustsMfa: true } })
    const other = await connect(service(), organisation, provider, {
      configuration: JSON.stringify({ issuer: `https://other-${unique()}.test`, clientId: 'gatehouse' }),
    })
    const domain = uniqueDomain()
    const { id } = await verifiedDomain(service(), owner, { domain })
    const path = `/v1/admin/domains/${id}`
    await service()
      .database.tenant(organisation.id)
      .updateTable('users')
      .set({ email: `anna@${domain}` })
      .where('id', '=', user.id)
      .execute()
    const connectionId = way === 'by another' ? other : accepting.connectionId
    expect(await owner.patch(path, { connectionId, sso: 'offered' })).toMatchObject({ status: 200 })
    if (who.startsWith('an exception')) {
      await enrolAuthenticator(user, service().clock)
      expect(await owner.patch(path, { bypassUserIds: [user.id] })).toMatchObject({ status: 200 })
    }
    if (who === 'an exception without one any more')
      expect(await owner.patch(`/v1/admin/users/${user.id}`, { mfaEnabled: false })).toMatchObject({ status: 200 })
    expect(await owner.patch(path, { sso: 'required' })).toMatchObject({ status: 200 })

    const answer = await tryWith(accepting, { amr: ['mfa'] })

    if (isAccepted) {
      expect(answer).toMatchObject({ status: 200, body: { access_token: expect.any(String) } })
      expect(await familiesOf(accepting)).toHaveLength(1)
    } else {
      expect(answer).toMatchObject({ status: 400, body: { error: 'invalid_grant' } })
      expect(await diagnosisOf(owner, answer)).toMatchObject({ check: 'assertion_subject' })
      expect(await familiesOf(accepting)).toEqual([])
    }
  })
})
