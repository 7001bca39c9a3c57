import { describe, expect, it } from 'vitest'
import { givenApplication, postForm, type Registration } from '../support/oauth.ts'
import { useService } from '../support/service.ts'

const service = useService()
const home = 'https://portal.example.test/'
const web = (registration: Registration = {}) => givenApplication(service(), { postLogoutRedirectUris: [home], ...registration })
const logout = (parameters: Record<string, string>) => `/oauth2/logout?${new URLSearchParams(parameters)}`

describe('GET /oauth2/logout', () => {
  it('signs out the user whom the ID token names, and redirects to the registered URI with the state', async () => {
    const app = await web()
    const { owner } = app.organisation
    const { id_token: hint } = await app.signIn({ scope: 'openid' })

    const answer = await owner.get(logout({ id_token_hint: hint, post_logout_redirect_uri: home, state: 's 1' }))

    expect(answer.status).toBe(303)
    expect(answer.headers.get('location')).toBe(`${home}?state=s+1`)
    expect(answer.headers.getSetCookie().join()).toMatch(/svc_session=;/)
    expect(await owner.get('/v1/me/profile')).toMatchObject({ status: 401 })
  })

  it('accepts an expired ID token', async () => {
    const app = await web({ idTokenLifetime: 60 })
    const { owner } = app.organisation
    const { id_token: hint } = await app.signIn({ scope: 'openid' })
    service().clock.advance({ seconds: 61 })
    expect((await owner.get(logout({ id_token_hint: hint }))).headers.get('location')).toBe('/logged-out')
    expect(await owner.get('/v1/me/profile')).toMatchObject({ status: 401 })
  })

  it('asks for confirmation without an ID token, and only the confirmation signs out', async () => {
    const app = await web()
    const { owner } = app.organisation
    const question = await owner.get(logout({ client_id: app.id, post_logout_redirect_uri: home, state: 'x' }))
    expect(question.status).toBe(200)
    expect(question.body).toContain('Portal')
    expect(await owner.get('/v1/me/profile')).toMatchObject({ status: 200 })

    const fields = Object.fromEntries([...question.body.matchAll(/name="(\w+)" value="([^"]*)"/g)].map(([, name, value]) => [name, value]))
    const forged = await postForm(owner, '/oauth2/logout/confirm', { ...fields, csrf_token: 'forged' })
    expect(forged.status).toBe(400)
    expect(await owner.get('/v1/me/profile')).toMatchObject({ status: 200 })

    const answer = await postForm(owner, '/oauth2/logout/confirm', fields)
    // The form-action of the form's page would block a redirect.
    expect(answer).toMatchObject({ status: 200, body: expect.stringContaining(`content="0;url=${home}?state=x"`) })
    expect(await owner.get('/v1/me/profile')).toMatchObject({ status: 401 })
  })

  it("shows a link after the confirmation instead of redirecting to another organisation's application", async () => {
    const app = await web()
    const { owner: stranger } = await service().given.organisation()
    const question = await stranger.get(logout({ client_id: app.id, post_logout_redirect_uri: home, state: 'x' }))
    expect(question.status).toBe(200)
    const fields = Object.fromEntries([...question.body.matchAll(/name="(\w+)" value="([^"]*)"/g)].map(([, name, value]) => [name, value]))

    const answer = await postForm(stranger, '/oauth2/logout/confirm', fields)

    expect(answer).toMatchObject({ status: 200, body: expect.stringContaining(`href="${home}?state=x"`) })
    expect(answer.body).not.toContain('http-equiv="refresh"')
    expect(answer.headers.get('cache-control')).toBe('no-store')
    expect(answer.headers.getSetCookie().join()).toMatch(/svc_session=;/)
    expect(await stranger.get('/v1/me/profile')).toMatchObject({ status: 401 })
  })

  it("shows that link also with an ID token of another organisation's user", async () => {
    const app = await web()
    const { id_token: hint } = await app.signIn({ scope: 'openid' })
    const { owner: stranger } = await service().given.organisation()
    const question = await stranger.get(logout({ id_token_hint: hint, post_logout_redirect_uri: home }))
    expect(question.status).toBe(200)
    const fields = Object.fromEntries([...question.body.matchAll(/name="(\w+)" value="([^"]*)"/g)].map(([, name, value]) => [name, value]))

    const answer = await postForm(stranger, '/oauth2/logout/confirm', fields)

    expect(answer).toMatchObject({ status: 200, body: expect.stringContaining(`href="${home}"`) })
    expect(answer.body).not.toContain('http-equiv="refresh"')
    expect(await stranger.get('/v1/me/profile')).toMatchObject({ status: 401 })
  })

  it('takes no cookie away that did not come with the request, as from the form of another site', async () => {
    const { owner } = await service().given.organisation()
    const forged = await postForm(service().anonymous, '/oauth2/logout/confirm', {})
    expect(forged.headers.getSetCookie().join()).not.toContain('svc_session')
    expect((await service().anonymous.get('/oauth2/logout')).headers.getSetCookie().join()).not.toContain('svc_session')

    await owner.post('/v1/auth/logout')
    const ended = await owner.get('/oauth2/logout')
    expect(ended.headers.getSetCookie().join()).toMatch(/svc_session=;/)
  })

  it('asks for confirmation when the ID token names another user', async () => {
    const app = await web()
    const { id_token: hint } = await app.signIn({ scope: 'openid' })
    const other = await service().given.userWith(app.organisation.owner, [])
    expect((await other.get(logout({ id_token_hint: hint }))).status).toBe(200)
    expect(await other.get('/v1/me/profile')).toMatchObject({ status: 200 })
  })

  it('asks for confirmation when the ID token is of an earlier session of the same user', async () => {
    const app = await web()
    const { id_token: hint } = await app.signIn({ scope: 'openid' })
    const later = await service().given.signIn(app.organisation.owner.email)
    const question = await later.get(logout({ id_token_hint: hint, post_logout_redirect_uri: home }))
    expect(question.status).toBe(200)
    expect(question.headers.get('location')).toBeNull()
    expect(await later.get('/v1/me/profile')).toMatchObject({ status: 200 })
  })

  it('shows a link to the registered URI instead of redirecting when no user is signed in and there is no ID token', async () => {
    const app = await web()
    const parameters = { client_id: app.id, post_logout_redirect_uri: home, state: 'x y' }
    const confirmed = await postForm(service().anonymous, '/oauth2/logout/confirm', parameters)
    for (const page of [await service().anonymous.get(logout(parameters)), confirmed]) {
      expect(page.status).toBe(200)
      expect(page.headers.get('location')).toBeNull()
      expect(page.headers.get('cache-control')).toBe('no-store')
      expect(page.body).toContain(`href="${home}?state=x+y"`)
      expect(page.body).toContain('Back to Portal')
      expect(page.body).not.toContain('http-equiv="refresh"')
    }
    const german = await service().anonymous.get(logout({ ...parameters, ui_locales: 'de' }))
    expect(german.body).toContain('Zurück zu Portal')
    expect((await service().anonymous.get('/oauth2/logout')).headers.get('location')).toBe('/logged-out')
    expect((await service().anonymous.get(logout({ client_id: app.id }))).headers.get('location')).toBe('/logged-out')
  })

  it('continues with an ID token when no user is signed in any more', async () => {
    const app = await web()
    const { id_token: hint } = await app.signIn({ scope: 'openid' })
    const answer = await service().anonymous.get(logout({ id_token_hint: hint, post_logout_redirect_uri: home }))
    expect(answer).toMatchObject({ status: 303 })
    expect(answer.headers.get('location')).toBe(home)
  })

  it.each([
    ['a URI that is not registered', { post_logout_redirect_uri: `${home}other` }],
    ['a client that is unknown', { client_id: 'cli_unknown' }],
    ['a hint that is not ours', { id_token_hint: 'e30.e30.e30' }],
  ])('shows a page, does not redirect and ends no session for %s', async (_what, wrong) => {
    const app = await web()
    const { owner } = app.organisation
    const answer = await owner.get(logout({ client_id: app.id, ...wrong }))
    expect(answer.status).toBe(400)
    expect(answer.headers.get('location')).toBeNull()
    expect(await owner.get('/v1/me/profile')).toMatchObject({ status: 200 })
  })

  it('does not redirect to a registered URI that comes without a client', async () => {
    await web()
    expect(await service().anonymous.get(logout({ post_logout_redirect_uri: home }))).toMatchObject({ status: 400 })
  })

  it('refuses a client_id that is not the one of the ID token', async () => {
    const app = await web()
    const other = await givenApplication(service(), { organisation: app.organisation })
    const { id_token: hint } = await app.signIn({ scope: 'openid' })
    expect(await app.organisation.owner.get(logout({ id_token_hint: hint, client_id: other.id }))).toMatchObject({ status: 400 })
  })

  it('does not accept an access token as an ID token', async () => {
    const app = await web()
    const { access_token: hint } = await app.signIn({ scope: 'openid' })
    expect(await app.organisation.owner.get(logout({ id_token_hint: hint }))).toMatchObject({ status: 400 })
  })
})

describe('POST /oauth2/logout', () => {
  it('continues by GET, which carries the cookie', async () => {
    const app = await web()
    const { owner } = app.organisation
    const { id_token: hint } = await app.signIn({ scope: 'openid' })
    const answer = await postForm(service().anonymous, '/oauth2/logout', { id_token_hint: hint, post_logout_redirect_uri: home })
    expect(answer.status).toBe(303)
    expect((await owner.get(answer.headers.get('location') ?? '')).headers.get('location')).toBe(home)
    expect(await owner.get('/v1/me/profile')).toMatchObject({ status: 401 })
  })
})
