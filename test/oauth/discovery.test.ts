import { describe, expect, it } from 'vitest'
import { grants } from '../../src/oauth/grants/grants.ts'
import { claimsOf, givenApplication, headerOf } from '../support/oauth.ts'
import { useService } from '../support/service.ts'

const service = useService({ ofItsOwn: true })
const issuer = 'http://gatehouse.test'

describe('the discovery documents', () => {
  it.each(['/.well-known/openid-configuration', '/.well-known/oauth-authorization-server'])(
    '%s lists the endpoints and capabilities',
    async (path) => {
      const answer = await service().anonymous.get(path, { headers: { origin: 'https://spa.example' } })
      expect(answer.status).toBe(200)
      expect(answer.headers.get('content-type')).toMatch(/^application\/json/)
      expect(answer.headers.get('access-control-allow-origin')).toBe('*')
      expect(answer.headers.get('cache-control')).toMatch(/max-age=\d+/)
      expect(answer.body).toMatchObject({
        issuer,
        authorization_endpoint: `${issuer}/oauth2/authorize`,
        token_endpoint: `${issuer}/oauth2/token`,
        userinfo_endpoint: `${issuer}/oauth2/userinfo`,
        jwks_uri: `${issuer}/oauth2/jwks.json`,
        revocation_endpoint: `${issuer}/oauth2/revoke`,
        introspection_endpoint: `${issuer}/oauth2/introspect`,
        end_session_endpoint: `${issuer}/oauth2/logout`,
        scopes_supported: ['openid', 'profile', 'email', 'phone', 'offline_access'],
        response_types_supported: ['code'],
        response_modes_supported: ['query', 'form_post'],
        grant_types_supported: grants.filter(({ extension }) => extension === undefined).map(({ grantType }) => grantType),
        subject_types_supported: ['public'],
        id_token_signing_alg_values_supported: ['EdDSA', 'RS256'],
        token_endpoint_auth_methods_supported: ['client_secret_basic', 'client_secret_post', 'none'],
        code_challenge_methods_supported: ['S256', 'plain'],
        authorization_response_iss_parameter_supported: true,
        request_uri_parameter_supported: false,
      })
    },
  )
})

describe('the members of the discovery documents', () => {
  /** The members that clients of the specification read, and those that the project's decisions add. */
  const specified = [
    ...['issuer', 'authorization_endpoint', 'token_endpoint', 'userinfo_endpoint', 'jwks_uri', 'scopes_supported'],
    ...['response_types_supported', 'grant_types_supported', 'subject_types_supported', 'id_token_signing_alg_values_supported'],
    ...['token_endpoint_auth_methods_supported', 'revocation_endpoint', 'introspection_endpoint', 'end_session_endpoint'],
    ...[
      'code_challenge_methods_supported',
      'claims_supported',
      'response_modes_supported',
      'authorization_response_iss_parameter_supported',
    ],
  ]
  /** The defaults of these members would be wrong or unclear. */
  const furtherOnes = [
    ...['revocation_endpoint_auth_methods_supported', 'introspection_endpoint_auth_methods_supported', 'prompt_values_supported'],
    ...['request_uri_parameter_supported', 'request_parameter_supported', 'claims_parameter_supported'],
  ]
  const document = async () => (await service().anonymous.get('/.well-known/openid-configuration')).body as Record<string, unknown>

  it('are exactly these, none of them empty, and the same in both', async () => {
    const members = await document()

    expect(Object.keys(members).sort()).toEqual([...specified, ...furtherOnes].sort())
    for (const [name, value] of Object.entries(members)) if (Array.isArray(value)) expect(value.length, name).toBeGreaterThan(0)
    expect((await service().anonymous.get('/.well-known/oauth-authorization-server')).body).toEqual(members)
  })

  it('name addresses that respond', async () => {
    const addresses = Object.values(await document()).filter((value) => typeof value === 'string' && value.startsWith(`${issuer}/`))
    expect(addresses).toHaveLength(7)
    for (const address of addresses as string[]) {
      const path = address.slice(issuer.length)
      const statuses = await Promise.all(
        [
          service().anonymous.get(path),
          service().anonymous.post(path, '', { headers: { 'content-type': 'application/x-www-form-urlencoded' } }),
        ].map(async (answer) => (await answer).status),
      )
      expect(
        statuses.some((status) => status !== 404),
        path,
      ).toBe(true)
    }
  })

  it('are true about authentication at revocation and introspection, prompt, and request objects', async () => {
    const members = await document()
    const grants = { grantTypes: ['authorization_code', 'refresh_token'] }
    for (const method of ['client_secret_basic', 'client_secret_post', 'none']) {
      const app = await givenApplication(service(), {
        ...grants,
        clientType: method === 'none' ? 'public' : 'confidential',
        tokenEndpointAuthMethod: method,
      })
      const inBody = method === 'client_secret_post' ? { client_id: app.id, client_secret: app.secret ?? '' } : {}
      const headers = method === 'client_secret_post' ? {} : app.authorization
      for (const [path, name] of [
        ['/oauth2/revoke', 'revocation_endpoint_auth_methods_supported'],
        ['/oauth2/introspect', 'introspection_endpoint_auth_methods_supported'],
      ] as const) {
        const { status } = await app.post(path, { token: 'x', ...inBody }, headers)
        expect({ path, method, isTaken: status === 200 }).toEqual({ path, method, isTaken: (members[name] as string[]).includes(method) })
      }
    }
    const app = await givenApplication(service())
    for (const prompt of members.prompt_values_supported as string[]) {
      const answer = await app.authorize({ code_challenge: 'x'.repeat(43), code_challenge_method: 'S256', prompt }, null)
      expect(answer.headers.get('location')).not.toContain('error=invalid_request')
    }
    expect(members).toMatchObject({
      request_uri_parameter_supported: false,
      request_parameter_supported: false,
      claims_parameter_supported: false,
    })
  })
})

describe('GET /oauth2/jwks.json', () => {
  it('publishes public keys only, cacheable for less time than a new key waits', async () => {
    const answer = await service().anonymous.get('/oauth2/jwks.json')
    expect(answer.headers.get('cache-control')).toBe('public, max-age=300')
    expect(answer.body.keys[0]).toEqual({
      kid: expect.any(String),
      kty: 'OKP',
      use: 'sig',
      alg: 'EdDSA',
      crv: 'Ed25519',
      x: expect.stringMatching(/^[\w-]{43}$/),
    })
    for (const key of answer.body.keys) expect(key).not.toHaveProperty('d')
  })
})

describe('POST /v1/system/signing-keys/rotate', () => {
  const kids = async () => (await service().anonymous.get('/oauth2/jwks.json')).body.keys.map(({ kid }: { kid: string }) => kid)

  it('publishes the next key before it signs, and the previous one until its signatures have expired', async () => {
    const app = await givenApplication(service(), { grantTypes: ['client_credentials'], redirectUris: [], accessTokenLifetime: 2_592_000 })
    const token = async () => (await app.token({ grant_type: 'client_credentials' })).body.access_token
    const first = await token()
    const [firstKey] = await kids()

    const rotated = await service().operator.post('/v1/system/signing-keys/rotate')

    expect(rotated).toMatchObject({
      status: 200,
      body: {
        data: [
          { kid: firstKey, state: 'current' },
          { state: 'next', retiresAt: null },
        ],
      },
    })
    expect(JSON.stringify(rotated.body)).not.toMatch(/private/i)
    const nextKey = rotated.body.data[1].kid
    service().clock.advance({ minutes: 1 })
    expect(await kids()).toEqual([nextKey, firstKey])
    expect(headerOf(await token()).kid).toBe(firstKey)
    expect(await service().operator.post('/v1/system/signing-keys/rotate')).toMatchObject({
      status: 409,
      body: { code: 'signing-key-pending' },
    })
    expect(await kids()).toEqual([nextKey, firstKey])
    const { status, body } = await service().operator.get('/v1/system/signing-keys')
    expect([status, body]).toEqual([200, { ...rotated.body, total: 2 }])
    expect(JSON.stringify(body)).not.toMatch(/private|"d"/i)

    service().clock.advance({ minutes: 15 })
    expect(headerOf(await token()).kid).toBe(nextKey)
    expect((await app.introspect(first)).body.active).toBe(true)
    expect(await kids()).toEqual([nextKey, firstKey])

    service().clock.advance({ days: 31 })
    expect(claimsOf(first).exp * 1_000).toBeLessThan(service().clock.now().getTime())
    expect(await kids()).toEqual([nextKey])
  })

  it('withdraws a compromised key at once, with everything that it signed', async () => {
    const app = await givenApplication(service(), { grantTypes: ['client_credentials'], redirectUris: [] })
    const { body } = await app.token({ grant_type: 'client_credentials' })
    expect((await app.introspect(body.access_token)).body.active).toBe(true)
    const leaked = await kids()

    const rotated = await service().operator.post('/v1/system/signing-keys/rotate', { withdraw: true })

    expect(rotated.body.data).toMatchObject([{ state: 'current' }])
    service().clock.advance({ minutes: 1 })
    expect(await kids()).toEqual([rotated.body.data[0].kid])
    expect(leaked).not.toContain(rotated.body.data[0].kid)
    expect((await app.introspect(body.access_token)).body).toEqual({ active: false })
  })

  it('is for the operator', async () => {
    const { owner } = await service().given.organisation()
    expect(await owner.post('/v1/system/signing-keys/rotate')).toMatchObject({ status: 401 })
    expect(await owner.get('/v1/system/signing-keys')).toMatchObject({ status: 401 })
  })

  it('stores private keys encrypted', async () => {
    const rows = await service().database.system().selectFrom('signingKeys').selectAll().execute()
    expect(JSON.stringify(rows)).not.toMatch(/PRIVATE KEY|"d"/)
  })
})

describe('a cached document', () => {
  it.each(['/.well-known/openid-configuration', '/.well-known/oauth-authorization-server', '/oauth2/jwks.json'])(
    '%s is not sent again until it changes',
    async (path) => {
      const first = await service().anonymous.get(path)
      const etag = first.headers.get('etag') as string
      expect(etag).toMatch(/^"[\w-]{27}"$/)

      for (const known of [etag, `W/${etag}`, `"other", ${etag}`, '*']) {
        const again = await service().anonymous.get(path, { headers: { 'if-none-match': known } })
        expect(again).toMatchObject({ status: 304, body: null })
        expect(again.headers.get('etag')).toBe(etag)
        expect(again.headers.get('cache-control')).toBe(first.headers.get('cache-control'))
      }
      const other = await service().anonymous.get(path, { headers: { 'if-none-match': '"other"' } })
      expect(other).toMatchObject({ status: 200, body: first.body })
    },
  )

  it('has a new ETag once there is a new key', async () => {
    const before = await service().anonymous.get('/oauth2/jwks.json')

    expect(await service().operator.post('/v1/system/signing-keys/rotate')).toMatchObject({ status: 200 })

    await expect
      .poll(
        async () =>
          (await service().anonymous.get('/oauth2/jwks.json', { headers: { 'if-none-match': before.headers.get('etag') ?? '' } })).status,
      )
      .toBe(200)
    const after = await service().anonymous.get('/oauth2/jwks.json')
    expect(after.headers.get('etag')).not.toBe(before.headers.get('etag'))
    expect(after.body.keys.length).toBe(before.body.keys.length + 1)
  })
})
