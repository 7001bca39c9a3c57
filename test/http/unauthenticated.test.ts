import { beforeAll, describe, expect, it } from 'vitest'
import { Authenticator } from '../support/authenticator.ts'
import { cookieOf, type TestOrganisation, unique } from '../support/given.ts'
import type { Answer } from '../support/http-client.ts'
import { useService } from '../support/service.ts'

const service = useService()
let organisation: TestOrganisation
beforeAll(async () => {
  organisation = await service().given.organisation()
})

const said = ({ status, body: { code, detail } }: Answer) => [status, code, detail]
const ask = (path: string, headers: Record<string, string>) => service().anonymous.with(headers).get(path)
const session = () => `svc_session=${'A'.repeat(43)}`
const apiKey = async (permissions: string[] = []) =>
  (await organisation.owner.post('/v1/admin/api-keys', { name: 'Key', permissions })).body.key as string

describe('a request without a session', () => {
  const users = '/v1/admin/users'
  const me = '/v1/me/profile'
  const operator = '/v1/system/organisations'
  const required = 'Authentication required'

  it.each<[string, string, Record<string, string>, string, string]>([
    ['nothing', users, {}, 'authentication-required', required],
    ['nothing, on self-service', me, {}, 'authentication-required', required],
    ['nothing, on the system API', operator, {}, 'authentication-required', required],
    ['an unknown session', users, { cookie: session() }, 'invalid-session', required],
    ['an empty cookie', users, { cookie: 'svc_session=' }, 'authentication-required', required],
    [
      'another scheme',
      users,
      { authorization: 'Basic YTpi' },
      'malformed-authorization',
      'The Authorization header is not of the form Bearer <key>',
    ],
    [
      'no key after Bearer',
      users,
      { authorization: 'Bearer' },
      'malformed-authorization',
      'The Authorization header is not of the form Bearer <key>',
    ],
    [
      'another scheme, on the system API',
      operator,
      { authorization: 'Basic YTpi' },
      'malformed-authorization',
      'The Authorization header is not of the form Bearer <key>',
    ],
    ['an unknown API key', users, { authorization: 'Bearer ak_unknown' }, 'invalid-api-key', 'Invalid or expired API key'],
    ['an unknown bearer', users, { authorization: 'Bearer something' }, 'unknown-bearer-token', 'Unknown bearer token'],
    [
      'an access token',
      users,
      { authorization: 'Bearer eyJhbGciOiJFZERTQSJ9.eyJzdWIiOiJ4In0.c2ln' },
      'access-token-not-accepted',
      'An access token of OAuth does not open this API',
    ],
    [
      'a key in X-API-Key',
      users,
      { 'x-api-key': 'ak_unknown' },
      'api-key-in-wrong-header',
      'X-API-Key is not read: send the key as Authorization: Bearer <key>',
    ],
    ['a wrong system key', operator, { authorization: 'Bearer wrong' }, 'invalid-system-key', 'Invalid system API key'],
  ])('explains what was wrong with its credentials: %s', async (_what, path, headers, code, detail) => {
    const answer = await ask(path, headers)

    expect(said(answer)).toEqual([401, code, detail])
    expect(answer.headers.get('www-authenticate')).toBe('Bearer')
    expect(answer.headers.get('content-type')).toBe('application/problem+json')
  })

  it('explains that the system key is for the system API', async () => {
    const { systemApiKey } = service()
    const answer = await ask(users, { authorization: `Bearer ${systemApiKey}` })

    expect(said(answer)).toEqual([401, 'system-key-not-accepted', 'The system API key opens /v1/system alone'])
    expect(JSON.stringify(answer.body)).not.toContain(systemApiKey)
  })

  it('explains that an API key is for the admin API', async () => {
    const authorization = `Bearer ${await apiKey(['users:read'])}`
    expect(await ask(users, { authorization })).toMatchObject({ status: 200 })
    for (const path of [me, operator]) {
      const answer = await ask(path, { authorization })
      expect(said(answer)).toEqual([401, 'api-key-not-accepted', required])
      expect(answer.body.hint).toBe('An API key opens /v1/admin alone')
    }
  })

  it('differs from one with a session that has ended or whose user is deleted', async () => {
    const user = await service().given.user(organisation.owner)
    const signedIn = await service().given.signIn(user.email)
    await organisation.owner.delete(`/v1/admin/users/${user.id}/sessions`)
    expect(said(await signedIn.get(me))).toEqual([401, 'invalid-session', required])
    await organisation.owner.delete(`/v1/admin/users/${user.id}`)
    expect(said(await signedIn.get(me))).toEqual([401, 'session-user-not-found', 'User not found'])
  })

  it('learns no more of a credential than its kind', async () => {
    const answer = await ask(users, { authorization: 'Bearer a-secret-to-look-for' })
    expect(JSON.stringify(answer.body)).not.toContain('to-look-for')
  })

  it('does not depend on a header of a proxy in front, as long as there is a session', async () => {
    const { cookie, csrfToken } = organisation.owner
    expect(await ask(users, { cookie, 'x-csrf-token': csrfToken, authorization: 'Basic YTpi' })).toMatchObject({ status: 200 })
  })

  it('gets a challenge also when a sign-in fails', async () => {
    const answer = await service().anonymous.post('/v1/auth/login', { email: 'nobody@example.test', password: 'wrong wrong' })
    expect(said(answer)).toEqual([401, 'invalid-credentials', 'Invalid email or password'])
    expect(answer.headers.get('www-authenticate')).toBe('Bearer')
  })
})

describe('a CSRF token', () => {
  it.each(['GET', 'PATCH'])('that is missing and one that is wrong have codes of their own: %s', async (method) => {
    const { cookie } = organisation.owner
    const other = await service().given.organisation()
    const request = (headers: Record<string, string>) =>
      service()
        .anonymous.with({ cookie, ...headers })
        .request(method, '/v1/me/profile')
    const forbidden = { status: 403, body: { detail: 'Invalid CSRF token', hint: expect.stringContaining('reading ones too') } }

    for (const headers of [{}, { 'x-csrf-token': '' }] as Record<string, string>[]) {
      const missing = await request(headers)
      expect(missing).toMatchObject(forbidden)
      expect(missing.body.code).toBe('missing-csrf-token')
    }
    for (const token of ['wrong', other.owner.csrfToken]) {
      const wrong = await request({ 'x-csrf-token': token })
      expect(wrong).toMatchObject(forbidden)
      expect(wrong.body.code).toBe('invalid-csrf-token')
    }
  })

  it('of a session that had to enrol is refused once the session is a full one', async () => {
    const { given, clock, anonymous } = service()
    const { owner } = await given.organisation()
    const user = await given.user(owner)
    await owner.patch('/v1/admin/organisation', { requireMfa: true })
    const login = await anonymous.post('/v1/auth/login', { email: user.email, password: 'correct horse battery' })
    expect(login.body.status).toBe('mfa_enrollment_required')
    const { csrfToken } = login.body
    const waiting = anonymous.with({ cookie: cookieOf(login), 'x-csrf-token': csrfToken })
    const { body } = await waiting.post('/v1/me/mfa/enable')
    const verified = await waiting.post('/v1/me/mfa/verify', { token: new Authenticator(body.secret, clock).code() })
    expect(verified).toMatchObject({ status: 200 })

    const full = anonymous.with({ cookie: cookieOf(verified) })
    const before = await full.get('/v1/me/profile', { headers: { 'x-csrf-token': csrfToken } })
    expect(said(before)).toEqual([403, 'invalid-csrf-token', 'Invalid CSRF token'])
    const fresh = (await full.get('/v1/auth/csrf')).body.csrfToken
    expect(fresh).not.toBe(csrfToken)
    expect(verified.body.csrfToken).toBe(fresh)
    expect(await full.get('/v1/me/profile', { headers: { 'x-csrf-token': fresh } })).toMatchObject({ status: 200 })
    expect(said(await waiting.get('/v1/me/profile'))).toEqual([401, 'invalid-session', 'Authentication required'])
  })

  it('stays valid when a full session enables a second factor', async () => {
    const { given, clock } = service()
    const user = await given.signIn((await given.user(organisation.owner)).email)
    const { body } = await user.post('/v1/me/mfa/enable')
    const verified = await user.post('/v1/me/mfa/verify', { token: new Authenticator(body.secret, clock).code() })
    expect(verified.body).not.toHaveProperty('csrfToken')
    expect(await user.get('/v1/me/profile')).toMatchObject({ status: 200 })
  })
})

describe('two session cookies in one request', () => {
  const planted = () => `svc_session=${'B'.repeat(43)}`

  it('are refused by the API, in whichever order and also when they are equal', async () => {
    const { cookie, csrfToken } = organisation.owner
    for (const cookies of [`${cookie}; ${planted()}`, `${planted()}; a=b; ${cookie}`, `${cookie}; ${cookie}`]) {
      const answer = await ask('/v1/admin/users', { cookie: cookies, 'x-csrf-token': csrfToken })
      expect(said(answer)).toEqual([401, 'several-session-cookies', 'The request carries more than one session cookie'])
    }
    const asksForToken = await ask('/v1/auth/csrf', { cookie: `${cookie}; ${planted()}` })
    expect(asksForToken).toMatchObject({ status: 401, body: { code: 'several-session-cookies' } })
    const named = `x-svc_session=1; ${cookie}`
    expect(await ask('/v1/admin/users', { cookie: named, 'x-csrf-token': csrfToken })).toMatchObject({ status: 200 })
  })

  it('are refused on pages with an explanation, and change nothing', async () => {
    const { cookie } = organisation.owner
    for (const path of ['/account', '/login', '/oauth2/authorize?client_id=x', '/oauth2/logout']) {
      const answer = await ask(path, { cookie: `${cookie}; ${planted()}`, accept: 'text/html' })
      expect([path, answer.status, answer.headers.get('content-type')]).toEqual([path, 400, 'text/html; charset=utf-8'])
      expect(answer.body).toContain('Delete the cookies of this site')
      expect(answer.body).not.toContain(organisation.owner.email)
    }
    expect(await organisation.owner.get('/v1/me/profile')).toMatchObject({ status: 200 })
  })
})

describe('SESSION_COOKIE_PREFIX=__Host-', () => {
  const prefixed = useService({ environment: { PUBLIC_URL: 'https://id.example.test', SESSION_COOKIE_PREFIX: '__Host-' } })

  it('names the session cookie, and the name without the prefix is not accepted', async () => {
    const { anonymous, operator, mailbox } = prefixed()
    const slug = `org-${unique()}`
    const email = `owner@${slug}.test`
    await operator.post('/v1/organisations', { name: slug, slug, email: `it@${slug}.test`, ownerEmail: email })
    const password = 'correct horse battery'
    await anonymous.post('/v1/auth/password/reset', { token: await mailbox.tokenTo(email), password })
    const login = await anonymous.post('/v1/auth/login', { email, password })
    const [cookie = ''] = login.headers.getSetCookie()
    expect(cookie).toMatch(/^__Host-svc_session=[\w-]{43}; Path=\/;.*HttpOnly; Secure; SameSite=Lax$/)
    expect(cookie).not.toMatch(/domain/i)

    const [sent = ''] = cookie.split(';')
    const token = { 'x-csrf-token': login.body.csrfToken }
    expect(await anonymous.with({ cookie: sent, ...token }).get('/v1/me/profile')).toMatchObject({ status: 200 })
    const unprefixed = sent.replace('__Host-', '')
    expect(await anonymous.with({ cookie: unprefixed, ...token }).get('/v1/me/profile')).toMatchObject({ status: 401 })
    expect(await anonymous.with({ cookie: `${sent}; ${unprefixed}`, ...token }).get('/v1/me/profile')).toMatchObject({ status: 200 })
    const { components } = (await anonymous.get('/openapi.json')).body
    expect(components.securitySchemes.session.name).toBe('__Host-svc_session')

    const out = await anonymous.with({ cookie: sent, ...token }).post('/v1/auth/logout')
    expect(out.headers.getSetCookie()).toEqual([expect.stringMatching(/^__Host-svc_session=;.*Expires=Thu, 01 Jan 1970/)])
  })
})
