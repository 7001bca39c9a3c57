import { describe, expect, it } from 'vitest'
import type { HttpClient } from '../support/http-client.ts'
import { callbackOf, encode, givenApplication, pkce, postForm, type Registration } from '../support/oauth.ts'
import { useService } from '../support/service.ts'

const service = useService({ ofItsOwn: true })
const web = (registration: Registration = {}) => givenApplication(service(), registration)
const challenge = () => ({ code_challenge: pkce().challenge, code_challenge_method: 'S256' })
const error = (answer: Awaited<ReturnType<HttpClient['get']>>) => callbackOf(answer).get('error')

describe('GET /oauth2/authorize', () => {
  it('sends a signed-in user back with a code, the state and the issuer', async () => {
    const app = await web()
    const answer = await app.authorize({ ...challenge(), state: 'a b&c' })
    expect(answer.status).toBe(302)
    expect(answer.headers.get('location')).toMatch(/^https:\/\/portal\.example\.test\/callback\?/)
    expect(Object.fromEntries(callbackOf(answer))).toEqual({ code: expect.any(String), state: 'a b&c', iss: 'http://gatehouse.test' })
    expect(answer.headers.get('cache-control')).toBe('no-store')
  })

  it('preserves the query that a redirect URI was registered with', async () => {
    const app = await web({ redirectUris: ['https://portal.example.test/callback?tenant=1'] })
    const answer = await app.authorize(challenge())
    expect(answer.headers.get('location')).toMatch(/\?tenant=1&code=/)
  })

  it('stores the request, sends a user who is not signed in to the login page, and then continues from the stored request', async () => {
    const app = await web()
    const answer = await app.authorize({ ...challenge(), login_hint: 'ada@example.test', ui_locales: 'de' }, null)
    const login = new URL(answer.headers.get('location') ?? '', 'http://x')
    expect(login.pathname).toBe('/login')
    expect(login.searchParams.get('login_hint')).toBe('ada@example.test')
    expect(login.searchParams.get('ui_locales')).toBe('de')
    const returnTo = login.searchParams.get('returnTo') ?? ''
    expect(returnTo).toMatch(/^\/oauth2\/authorize\?request=[\w-]{43}$/)

    const resumed = await app.organisation.owner.get(returnTo)

    expect(Object.fromEntries(callbackOf(resumed))).toEqual({ code: expect.any(String), state: 'xyz', iss: 'http://gatehouse.test' })
    expect(await app.organisation.owner.get(returnTo)).toMatchObject({ status: 400 })
  })

  it('redirects with 302 to sign-in and to consent as well', async () => {
    const app = await web({ requireConsent: true })

    const answers = [await app.authorize(challenge(), null), await app.authorize(challenge())]

    expect(answers.map(({ status, headers }) => [status, headers.get('location')])).toEqual([
      [302, expect.stringMatching(/^\/login\?returnTo=/)],
      [302, expect.stringMatching(/^\/oauth2\/consent\?/)],
    ])
  })

  it('deletes a request after ten minutes', async () => {
    const app = await web()
    const login = new URL((await app.authorize(challenge(), null)).headers.get('location') ?? '', 'http://x')
    service().clock.advance({ minutes: 11 })
    expect(await app.organisation.owner.get(login.searchParams.get('returnTo') ?? '')).toMatchObject({ status: 400 })
  })

  it('issues one code to a stored request that is resumed 20 times at once', async () => {
    const app = await web()
    const login = new URL((await app.authorize(challenge(), null)).headers.get('location') ?? '', 'http://x')
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => app.organisation.owner.get(login.searchParams.get('returnTo') ?? '')),
    )
    expect(answers.filter((answer) => answer.status === 302 && callbackOf(answer).has('code'))).toHaveLength(1)
  })

  it.each([
    ['an unknown client', { client_id: 'cli_unknown' }],
    ['no client', { client_id: undefined }],
    ['a client_id that no client could have', { client_id: 'x'.repeat(300) }],
    ['a redirect_uri that is not registered', { redirect_uri: 'https://evil.example/callback' }],
    ['a redirect_uri with a slash more', { redirect_uri: 'https://portal.example.test/callback/' }],
    ['a redirect_uri in another case', { redirect_uri: 'https://Portal.example.test/callback' }],
    ['no redirect_uri for OpenID Connect', { redirect_uri: undefined, scope: 'openid' }],
  ])('shows a page and redirects nowhere for %s', async (_what, parameters) => {
    const app = await web()
    // Ten refusals without a client are stored a minute and address, which files that share the service share, too.
    service().clock.advance({ seconds: 61 })
    const answer = await app.authorize({ ...challenge(), ...parameters })
    expect(answer.status).toBe(400)
    expect(answer.headers.get('location')).toBeNull()
    expect(answer.headers.get('content-type')).toMatch(/^text\/html/)
    expect(answer.body).toMatch(/[0-9a-z]{4}-[0-9a-z]{4}-[0-9a-z]{4}/)
  })

  it.each(['client_id', 'redirect_uri'])('shows a page when %s is sent twice', async (name) => {
    const app = await web()
    const query = encode({ response_type: 'code', client_id: app.id, redirect_uri: app.redirectUri, scope: 'openid', ...challenge() })
    const answer = await app.organisation.owner.get(`/oauth2/authorize?${query}&${name}=${encodeURIComponent(app.redirectUri)}`)
    expect(answer).toMatchObject({ status: 400 })
    expect(answer.headers.get('location')).toBeNull()
  })

  it("escapes the request's values on the page", async () => {
    const answer = await service().anonymous.get('/oauth2/authorize?client_id=%3Cscript%3E')
    expect(answer.status).toBe(400)
    expect(answer.body).not.toContain('<script>')
  })

  it('lets the redirect_uri be omitted when one is registered, and then also at the token endpoint', async () => {
    const app = await web()
    const { code, verifier } = await app.code({ redirect_uri: undefined })
    expect(await app.redeem(code, verifier, { redirect_uri: undefined })).toMatchObject({ status: 200 })
  })

  it('lets a native application choose the port of a loopback address, and no other client', async () => {
    const loopback = { redirectUris: ['http://127.0.0.1/callback', 'http://localhost/callback'] }
    const native = await web({ clientType: 'public', ...loopback })
    const answer = await native.authorize({ ...challenge(), redirect_uri: 'http://127.0.0.1:53121/callback' })
    expect(answer.headers.get('location')).toMatch(/^http:\/\/127\.0\.0\.1:53121\/callback\?code=/)
    expect((await native.authorize({ ...challenge(), redirect_uri: 'http://127.0.0.1:53121/other' })).status).toBe(400)
    expect((await native.authorize({ ...challenge(), redirect_uri: 'http://localhost:53121/callback' })).status).toBe(400)
    const confidential = await web(loopback)
    expect((await confidential.authorize({ ...challenge(), redirect_uri: 'http://127.0.0.1:53121/callback' })).status).toBe(400)
  })

  it('issues no code to HEAD, which must change nothing', async () => {
    const app = await web()
    const query = encode({ response_type: 'code', client_id: app.id, redirect_uri: app.redirectUri, ...challenge() })
    expect((await app.organisation.owner.request('HEAD', `/oauth2/authorize?${query}`)).status).toBe(405)
    expect((await app.organisation.owner.request('HEAD', '/oauth2/logout')).status).toBe(405)
  })

  it('refuses a revoked client with a page', async () => {
    const app = await web()
    await app.organisation.owner.post(`/v1/admin/clients/${app.id}/revoke`)
    expect(await app.authorize(challenge())).toMatchObject({ status: 400 })
  })

  it.each([
    ['no response_type', { response_type: undefined }, 'invalid_request'],
    ['another response_type', { response_type: 'token' }, 'unsupported_response_type'],
    ['an unknown response_mode', { response_mode: 'fragment' }, 'invalid_request'],
    ['an unknown scope', { scope: 'openid admin' }, 'invalid_scope'],
    ['no code_challenge', { code_challenge: undefined, code_challenge_method: undefined }, 'invalid_request'],
    ['a method without a challenge', { code_challenge: undefined }, 'invalid_request'],
    ['an unknown code_challenge_method', { code_challenge_method: 's256' }, 'invalid_request'],
    ['a code_challenge that is too short', { code_challenge: 'short' }, 'invalid_request'],
    ['an unknown prompt', { prompt: 'maybe' }, 'invalid_request'],
    ['prompt none with another', { prompt: 'none login' }, 'invalid_request'],
    ['a max_age that is no number', { max_age: '-1' }, 'invalid_request'],
    ['an invalid id_token_hint', { id_token_hint: 'e30.e30.e30' }, 'invalid_request'],
    ['a request object', { request: 'e30.e30.' }, 'request_not_supported'],
    ['a request_uri', { request_uri: 'https://portal.example.test/request' }, 'request_uri_not_supported'],
    ['a registration', { registration: '{}' }, 'registration_not_supported'],
    ['a control character', { nonce: 'a\nb' }, 'invalid_request'],
  ])('sends %s back as an error with state and issuer', async (_what, parameters, code) => {
    const app = await web()
    const answer = await app.authorize({ ...challenge(), ...parameters })
    expect(answer.status).toBe(302)
    expect(Object.fromEntries(callbackOf(answer))).toEqual({
      error: code,
      error_description: expect.stringMatching(/\(reference [0-9a-z-]{14}\)$/),
      state: 'xyz',
      iss: 'http://gatehouse.test',
    })
  })

  it('sends a parameter that comes twice back as an error', async () => {
    const app = await web()
    const query = encode({ response_type: 'code', client_id: app.id, redirect_uri: app.redirectUri, ...challenge() })
    expect(error(await app.organisation.owner.get(`/oauth2/authorize?${query}&scope=openid&scope=email`))).toBe('invalid_request')
  })

  it('refuses a client without the grant', async () => {
    const app = await web({ grantTypes: ['client_credentials'] })
    expect(error(await app.authorize(challenge()))).toBe('unauthorized_client')
  })

  it('refuses plain challenges of a client that allows S256 only', async () => {
    const app = await web({ allowPlainPkce: false })
    expect(error(await app.authorize({ code_challenge: pkce().verifier }))).toBe('invalid_request')
    expect(callbackOf(await app.authorize(challenge())).has('code')).toBe(true)
  })

  it('refuses a user of another organisation', async () => {
    const app = await web()
    const stranger = await service().given.organisation()
    const answer = await app.authorize(challenge(), stranger.owner)
    expect(error(answer)).toBe('access_denied')
    expect(callbackOf(answer).get('error_description')).toContain('organisation')
    expect(callbackOf(answer).has('code')).toBe(false)
  })

  it('says with prompt=none of a user of another organisation what it says when no user is signed in', async () => {
    const app = await web()
    const stranger = await service().given.organisation()
    const silent = { ...challenge(), prompt: 'none' }
    const [ofStranger, ofNobody] = [await app.authorize(silent, stranger.owner), await app.authorize(silent, null)].map((answer) => {
      const { error, error_description, ...rest } = Object.fromEntries(callbackOf(answer))
      // Each refusal has a reference of its own.
      return { error, error_description: error_description?.replace(/[0-9a-z]{4}(-[0-9a-z]{4}){2}/, ''), rest }
    })
    expect(ofStranger).toMatchObject({ error: 'login_required' })
    expect(ofStranger).toEqual(ofNobody)
  })

  it('denies access while the organisation is suspended', async () => {
    const app = await web()
    await service().operator.patch(`/v1/system/organisations/${app.organisation.id}/suspend`, { reason: 'unpaid' })
    expect(error(await app.authorize(challenge(), null))).toBe('access_denied')
  })
})

describe('prompt and max_age', () => {
  it('prompt=none never shows a page', async () => {
    const app = await web({ requireConsent: true })
    expect(error(await app.authorize({ ...challenge(), prompt: 'none' }, null))).toBe('login_required')
    expect(error(await app.authorize({ ...challenge(), prompt: 'none' }))).toBe('consent_required')
    const trusted = await web()
    expect(callbackOf(await trusted.authorize({ ...challenge(), prompt: 'none' })).has('code')).toBe(true)
  })

  it.each(['login', 'select_account'])(
    'prompt=%s requires a sign-in although there is one, and accepts one that came after it',
    async (prompt) => {
      const app = await web()
      const { owner } = app.organisation
      const login = new URL((await app.authorize({ ...challenge(), prompt })).headers.get('location') ?? '', 'http://x')
      expect(login.pathname).toBe('/login')
      expect(login.searchParams.get('prompt')).toBe('login')
      const returnTo = login.searchParams.get('returnTo') ?? ''
      expect((await owner.get(returnTo)).headers.get('location')).toMatch(/^\/login/)
      service().clock.advance({ seconds: 1 })
      const again = await service().given.signIn(owner.email)
      expect(callbackOf(await again.get(returnTo)).has('code')).toBe(true)
    },
  )

  it('max_age requires a sign-in when the last one is older, also for 0, and only once', async () => {
    const app = await web()
    const { owner } = app.organisation
    expect(callbackOf(await app.authorize({ ...challenge(), max_age: '3600' })).has('code')).toBe(true)
    service().clock.advance({ minutes: 5 })
    expect((await app.authorize({ ...challenge(), max_age: '200' })).headers.get('location')).toMatch(/^\/login/)
    const login = new URL((await app.authorize({ ...challenge(), max_age: '0' })).headers.get('location') ?? '', 'http://x')
    service().clock.advance({ seconds: 1 })
    const again = await service().given.signIn(owner.email)
    service().clock.advance({ seconds: 1 })
    expect(callbackOf(await again.get(login.searchParams.get('returnTo') ?? '')).has('code')).toBe(true)
    expect(error(await app.authorize({ ...challenge(), max_age: '0', prompt: 'none' }))).toBe('login_required')
  })

  it('defaultMaxAge of the client holds where a request has no max_age', async () => {
    const app = await web({ defaultMaxAge: 200 })
    const { owner } = app.organisation
    expect(callbackOf(await app.authorize(challenge())).has('code')).toBe(true)
    service().clock.advance({ minutes: 5 })
    expect((await app.authorize(challenge())).headers.get('location')).toMatch(/^\/login/)
    expect(error(await app.authorize({ ...challenge(), prompt: 'none' }))).toBe('login_required')
    expect(callbackOf(await app.authorize({ ...challenge(), max_age: '3600' })).has('code')).toBe(true)

    const path = `/v1/admin/clients/${app.id}`
    for (const defaultMaxAge of [-1, 1.5, '200', 1_000_000_000])
      expect(await owner.patch(path, { defaultMaxAge })).toMatchObject({ status: 400, body: { errors: [{ path: ['defaultMaxAge'] }] } })
    expect(await owner.patch(path, { defaultMaxAge: null })).toMatchObject({ status: 200, body: { defaultMaxAge: null } })
    expect(callbackOf(await app.authorize(challenge())).has('code')).toBe(true)
  })

  it('id_token_hint allows the user whom it names, and no other', async () => {
    const app = await web()
    const { owner } = app.organisation
    const { id_token: hint } = await app.signIn({ scope: 'openid' })
    expect(callbackOf(await app.authorize({ ...challenge(), id_token_hint: hint, prompt: 'none' })).has('code')).toBe(true)
    service().clock.advance({ hours: 2 })
    const expired = await service().given.signIn(owner.email)
    expect(callbackOf(await app.authorize({ ...challenge(), id_token_hint: hint }, expired)).has('code')).toBe(true)
    const other = await service().given.userWith(expired, [])
    expect(error(await app.authorize({ ...challenge(), id_token_hint: hint, prompt: 'none' }, other))).toBe('login_required')
    const login = new URL((await app.authorize({ ...challenge(), id_token_hint: hint }, other)).headers.get('location') ?? '', 'http://x')
    service().clock.advance({ seconds: 1 })
    const stillOther = await service().given.signIn(other.email)
    expect(error(await stillOther.get(login.searchParams.get('returnTo') ?? ''))).toBe('login_required')
  })
})

describe('response_mode=form_post', () => {
  it('carries the code in a form that submits itself, or by a button without scripts', async () => {
    const app = await web()
    const answer = await app.authorize({ ...challenge(), response_mode: 'form_post', state: '"><script>' })
    expect(answer.status).toBe(200)
    expect(answer.headers.get('cache-control')).toBe('no-store')
    expect(answer.headers.get('content-security-policy')).toMatch(/script-src 'sha256-/)
    expect(answer.body).toContain(`<form method="post" action="${app.redirectUri}">`)
    expect(answer.body).toMatch(/name="code" value="[\w-]{43}"/)
    expect(answer.body).toContain('name="state" value="&quot;&gt;&lt;script&gt;"')
    expect(answer.body).toContain('name="iss" value="http://gatehouse.test"')
  })

  it('carries errors the same way', async () => {
    const app = await web()
    const answer = await app.authorize({ ...challenge(), response_mode: 'form_post', scope: 'nonsense' })
    expect(answer.body).toContain('name="error" value="invalid_scope"')
  })
})

describe('POST /oauth2/authorize', () => {
  it('continues by GET, which carries the cookie, with the stored request', async () => {
    const app = await web()
    const form = { response_type: 'code', client_id: app.id, redirect_uri: app.redirectUri, state: 'xyz', ...challenge() }
    const answer = await postForm(service().anonymous, '/oauth2/authorize', form)
    expect(answer.status).toBe(303)
    const resumed = await app.organisation.owner.get(answer.headers.get('location') ?? '')
    expect(callbackOf(resumed).has('code')).toBe(true)
  })

  it('redirects refusals with 303, so that the form is not sent along', async () => {
    const app = await web()
    const form = { response_type: 'code', client_id: app.id, redirect_uri: app.redirectUri, scope: 'nonsense' }
    expect(await postForm(service().anonymous, '/oauth2/authorize', form)).toMatchObject({ status: 303 })
  })
})
