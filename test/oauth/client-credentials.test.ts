import { createLocalJWKSet, jwtVerify } from 'jose'
import { describe, expect, it } from 'vitest'
import { basic, givenApplication, headerOf, postForm, type Registration } from '../support/oauth.ts'
import { useService } from '../support/service.ts'

const service = useService()
const machine = (registration: Registration = {}) =>
  givenApplication(service(), {
    grantTypes: ['client_credentials'],
    redirectUris: [],
    scopes: ['orders:read', 'orders:write'],
    ...registration,
  })
const grant = { grant_type: 'client_credentials' }

describe('the client credentials grant', () => {
  it('issues an access token of RFC 9068 that the published keys verify', async () => {
    const app = await machine()

    const answer = await app.token({ ...grant, scope: 'orders:read' })

    expect(answer).toMatchObject({ status: 200, body: { token_type: 'Bearer', expires_in: 3600, scope: 'orders:read' } })
    expect(answer.headers.get('cache-control')).toBe('no-store')
    expect(answer.headers.get('pragma')).toBe('no-cache')
    expect(answer.body).not.toHaveProperty('refresh_token')
    expect(answer.body).not.toHaveProperty('id_token')
    const keys = createLocalJWKSet((await service().anonymous.get('/oauth2/jwks.json')).body)
    const { payload, protectedHeader } = await jwtVerify(answer.body.access_token, keys, {
      issuer: 'http://gatehouse.test',
      audience: app.id,
      typ: 'at+jwt',
      algorithms: ['EdDSA'],
    })
    expect(protectedHeader.alg).toBe('EdDSA')
    expect(payload).toEqual({
      iss: 'http://gatehouse.test',
      sub: app.id,
      client_id: app.id,
      aud: app.id,
      exp: (payload.iat ?? 0) + 3600,
      iat: expect.any(Number),
      jti: expect.any(String),
      scope: 'orders:read',
      org: app.organisation.id,
      roles: [],
    })
  })

  it('refuses a scope of spaces alone', async () => {
    expect(await (await machine()).token({ ...grant, scope: ' ' })).toMatchObject({ status: 400, body: { error: 'invalid_scope' } })
  })

  it('grants all scopes of the client when it names none', async () => {
    const app = await machine()
    expect((await app.token(grant)).body.scope).toBe('orders:read orders:write')
  })

  it.each(['openid', 'profile', 'email', 'phone', 'offline_access', 'orders:delete'])('refuses the scope %s', async (scope) => {
    const app = await machine()
    expect(await app.token({ ...grant, scope: `orders:read ${scope}` })).toMatchObject({ status: 400, body: { error: 'invalid_scope' } })
  })

  it('is refused to a client that is not registered for it', async () => {
    const app = await givenApplication(service())
    expect(await app.token(grant)).toMatchObject({ status: 400, body: { error: 'unauthorized_client' } })
  })

  it('is refused to a public client', async () => {
    const app = await givenApplication(service(), { clientType: 'public' })
    expect(await app.token(grant)).toMatchObject({ status: 400, body: { error: 'unauthorized_client' } })
  })

  it('is refused while the organisation is suspended', async () => {
    const app = await machine()
    await service().operator.patch(`/v1/system/organisations/${app.organisation.id}/suspend`, { reason: 'unpaid' })
    expect(await app.token(grant)).toMatchObject({ status: 400, body: { error: 'invalid_grant' } })
  })

  it('is valid for the lifetime of the client, or else of the organisation', async () => {
    const [ofClient, ofOrganisation] = [await machine({ accessTokenLifetime: 60 }), await machine()]
    for (const { organisation } of [ofClient, ofOrganisation]) {
      const tokenLifetimePolicy = { accessToken: 1 }
      expect(await organisation.owner.patch('/v1/admin/organisation', { tokenLifetimePolicy })).toMatchObject({ status: 200 })
    }

    expect((await ofClient.token(grant)).body.expires_in).toBe(60)
    expect((await ofOrganisation.token(grant)).body.expires_in).toBe(1)
  })
})

describe('client authentication', () => {
  const refused = { status: 401, body: { error: 'invalid_client' } }

  it('accepts the secret in the header, form-encoded as in RFC 6749', async () => {
    const app = await machine()
    expect(await app.token(grant)).toMatchObject({ status: 200 })
  })

  it.each(['client_secret_basic', 'client_secret_post'])(
    'accepts the secret in the header and in the body at every endpoint from a client that is registered for %s',
    async (tokenEndpointAuthMethod) => {
      const app = await machine({ tokenEndpointAuthMethod })
      const inBody = { client_id: app.id, client_secret: app.secret ?? '' }
      const { body } = await app.token(grant)
      expect(await app.token({ ...grant, ...inBody }, {})).toMatchObject({ status: 200 })
      for (const path of ['/oauth2/introspect', '/oauth2/revoke']) {
        expect(await app.post(path, { token: body.access_token })).toMatchObject({ status: 200 })
        expect(await app.post(path, { token: body.access_token, ...inBody }, {})).toMatchObject({ status: 200 })
        expect(await app.post(path, { token: body.access_token, ...inBody })).toMatchObject({
          status: 400,
          body: { error: 'invalid_request' },
        })
        expect(await app.post(path, { token: body.access_token, ...inBody, client_secret: 'wrong' }, {})).toMatchObject(refused)
        expect(await app.post(path, { token: body.access_token, client_id: app.id }, {})).toMatchObject(refused)
      }
    },
  )

  it('accepts no secret from a public client, which has none', async () => {
    const app = await givenApplication(service(), { clientType: 'public' })
    const { code, verifier } = await app.code()
    expect(await app.redeem(code, verifier, { client_secret: 'x' })).toMatchObject(refused)
    expect(await app.redeem(code, verifier)).toMatchObject({ status: 200 })
  })

  it.each([
    ['a wrong secret', (id: string) => basic(id, 'wrong')],
    ['an unknown client', (_id: string, secret: string) => basic('cli_unknown', secret)],
    ['another scheme', () => 'Bearer abc'],
    ['something that is not base64', () => 'Basic ***'],
    ['credentials without a colon', (id: string) => `Basic ${Buffer.from(id).toString('base64')}`],
    ['a NUL character', (id: string) => `Basic ${Buffer.from(`${id}:%00`).toString('base64')}`],
  ])('responds to %s in the header with 401 and a challenge', async (_what, header) => {
    const app = await machine()
    const answer = await app.token(grant, { authorization: header(app.id, app.secret ?? '') })
    expect(answer).toMatchObject(refused)
    expect(answer.headers.get('www-authenticate')).toMatch(/^Basic /)
    expect(answer.headers.get('cache-control')).toBe('no-store')
  })

  it('refuses a confidential client that only names itself', async () => {
    const app = await machine()
    const answer = await app.token({ ...grant, client_id: app.id }, {})
    expect(answer).toMatchObject(refused)
    expect(answer.headers.get('www-authenticate')).toBeNull()
  })

  it('refuses a request that names no client', async () => {
    expect(await postForm(service().anonymous, '/oauth2/token', grant)).toMatchObject(refused)
  })

  it('refuses two methods at once', async () => {
    const app = await machine()
    expect(await app.token({ ...grant, client_id: app.id, client_secret: app.secret ?? '' })).toMatchObject({
      status: 400,
      body: { error: 'invalid_request' },
    })
  })

  it('refuses a client_id in the body that is not the one that authenticates', async () => {
    const app = await machine()
    expect(await app.token({ ...grant, client_id: 'cli_other' })).toMatchObject({ status: 400, body: { error: 'invalid_request' } })
  })

  it("accepts the old secret for the rotation's grace period, and the new one at once", async () => {
    const app = await machine()
    const rotated = await app.organisation.owner.post(`/v1/admin/clients/${app.id}/rotate-secret`, { gracePeriodSeconds: 600 })
    expect(await app.token(grant)).toMatchObject({ status: 200 })
    expect(await app.token(grant, { authorization: basic(app.id, rotated.body.clientSecret) })).toMatchObject({ status: 200 })
    await app.organisation.owner.post(`/v1/admin/clients/${app.id}/rotate-secret`, {})
    expect(await app.token(grant)).toMatchObject(refused)
  })

  it('refuses a revoked client and a deleted one', async () => {
    const app = await machine()
    await app.organisation.owner.post(`/v1/admin/clients/${app.id}/revoke`)
    expect(await app.token(grant)).toMatchObject(refused)
    await app.organisation.owner.post(`/v1/admin/clients/${app.id}/activate`)
    expect(await app.token(grant)).toMatchObject({ status: 200 })
    await app.organisation.owner.delete(`/v1/admin/clients/${app.id}`)
    expect(await app.token(grant)).toMatchObject(refused)
  })

  it('responds 429 after 50 failures in five minutes, but never to the right secret', async () => {
    const app = await machine()
    const wrong = { authorization: basic(app.id, 'wrong') }
    for (let failure = 1; failure <= 50; failure++) expect((await app.token(grant, wrong)).status).toBe(401)
    const limited = await app.token(grant, wrong)
    expect(limited.status).toBe(429)
    expect(Number(limited.headers.get('retry-after'))).toBeGreaterThan(0)
    expect(await app.token(grant)).toMatchObject({ status: 200 })
  })
})

describe('a request to the token endpoint', () => {
  it.each([
    ['without a grant_type', {}, 'invalid_request'],
    ['with an empty grant_type', { grant_type: '' }, 'invalid_request'],
    ['with an unknown grant_type', { grant_type: 'password' }, 'unsupported_grant_type'],
    ['with a grant_type that every object has', { grant_type: 'constructor' }, 'unsupported_grant_type'],
    ['with a control character', { ...grant, scope: 'orders:read\u0000' }, 'invalid_request'],
    ['for a code without the code', { grant_type: 'authorization_code' }, 'unauthorized_client'],
  ])('%s is refused', async (_what, form, error) => {
    const app = await machine()
    expect(await app.token(form)).toMatchObject({
      status: 400,
      body: { error, error_description: expect.stringMatching(/^[\x20-\x7e]+$/) },
    })
  })

  it('with a parameter sent twice is refused', async () => {
    const app = await machine()
    const answer = await service().anonymous.post('/oauth2/token', 'grant_type=client_credentials&scope=orders:read&scope=orders:write', {
      headers: { 'content-type': 'application/x-www-form-urlencoded', ...app.authorization },
    })
    expect(answer).toMatchObject({ status: 400, body: { error: 'invalid_request' } })
  })

  it('as JSON is refused', async () => {
    const app = await machine()
    const answer = await service().anonymous.post('/oauth2/token', grant, { headers: app.authorization })
    expect(answer).toMatchObject({ status: 400, body: { error: 'invalid_request' } })
  })

  it('may come from any origin, without credentials', async () => {
    const app = await machine()
    const answer = await app.token(grant, { ...app.authorization, origin: 'https://spa.example' })
    expect(answer.headers.get('access-control-allow-origin')).toBe('*')
    expect(answer.headers.get('access-control-allow-credentials')).toBeNull()
    const preflight = await service().anonymous.request('OPTIONS', '/oauth2/token', {
      headers: { origin: 'https://spa.example', 'access-control-request-method': 'POST' },
    })
    expect(preflight).toMatchObject({ status: 204 })
    expect(preflight.headers.get('access-control-allow-origin')).toBe('*')
  })

  it('signs with a key that the header names', async () => {
    const app = await machine()
    const { keys } = (await service().anonymous.get('/oauth2/jwks.json')).body
    const { kid, ...header } = headerOf((await app.token(grant)).body.access_token)
    expect(header).toEqual({ alg: 'EdDSA', typ: 'at+jwt' })
    expect(keys.find((key: { kid: string }) => key.kid === kid)).toMatchObject({ kty: 'OKP', crv: 'Ed25519', use: 'sig' })
  })
})
