/** Responses of the OAuth endpoints, to any request. */
import { describe, expect, it } from 'vitest'
import { basic, callbackOf, encode, givenApplication, pkce, postForm, type Registration, type TestApplication } from '../support/oauth.ts'
import { PageVisitor } from '../support/page-visitor.ts'
import { useService } from '../support/service.ts'

const service = useService()
const grantTypes = ['authorization_code', 'refresh_token', 'client_credentials']
const web = (registration: Registration = {}) => givenApplication(service(), { grantTypes, scopes: ['orders:read'], ...registration })
const challenge = () => ({ code_challenge: pkce().challenge, code_challenge_method: 'S256' })

/** A response of each kind, by its name. */
async function everyJsonAnswer(app: TestApplication) {
  const { code, verifier } = await app.code({ scope: 'openid offline_access' })
  const issued = await app.redeem(code, verifier)
  const { access_token: token, refresh_token: refreshToken } = issued.body
  return {
    'tokens for a code': issued,
    'tokens for a client': await app.token({ grant_type: 'client_credentials' }),
    'tokens for a refresh token': await app.refresh(refreshToken),
    'no tokens': await app.refresh('rt_x'),
    'no tokens for a wrong secret': await app.token({ grant_type: 'client_credentials' }, { authorization: basic(app.id, 'wrong') }),
    'an active token': await app.introspect(token),
    'an inactive token': await app.introspect('x'),
    'an introspection without authentication': await postForm(service().anonymous, '/oauth2/introspect', { token }),
    claims: await app.userInfo(token),
    'no claims': await app.userInfo('x'),
    'a revocation': await app.revoke(token),
    'a revocation without authentication': await postForm(service().anonymous, '/oauth2/revoke', { token }),
  }
}

describe('responses to applications', () => {
  it('are JSON that may not be stored, refusals too', async () => {
    const answers = Object.entries(await everyJsonAnswer(await web()))
    expect(new Set(answers.map(([, { status }]) => status))).toEqual(new Set([200, 400, 401]))
    for (const [what, { headers, body }] of answers) {
      expect(headers.get('content-type'), what).toMatch(/^application\/json\b/)
      expect(headers.get('cache-control'), what).toBe('no-store')
      expect(headers.get('pragma'), what).toBe('no-cache')
      expect(Object.prototype.toString.call(body), what).toBe('[object Object]')
    }
  })

  it('name the granted scope when none was requested', async () => {
    const app = await web({ scopes: ['orders:read', 'orders:write'] })
    expect((await app.signIn()).scope).toBe('orders:read orders:write')
  })

  it('to POST and GET have the same claims of the user', async () => {
    const app = await web()
    const { access_token: token } = await app.signIn({ scope: 'openid email' })
    const authorization = `Bearer ${token}`
    const byGet = await app.userInfo(token)
    expect(byGet.body).toMatchObject({ sub: app.organisation.owner.id, email: app.organisation.owner.email })
    expect((await postForm(service().anonymous, '/oauth2/userinfo', {}, { authorization })).body).toEqual(byGet.body)
    expect((await service().anonymous.request('POST', '/oauth2/userinfo', { headers: { authorization } })).body).toEqual(byGet.body)
  })
})

describe('responses to browsers', () => {
  it('that carry a code or a refusal may not be stored', async () => {
    const app = await web()
    for (const parameters of [{}, { scope: 'unknown' }, { client_id: 'cli_unknown' }]) {
      for (const mode of ['query', 'form_post']) {
        const { headers } = await app.authorize({ ...challenge(), response_mode: mode, ...parameters })
        expect(headers.get('cache-control')).toBe('no-store')
      }
    }
  })

  it('never make them repeat a form with a password to the application', async () => {
    const app = await web()
    const { owner } = app.organisation
    const browser = new PageVisitor(service().origin)
    const begun = await browser.open(
      `/oauth2/authorize?${encode({ response_type: 'code', client_id: app.id, redirect_uri: app.redirectUri, ...challenge() })}`,
    )
    expect(begun.status).toBe(302)
    const login = begun.headers.get('location') ?? ''

    const signedIn = await browser.submit(login, { email: owner.email, password: owner.password })

    // A page that continues by itself: afterwards, the browser has no form to repeat.
    expect(signedIn.status).toBe(200)
    expect(signedIn.body).not.toContain(owner.password)
    const next = /content="0;url=([^"]+)"/.exec(signedIn.body)?.[1] ?? ''
    const back = await browser.open(next.replaceAll('&amp;', '&'))
    expect(back.status).toBe(302)
    expect(callbackOf(back).has('code')).toBe(true)
  })

  it('redirect nowhere for a request without redirect_uri when several are registered', async () => {
    const app = await web({ redirectUris: ['https://portal.example.test/callback', 'https://portal.example.test/other'] })
    const answer = await app.authorize({ ...challenge(), redirect_uri: undefined })
    expect(answer.status).toBe(400)
    expect(answer.headers.get('location')).toBeNull()
  })
})

describe('guesses', () => {
  it('at the secret of a client count together across endpoints', async () => {
    const app = await web()
    const wrong = { authorization: basic(app.id, 'wrong') }
    const guess = (path: string) => app.post(path, { token: 'x' }, wrong)
    for (let number = 0; number < 25; number++) {
      for (const path of ['/oauth2/revoke', '/oauth2/introspect']) expect((await guess(path)).status).toBe(401)
    }
    for (const path of ['/oauth2/revoke', '/oauth2/introspect', '/oauth2/token']) {
      const limited = await guess(path)
      expect(limited.status).toBe(429)
      expect(Number(limited.headers.get('retry-after'))).toBeGreaterThan(0)
    }
  })

  it('at codes and refresh tokens by changing one are refused', async () => {
    const app = await web()
    const changed = (secret: string) => `${secret.slice(0, -1)}${secret.endsWith('A') ? 'B' : 'A'}`
    const { code, verifier } = await app.code({ scope: 'openid offline_access' })
    const refused = { status: 400, body: { error: 'invalid_grant' } }
    expect(await app.redeem(changed(code), verifier)).toMatchObject(refused)
    const { body } = await app.redeem(code, verifier)
    expect(await app.refresh(changed(body.refresh_token))).toMatchObject(refused)
  })
})
