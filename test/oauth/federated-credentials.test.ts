import { UnsecuredJWT } from 'jose'
import { beforeAll, describe, expect, it } from 'vitest'
import { certificateVariables } from '../support/certificates.ts'
import { byAssertion, clientKey } from '../support/client-keys.ts'
import { givenApplication, postForm, type Registration, type TestApplication } from '../support/oauth.ts'
import { credentialOf, type Platform, platform, platformNames, type Token } from '../support/platforms.ts'
import { useService } from '../support/service.ts'

const service = useService({ environment: { OAUTH_EXTENSIONS: 'federated_credentials,device,par', RATE_LIMIT: 'off' } })
const without = useService()
/** Keys sign requests there, and profiles can be set. */
const withoutAssertions = useService({
  environment: { OAUTH_EXTENSIONS: 'federated_credentials,jar,par,mtls', ...certificateVariables },
})
const withKeys = useService({ environment: { OAUTH_EXTENSIONS: 'private_key_jwt' } })

let github: Platform
beforeAll(async () => {
  github = await platform('github')
})

const now = () => service().clock.now()
const issuer = () => service().services.issuer

let last = 0
/** A credential of GitHub's that no other client of the tests has. */
const own = (fields: Record<string, unknown> = {}) => {
  last += 1
  return credentialOf(github, { subject: `repo:acme/project-${last}:ref:refs/heads/main`, ...fields })
}

const workload = (credentials: object[], registration: Registration = {}) =>
  givenApplication(service(), {
    tokenEndpointAuthMethod: 'private_key_jwt',
    federatedCredentials: credentials,
    grantTypes: ['client_credentials'],
    redirectUris: [],
    scopes: ['orders:read'],
    ...registration,
  })

const ask = (app: Pick<TestApplication, 'id'>, token: string, form: Record<string, string> = {}) =>
  postForm(service().anonymous, '/oauth2/token', { grant_type: 'client_credentials', client_id: app.id, ...byAssertion(token), ...form })

const accepted = { status: 200, body: { token_type: 'Bearer' } }
const invalidClient = { status: 401, body: { error: 'invalid_client' } }

async function checkOf({ organisation }: Pick<TestApplication, 'organisation'>) {
  const { body } = await organisation.owner.get('/v1/admin/diagnostics')
  const { check, expected, received } = body.data[0]
  return { check, expected, received }
}

describe('a client with credentials of a platform', () => {
  it.each(platformNames)('authenticates by a token of %s whose keys are found by discovery', async (name) => {
    const of = await platform(name)
    const app = await workload([credentialOf(of)])
    expect(app.secret).toBeNull()
    expect(await ask(app, await of.token(issuer(), now()))).toMatchObject(accepted)
    expect(await ask(app, await of.token(`${issuer()}/oauth2/token`, now()))).toMatchObject(accepted)
    expect(of.published.requests.filter((path) => path === '/keys')).toHaveLength(1)
  })

  it.each(platformNames)('authenticates by a token of %s whose keys were set, and nothing is fetched', async (name) => {
    const of = await platform(name, { isPublished: false })
    const keys = [name === 'spiffe' ? { ...of.key.publicKey, use: 'jwt-svid' } : of.key.publicKey]
    const app = await workload([credentialOf(of, { jwks: { keys } })])
    expect(await ask(app, await of.token(issuer(), now()))).toMatchObject(accepted)
    expect(of.published.requests).toEqual([])
  })

  it.each(['ES384', 'ES512', 'PS384', 'PS512', 'RS384', 'RS512'])('authenticates by a token that is signed by %s', async (signsBy) => {
    const of = await platform('spiffe', { signsBy })
    const published = await workload([credentialOf(of)])
    expect(await ask(published, await of.token(issuer(), now()))).toMatchObject(accepted)
    const keys = [{ ...of.key.publicKey, alg: signsBy }]
    const set = await workload([credentialOf(of, { subject: 'spiffe://acme.test/ns/billing/sa/*', jwks: { keys } })])
    expect(await ask(set, await of.token(issuer(), now()))).toMatchObject(accepted)
  })

  it('uses a token as often as it likes until it expires', async () => {
    const credential = own()
    const app = await workload([credential])
    const token = await github.token(issuer(), now(), { claims: { sub: credential.subject } })
    for (let time = 0; time < 3; time += 1) expect(await ask(app, token)).toMatchObject(accepted)
    service().clock.advance({ minutes: 6 })
    expect(await ask(app, token)).toMatchObject(invalidClient)
  })

  it('authenticates so at every endpoint of clients', async () => {
    const credential = own()
    const app = await workload([credential], {
      grantTypes: ['authorization_code', 'refresh_token', 'client_credentials', 'urn:ietf:params:oauth:grant-type:device_code'],
      redirectUris: ['https://portal.example.test/callback'],
    })
    const assertion = await github.token(issuer(), now(), { claims: { sub: credential.subject } })
    const post = (path: string, form: Record<string, string>) =>
      postForm(service().anonymous, path, { client_id: app.id, ...form, ...byAssertion(assertion) })
    const { code, verifier } = await app.code({ scope: 'openid offline_access' })
    const redeemed = await post('/oauth2/token', {
      ...{ grant_type: 'authorization_code', code, redirect_uri: app.redirectUri, code_verifier: verifier },
    })
    expect(redeemed).toMatchObject({ status: 200, body: { refresh_token: expect.any(String) } })
    const refreshed = await post('/oauth2/token', { grant_type: 'refresh_token', refresh_token: redeemed.body.refresh_token })
    expect(refreshed).toMatchObject({ status: 200 })
    const token = refreshed.body.access_token
    expect(await post('/oauth2/introspect', { token })).toMatchObject({ status: 200, body: { active: true } })
    expect(await post('/oauth2/revoke', { token })).toMatchObject({ status: 200 })
    expect(await post('/oauth2/introspect', { token })).toMatchObject({ status: 200, body: { active: false } })
    expect(await post('/oauth2/device_authorization', { scope: 'openid' })).toMatchObject({ status: 200 })
    const pushed = { response_type: 'code', redirect_uri: app.redirectUri, code_challenge: 'x'.repeat(43), code_challenge_method: 'S256' }
    expect(await post('/oauth2/par', pushed)).toMatchObject({ status: 201 })
  })

  it('keeps its secret beside them', async () => {
    const credential = own()
    const app = await workload([credential], { tokenEndpointAuthMethod: 'client_secret_basic' })
    expect(await app.token({ grant_type: 'client_credentials' })).toMatchObject(accepted)
    const token = await github.token(issuer(), now(), { claims: { sub: credential.subject } })
    expect(await ask(app, token)).toMatchObject(accepted)
    expect(await ask(app, token, { client_secret: app.secret ?? '' })).toMatchObject({ status: 400, body: { error: 'invalid_request' } })
  })

  it('is no other client, although both are known to the platform', async () => {
    const [first, second] = [own(), own()]
    const [app, other] = [await workload([first]), await workload([second])]
    const token = await github.token(issuer(), now(), { claims: { sub: first.subject } })
    expect(await ask(other, token)).toMatchObject(invalidClient)
    expect(await checkOf(other)).toMatchObject({ check: 'client_assertion', received: `sub: "${first.subject}"` })
    expect(await ask(app, token)).toMatchObject(accepted)
  })

  it('takes every subject that begins as a pattern does', async () => {
    const app = await workload([credentialOf(github, { subject: 'repo:acme/patterns:*' })])
    const of = async (sub: string) => ask(app, await github.token(issuer(), now(), { claims: { sub } }))
    expect(await of('repo:acme/patterns:ref:refs/heads/main')).toMatchObject(accepted)
    expect(await of('repo:acme/patterns:environment:production')).toMatchObject(accepted)
    for (const sub of ['repo:acme/patterns', 'repo:acme/patterns:', 'repo:acme/patterns-too:ref:x', 'repo:acme/other:x', '*'])
      expect(await of(sub)).toMatchObject(invalidClient)
  })

  it('refuses a token once its credential is gone, and while the client is deactivated', async () => {
    const credential = own()
    const app = await workload([credential], { tokenEndpointAuthMethod: 'client_secret_basic' })
    const { owner } = app.organisation
    const token = await github.token(issuer(), now(), { claims: { sub: credential.subject } })
    await owner.post(`/v1/admin/clients/${app.id}/revoke`)
    expect(await ask(app, token)).toMatchObject(invalidClient)
    await owner.post(`/v1/admin/clients/${app.id}/activate`)
    expect(await ask(app, token)).toMatchObject(accepted)
    expect(await owner.patch(`/v1/admin/clients/${app.id}`, { federatedCredentials: [] })).toMatchObject({ status: 200 })
    expect(await ask(app, token)).toMatchObject(invalidClient)
    expect(await checkOf(app)).toMatchObject({ check: 'token_endpoint_auth_method', received: 'federated_credential' })
  })

  it('is served while its issuer is away, by the keys that were read', async () => {
    const of = await platform('gitlab')
    const app = await workload([credentialOf(of)])
    expect(await ask(app, await of.token(issuer(), now()))).toMatchObject(accepted)
    of.published.status = 503
    service().clock.advance({ hours: 2 })
    expect(await ask(app, await of.token(issuer(), now()))).toMatchObject(accepted)
    service().clock.advance({ hours: 30 })
    expect(await ask(app, await of.token(issuer(), now()))).toMatchObject(invalidClient)
    const stored = await service().database.tenant(app.organisation.id).selectFrom('diagnostics').select('expected').execute()
    expect(stored).toEqual([{ expected: `a document with keys at ${of.issuer}` }])
  })

  it.each([
    [
      'of another issuer',
      { issuer: 'https://elsewhere.example.test', jwks_uri: 'https://elsewhere.example.test/keys' },
      'is the document of',
    ],
    ['without an address of keys', {}, 'names no jwks_uri'],
  ])('is refused with the reason when the discovery document is one %s', async (_, document, reason) => {
    const of = await platform('github')
    of.published.document = { issuer: of.issuer, ...document }
    const app = await workload([credentialOf(of)])
    expect(await ask(app, await of.token(issuer(), now()))).toMatchObject(invalidClient)
    expect((await checkOf(app)).received).toContain(reason)
  })
})

describe('a bent token', () => {
  const seconds = () => Math.floor(now().getTime() / 1_000)
  type Bent = (right: { sub: string }) => Token | Promise<Token>

  it.each<[string, Bent]>([
    ['of another issuer', () => ({ claims: { iss: 'https://token.actions.githubusercontent.com' } })],
    ['of the issuer with a slash', () => ({ claims: { iss: `${github.issuer}/` } })],
    ['without an issuer', () => ({ claims: { iss: undefined } })],
    ['with a list of issuers', () => ({ claims: { iss: [github.issuer] } })],
    ['of another branch', ({ sub }) => ({ claims: { sub: sub.replace('main', 'feature') } })],
    ['with a longer subject', ({ sub }) => ({ claims: { sub: `${sub}-2` } })],
    ['whose subject is written in capitals', ({ sub }) => ({ claims: { sub: sub.toUpperCase() } })],
    ['whose subject is a list', ({ sub }) => ({ claims: { sub: [sub] } })],
    ['for another service', () => ({ claims: { aud: 'https://elsewhere.example.test' } })],
    ['for this service and another', () => ({ claims: { aud: [issuer(), 'https://elsewhere.example.test'] } })],
    ['for this service with a slash', () => ({ claims: { aud: `${issuer()}/` } })],
    ['for the endpoint of introspection', () => ({ claims: { aud: `${issuer()}/oauth2/introspect` } })],
    ['for no service', () => ({ claims: { aud: undefined } })],
    ['for an empty list', () => ({ claims: { aud: [] } })],
    ['without a demanded claim', () => ({ claims: { environment: undefined } })],
    ['with another value of a demanded claim', () => ({ claims: { environment: 'staging' } })],
    ['with a list that holds the demanded value', () => ({ claims: { environment: ['production'] } })],
    ['that has expired', () => ({ claims: { iat: seconds() - 600, nbf: seconds() - 600, exp: seconds() - 1 } })],
    ['that never expires', () => ({ claims: { exp: undefined } })],
    ['whose expiry is a text', () => ({ claims: { exp: `${seconds() + 60}` } })],
    ['that lives a day and a second', () => ({ claims: { iat: seconds(), nbf: undefined, exp: seconds() + 86_401 } })],
    ['that lives a day and a second and is nearly over', () => ({ claims: { iat: seconds() - 86_400, exp: seconds() + 1 } })],
    ['that names no beginning and lives two days more', () => ({ claims: { iat: undefined, nbf: undefined, exp: seconds() + 172_800 } })],
    ['that is not valid yet', () => ({ claims: { nbf: seconds() + 120, exp: seconds() + 300 } })],
    ['from the future', () => ({ claims: { iat: seconds() + 120, exp: seconds() + 300 } })],
    ['signed by a key of the same name that is not published', async () => ({ by: await clientKey('RS256', 'github-1') })],
    ['signed by a key that the issuer does not name', async () => ({ by: await clientKey('RS256', 'github-2') })],
    ['of another kind', () => ({ header: { typ: 'at+jwt' } })],
    ['with a critical header', () => ({ header: { crit: ['b64'], b64: true } })],
    ['signed on another curve than that of the published key', async () => ({ by: await clientKey('ES384', 'github-1') })],
  ])('%s is refused', async (_, bend) => {
    const credential = own({ claims: { environment: 'production' } })
    const app = await workload([credential])
    const { subject: sub } = credential
    const { claims, ...bent } = await bend({ sub })
    expect(await ask(app, await github.token(issuer(), now(), { ...bent, claims: { sub, ...claims } }))).toMatchObject(invalidClient)
    expect(await checkOf(app)).toMatchObject({ check: 'client_assertion' })
    expect(await ask(app, await github.token(issuer(), now(), { claims: { sub } }))).toMatchObject(accepted)
  })

  it('without a signature, signed by a shared secret, or no token at all is refused', async () => {
    const credential = own()
    const app = await workload([credential])
    const right = await github.token(issuer(), now(), { claims: { sub: credential.subject } })
    const [, body, signature] = right.split('.')
    const header = (alg: string) => Buffer.from(JSON.stringify({ alg, kid: 'github-1' })).toString('base64url')
    const unsigned = new UnsecuredJWT({ iss: github.issuer, sub: credential.subject, aud: issuer() })
      .setExpirationTime('5 minutes')
      .encode()
    for (const token of [
      unsigned,
      `${header('HS256')}.${body}.${signature}`,
      `${header('none')}.${body}.`,
      'a.b.c',
      'ak_temp.x',
      `${right}x`,
    ])
      expect(await ask(app, token)).toMatchObject(invalidClient)
    expect(await ask(app, right)).toMatchObject(accepted)
  })
})

describe('the credentials of a client', () => {
  const path = (app: TestApplication) => `/v1/admin/clients/${app.id}`

  it('are shown as they were set, and in the history', async () => {
    const credential = { ...own(), claims: { environment: 'production', attempt: 1, isProtected: true } }
    const app = await workload([credential])
    const { owner } = app.organisation
    expect((await owner.get(path(app))).body.federatedCredentials).toEqual([credential])
    const second = { ...own(), name: 'Second', claims: {} }
    expect((await owner.patch(path(app), { federatedCredentials: [credential, second] })).body.federatedCredentials).toEqual([
      credential,
      second,
    ])
    const { body } = await owner.get(`/v1/admin/audit-logs?targetId=${app.id}`)
    expect(body.data[0]).toMatchObject({
      action: 'client.updated',
      changes: { federatedCredentials: { from: [credential], to: [credential, second] } },
    })
  })

  it.each<[string, (credential: Record<string, unknown>) => object[]]>([
    ['a subject that every workload of the platform matches', (one) => [{ ...one, subject: '*' }]],
    ['a subject of one segment before the star', (one) => [{ ...one, subject: 'repo:*' }]],
    ['a SPIFFE ID of a whole trust domain', (one) => [{ ...one, subject: 'spiffe://acme.test/*' }]],
    ['a star within a segment', (one) => [{ ...one, subject: 'repo:acme/infra*' }]],
    ['a star in the middle', (one) => [{ ...one, subject: 'repo:acme/*:ref:refs/heads/main' }]],
    ['two stars', (one) => [{ ...one, subject: 'repo:acme/x:**' }]],
    ['empty segments before the star', (one) => [{ ...one, subject: 'repo:::*' }]],
    ['an issuer that is no address', (one) => [{ ...one, issuer: 'github' }]],
    ['an issuer by http elsewhere than on this machine', (one) => [{ ...one, issuer: 'http://ci.example.test' }]],
    ['an issuer at an address of a private network', (one) => [{ ...one, issuer: 'https://10.0.0.1' }]],
    ['an issuer with a query', (one) => [{ ...one, issuer: 'https://ci.example.test/?a=b' }]],
    ['a private key', (one) => [{ ...one, jwks: { keys: [github.key.whole] } }]],
    ['a claim that is checked anyway', (one) => [{ ...one, claims: { aud: 'x' } }]],
    ['a claim with a list', (one) => [{ ...one, claims: { groups: ['x'] } }]],
    ['two of one name', (one) => [one, { ...one, subject: 'repo:acme/another:x' }]],
    ['one identity twice', (one) => [one, { ...one, name: 'Another' }]],
    ['twenty-one', (one) => Array.from({ length: 21 }, (_, index) => ({ ...one, name: `${index}`, subject: `repo:acme/many:${index}` }))],
  ])('cannot be %s', async (_, credentials) => {
    const app = await workload([own()])
    const refused = await app.organisation.owner.patch(path(app), { federatedCredentials: credentials(own()) })
    expect(refused).toMatchObject({ status: 400, body: { code: 'invalid-input' } })
    expect(refused.body.errors[0].path[0]).toBe('federatedCredentials')
  })

  it('are for confidential clients, outside the FAPI 2.0 profile, and cannot be the only way while they are taken away', async () => {
    const { owner } = await service().given.organisation()
    const fields = { name: 'App', clientType: 'public', redirectUris: ['https://app.example.test/'], federatedCredentials: [own()] }
    expect(await owner.post('/v1/admin/clients', fields)).toMatchObject({
      status: 400,
      body: { errors: [{ path: ['federatedCredentials'], reason: 'credentials-for-confidential-clients' }] },
    })
    const app = await workload([own()])
    expect(await app.organisation.owner.patch(path(app), { federatedCredentials: [] })).toMatchObject({
      status: 400,
      body: { errors: [{ path: ['jwks'], reason: 'client-keys-missing' }] },
    })
  })

  it('are taken once in the whole installation, and nothing is said of whom they are', async () => {
    const credential = own({ claims: { environment: 'production', ref: 'main' } })
    const app = await workload([credential])
    const { owner } = await service().given.organisation()
    const registration = { name: 'Thief', clientType: 'confidential', grantTypes: ['client_credentials'] }
    const again = { ...credential, name: 'Mine', claims: { ref: 'main', environment: 'production' } }
    const refused = await owner.post('/v1/admin/clients', { ...registration, federatedCredentials: [again] })
    expect(refused).toMatchObject({ status: 409, body: { code: 'federated-subject-taken' } })
    for (const told of [app.id, app.organisation.id, 'Portal']) expect(JSON.stringify(refused.body)).not.toContain(told)

    // Another claim makes another identity, and so does a pattern.
    const others = [
      { ...again, claims: { ref: 'main' } },
      { ...again, name: 'All', subject: 'repo:acme/anything:*' },
    ]
    expect(await owner.post('/v1/admin/clients', { ...registration, federatedCredentials: others })).toMatchObject({ status: 201 })
    await app.organisation.owner.delete(path(app))
    expect(await owner.post('/v1/admin/clients', { ...registration, federatedCredentials: [again] })).toMatchObject({ status: 201 })
  })

  it('are of one client, also when twenty ask for them at once', async () => {
    const credentials = [own(), own({ name: 'Second' })]
    const organisations = await Promise.all(Array.from({ length: 4 }, () => service().given.organisation()))
    const registration = { name: 'App', clientType: 'confidential', grantTypes: ['client_credentials'] }
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, index) =>
        organisations[index % 4]?.owner.post('/v1/admin/clients', {
          ...registration,
          // In both orders.
          federatedCredentials: index % 2 === 0 ? credentials : credentials.toReversed(),
        }),
      ),
    )
    expect(answers.filter((answer) => answer?.status === 201)).toHaveLength(1)
    expect(answers.filter((answer) => answer?.status === 409)).toHaveLength(19)
  })

  it('come back by undoing, unless they were taken meanwhile', async () => {
    const credential = own()
    const app = await workload([credential], { tokenEndpointAuthMethod: 'client_secret_basic' })
    const { owner } = app.organisation
    await owner.patch(path(app), { federatedCredentials: [] })
    const entry = async () => (await owner.get(`/v1/admin/audit-logs?targetId=${app.id}`)).body.data[0].id
    const removal = await entry()
    expect(await owner.post(`/v1/admin/audit-logs/${removal}/undo`)).toMatchObject({ status: 200 })
    expect((await owner.get(path(app))).body.federatedCredentials).toMatchObject([credential])
    await owner.patch(path(app), { federatedCredentials: [] })
    const again = await entry()
    await workload([credential])
    expect(await owner.post(`/v1/admin/audit-logs/${again}/undo`)).toMatchObject({ status: 409 })
  })

  it('need the extension', async () => {
    const { owner } = await without().given.organisation()
    const registration = { name: 'App', clientType: 'confidential', grantTypes: ['client_credentials'] }
    const needed = { errors: [{ path: ['federatedCredentials'], message: 'Needs OAUTH_EXTENSIONS to hold federated_credentials' }] }
    const refused = await owner.post('/v1/admin/clients', { ...registration, federatedCredentials: [own()] })
    expect(refused).toMatchObject({ status: 400, body: needed })
    const created = await owner.post('/v1/admin/clients', { ...registration, federatedCredentials: [] })
    expect(created).toMatchObject({ status: 201, body: { federatedCredentials: [] } })
    const change = { federatedCredentials: [own()] }
    expect(await owner.patch(`/v1/admin/clients/${created.body.id}`, change)).toMatchObject({ status: 400, body: needed })
  })
})

describe('where only tokens of platforms authenticate, and no keys of clients', () => {
  const registration = { name: 'App', clientType: 'confidential', grantTypes: ['client_credentials'] }
  const byKey = async () => ({ tokenEndpointAuthMethod: 'private_key_jwt', jwks: { keys: [(await clientKey('ES256', 'own')).publicKey] } })
  const needs = (field: string) => ({
    status: 400,
    body: { errors: [{ path: [field], message: 'Needs OAUTH_EXTENSIONS to hold private_key_jwt' }] },
  })

  it('no client comes to have keys alone', async () => {
    const { owner } = await withoutAssertions().given.organisation()
    const fields = await byKey()
    expect(await owner.post('/v1/admin/clients', { ...registration, ...fields })).toMatchObject(needs('tokenEndpointAuthMethod'))
    const created = await owner.post('/v1/admin/clients', { ...registration, ...fields, federatedCredentials: [own()] })
    expect(created).toMatchObject({ status: 201 })
    const client = `/v1/admin/clients/${created.body.id}`
    const others = { jwks: (await byKey()).jwks }
    expect(await owner.patch(client, { ...others, federatedCredentials: [] })).toMatchObject(needs('jwks'))
    expect(await owner.patch(client, others)).toMatchObject({ status: 200 })
    // A trust can always be taken away.
    expect(await owner.patch(client, { federatedCredentials: [] })).toMatchObject({ status: 200 })
  })

  it('no client loses its secret to a profile', async () => {
    const app = await givenApplication(withoutAssertions(), { grantTypes: ['client_credentials'], redirectUris: [] })
    const { owner } = app.organisation
    const { jwks } = await byKey()
    const change = { profile: 'fapi2', certificateBoundAccessTokens: true, jwks }
    expect(await owner.patch(`/v1/admin/clients/${app.id}`, change)).toMatchObject(needs('tokenEndpointAuthMethod'))
    expect(await app.token({ grant_type: 'client_credentials' })).toMatchObject(accepted)
  })
})

describe('with the extension switched off', () => {
  const methods = ['client_secret_basic', 'private_key_jwt'] as const
  const off = [
    ['alone', () => withKeys()],
    ['and keys of clients, too', () => without()],
  ] as const
  it.each(off.flatMap(([how, of]) => methods.map((method) => [how, method, of] as const)))(
    '%s, a client with %s is refused its token of a platform with that reason',
    async (_, tokenEndpointAuthMethod, of) => {
      const app = await givenApplication(of(), { grantTypes: ['client_credentials'], redirectUris: [] })
      await of()
        .database.tenant(app.organisation.id)
        .updateTable('clients')
        .set({ tokenEndpointAuthMethod, federatedCredentials: JSON.stringify([own()]) })
        .execute()
      const token = await github.token(of().services.issuer, of().clock.now())
      const form = { grant_type: 'client_credentials', client_id: app.id, ...byAssertion(token) }
      expect(await postForm(of().anonymous, '/oauth2/token', form)).toMatchObject(invalidClient)
      const { body } = await app.organisation.owner.get('/v1/admin/diagnostics')
      expect(body.data[0]).toMatchObject({
        check: 'token_endpoint_auth_method',
        hint: 'needs OAUTH_EXTENSIONS to hold federated_credentials',
      })
      if (tokenEndpointAuthMethod === 'client_secret_basic')
        expect(await app.token({ grant_type: 'client_credentials' })).toMatchObject(accepted)
    },
  )
})
