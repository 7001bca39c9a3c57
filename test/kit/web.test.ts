/** `@gatehouse-iam/web` as applications use it, at the real service. What attackers send is in `web-attacks.test.ts`. */
import { spawn } from 'node:child_process'
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { createServer, request as httpRequest } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { join, resolve } from 'node:path'
import process from 'node:process'
import express from 'express'
import fastify from 'fastify'
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest'
import { createWeb, memoryStore, toNode, type WebOptions } from '../../packages/web/src/index.ts'
import { enrolAuthenticator } from '../support/authenticator.ts'
import { clientKey } from '../support/client-keys.ts'
import { freePort } from '../support/free-port.ts'
import type { Answer } from '../support/http-client.ts'
import { claimsOf, givenApplication } from '../support/oauth.ts'
import { requirements } from '../support/requirements.ts'
import { useService } from '../support/service.ts'
import {
  cookieSecret,
  givenWeb,
  locationOf,
  logged,
  origin,
  resigned,
  type WebApplication,
  WebBrowser,
} from '../support/web-application.ts'

const port = await freePort()
const issuer = `http://127.0.0.1:${port}`
const service = useService({
  environment: { PORT: String(port), PUBLIC_URL: issuer, OAUTH_EXTENSIONS: 'private_key_jwt,resource_indicators,step_up' },
})
const clock = () => service().clock.now().getTime()

/** An application with a user who is signed in to it. */
async function signedIn(given: Parameters<typeof givenWeb>[1] = {}) {
  const application = await givenWeb(service(), given)
  const browser = new WebBrowser(application.web, application.app.organisation.owner)
  await browser.signIn()
  return { ...application, browser, owner: application.app.organisation.owner }
}

/** Where a page of the service leads, by a redirect or a page that does so itself. */
function onwardFrom(answer: Answer | undefined): string {
  const onward = answer?.headers.get('location') ?? /content="0;url=([^"]*)"/.exec(answer?.body)?.[1]?.replaceAll('&amp;', '&')
  return new URL(onward ?? '', issuer).href
}

const storing = () => ({ options: { sessionStore: memoryStore({ clock }) } })
const places = [
  ['in cookies', () => ({})],
  ['in a store', storing],
] as const

describe('a sign-in', () => {
  it('has a session also for a request whose headers are of a class of a library', async () => {
    const { browser, web, owner } = await signedIn()
    const given = browser.request('/').headers
    const headers = { get: (name: string) => given.get(name) } as unknown as Headers
    expect((await web.session({ headers })).session?.user.id).toBe(owner.id)
  })

  it('begins at the issuer, and returns to where it was asked for with a session', async () => {
    const { app, web } = await givenWeb(service())
    const { owner } = app.organisation
    const browser = new WebBrowser(web, owner)
    expect(await browser.session()).toBeNull()
    expect(await web.handle(browser.request('/reports'))).toBeNull()

    const asked = await browser.open('/auth/login?returnTo=/reports?page=2%23top&login_hint=anna@acme.test&connection=acme')
    const address = new URL(locationOf(asked))
    expect([asked.status, address.origin, address.pathname]).toEqual([302, issuer, '/oauth2/authorize'])
    expect(Object.fromEntries(address.searchParams)).toMatchObject({
      client_id: app.id,
      code_challenge_method: 'S256',
      connection: 'acme',
      login_hint: 'anna@acme.test',
      redirect_uri: `${origin}/auth/callback`,
      response_type: 'code',
      scope: 'openid profile email offline_access',
    })
    const back = await browser.open(await browser.pass(address.href))

    expect([back.status, locationOf(back), back.headers.get('cache-control')]).toEqual([303, `${origin}/reports?page=2#top`, 'no-store'])
    expect([browser.namesOf('attempt'), browser.namesOf('session')]).toEqual([[], ['__Host-gatehouse.0', '__Host-gatehouse.1']])
    const session = await browser.session()
    expect(session).toMatchObject({
      user: { id: owner.id, email: owner.email, claims: { iss: issuer } },
      organisation: { id: app.organisation.id },
      acr: 'aal1',
    })
    expect(claimsOf(session?.accessToken() ?? '')).toMatchObject({ sub: owner.id, permissions: session?.permissions })
    expect([session?.can('users:read'), session?.can('nothing:read')]).toEqual([true, false])
    expect([session?.fresh(60), session?.roles.length]).toEqual([true, 1])
    expect((session?.expiresAt.getTime() ?? 0) - clock()).toBeGreaterThan(11 * 3_600_000)
    // Nothing has to be set while nothing changes.
    expect([...(await web.session(browser.request('/'))).headers]).toEqual([])
  })

  it('asks for the scopes and the APIs of the options, and authenticates by a key', async () => {
    const key = await clientKey('EdDSA', 'own')
    const { app, web, process } = await givenWeb(service(), {
      tokenEndpointAuthMethod: 'private_key_jwt',
      jwks: { keys: [key.publicKey] },
      options: { privateKey: key.whole, scope: 'profile' },
    })
    const browser = new WebBrowser(web, app.organisation.owner)
    await browser.signIn()
    // Without offline_access there is no refresh token, and the session lasts as long as its access token.
    const session = await browser.session()
    expect(session?.user.email).toBeUndefined()
    expect(session?.expiresAt.getTime()).toBe(claimsOf(session?.accessToken() ?? '').exp * 1_000)
    service().clock.advance({ minutes: 61 })
    expect([await browser.session(), browser.namesOf('session')]).toEqual([null, []])
    const forApi = process({ resource: 'https://api.example.test/orders' })
    const refused = await new WebBrowser(forApi, app.organisation.owner).callback()
    expect(new URL(refused).searchParams.get('error')).toBe('invalid_target')
  })

  it('lets two tabs sign in at once, and ten at most', async () => {
    const { app, web } = await givenWeb(service())
    const browser = new WebBrowser(web, app.organisation.owner)
    const [first, second] = [await browser.callback('?returnTo=/first'), await browser.callback('?returnTo=/second')]
    expect(locationOf(await browser.open(second))).toBe(`${origin}/second`)
    expect(locationOf(await browser.open(first))).toBe(`${origin}/first`)

    const callbacks: string[] = []
    for (let tab = 0; tab < 12; tab++) {
      service().clock.advance({ seconds: 1 })
      callbacks.push(await browser.callback(`?returnTo=/${'long/'.repeat(tab % 2)}${tab}`))
    }
    const left = browser.namesOf('attempt')
    expect(left.length).toBeLessThanOrEqual(10)
    expect(left.length).toBeGreaterThan(5)
    expect((await browser.open(callbacks.at(0) ?? '')).status).toBe(400)
    expect((await browser.open(callbacks.at(-1) ?? '')).status).toBe(303)
    // Long addresses leave room for the header of a request.
    for (let tab = 0; tab < 5; tab++) await browser.open(`/auth/login?returnTo=/${'a'.repeat(1_000)}`)
    expect(browser.request('/').headers.get('cookie')?.length).toBeLessThan(9_000)
    service().clock.advance({ minutes: 31 })
    await browser.open('/auth/login')
    expect(browser.namesOf('attempt')).toHaveLength(1)
  })

  it('that the issuer refuses leads to a page with the reference of the diagnostics', async () => {
    const { app, web, process } = await givenWeb(service())
    const stranger = new WebBrowser(web, (await service().given.organisation()).owner)
    const refused = await stranger.open(await stranger.callback())
    const page = await refused.text()
    const reference = /<code>([a-z0-9-]{14})<\/code>/.exec(page)?.[1]
    expect([refused.status, refused.headers.get('content-type')]).toEqual([403, 'text/html; charset=utf-8'])
    expect(page).toContain(`href="${origin}/auth/login"`)
    expect(await app.organisation.owner.get(`/v1/admin/diagnostics/${reference}`)).toMatchObject({ status: 200 })
    expect(logged.at(-1)).toContain(reference)

    // The same as a problem, and by a page of the application.
    const asked = process({
      errorPage: ({ code, error, reference: shown }) => Response.json({ code, error, isReferenced: Boolean(shown) }),
    })
    const again = new WebBrowser(asked, stranger.issuer && (await service().given.organisation()).owner)
    const own = await again.open(await again.callback())
    expect(await own.json()).toEqual({ code: 'refused-by-issuer', error: 'access_denied', isReferenced: true })
    const problem = await again.open(await again.callback('?returnTo=/'), { headers: { accept: 'application/json' } })
    expect(problem.status).toBe(200)
    stranger.web = web
    const json = await stranger.open('/auth/callback?state=a', { headers: { accept: 'application/json' } })
    expect([json.headers.get('content-type'), await json.json()]).toEqual([
      'application/problem+json',
      expect.objectContaining({ status: 400, code: 'unknown-attempt', title: 'Bad Request' }),
    ])
  })

  it('without a page ends without a session where one is needed, and names a wrong secret', async () => {
    const { app, web, process } = await givenWeb(service())
    const browser = new WebBrowser(web, app.organisation.owner)
    const strangers = new WebBrowser(web, { origin: service().origin, cookie: 'none=1' } as never)
    expect(locationOf(await strangers.open(await strangers.callback('?prompt=none&returnTo=/quiet')))).toBe(`${origin}/quiet`)
    expect(await strangers.session()).toBeNull()
    browser.web = process({ clientSecret: 'wrong' })
    const refused = await browser.open(await browser.callback(), { headers: { accept: 'application/json' } })
    expect([refused.status, await refused.json()]).toEqual([
      500,
      expect.objectContaining({ code: 'client-refused', error: 'invalid_client' }),
    ])
  })

  it('waits for an issuer that is away, and can then be finished', async () => {
    const { app, web, network } = await givenWeb(service())
    const browser = new WebBrowser(web, app.organisation.owner)
    network.isGone = true
    const away = await browser.open('/auth/login')
    expect([away.status, away.headers.get('retry-after')]).toEqual([503, '5'])
    network.isGone = false
    const callback = await browser.callback()
    network.bend = (path, send) => (path === '/oauth2/token' ? new Response('', { status: 503 }) : send())
    expect((await browser.open(callback)).status).toBe(503)
    network.bend = undefined
    network.isGone = true
    expect((await browser.open(callback)).status).toBe(503)
    network.isGone = false
    expect((await browser.open(callback)).status).toBe(303)
  })
})

describe.each(places)('a session %s', (where, place) => {
  it('is refreshed before its token expires, once for all requests of a browser', async () => {
    const { browser, network, web } = await signedIn(place())
    const first = (await browser.session())?.accessToken()
    service().clock.advance({ minutes: 59, seconds: 10 })
    network.paths.length = 0
    const before = browser.copy()
    const many = await Promise.all(Array.from({ length: 10 }, () => web.session(browser.request('/'))))
    const tokens = new Set(many.map(({ session }) => session?.accessToken()))
    expect([tokens.size, tokens.has(first), network.paths]).toEqual([1, false, ['/oauth2/token']])
    for (const { headers } of many) browser.store(headers)
    // A request that was sent before the new cookie came.
    expect((await before.session())?.accessToken()).toBe([...tokens][0])
    service().clock.advance({ hours: 1 })
    expect(tokens.has((await browser.session())?.accessToken())).toBe(false)
    expect(network.paths).toEqual(['/oauth2/token', '/oauth2/token'])
    // It has an end, however often it is refreshed.
    for (let hour = 0; hour < 9; hour++) {
      service().clock.advance({ minutes: 59, seconds: 30 })
      expect(await browser.session()).not.toBeNull()
    }
    // A store may forget it at its end, and so does the browser.
    const secondsLeft = (((await browser.session())?.expiresAt.getTime() ?? 0) - clock()) / 1_000
    expect(browser.maxAges.get('__Host-gatehouse.0')).toBeLessThan(secondsLeft + 60)
    service().clock.advance({ hours: 2 })
    expect([await browser.session(), browser.namesOf('session')]).toEqual([null, where === 'in cookies' ? [] : ['__Host-gatehouse.0']])
  })

  it('survives a race of two processes with the newer token', async () => {
    const { browser, process } = await signedIn(place())
    const others = [browser.copy(process()), browser.copy(process()), browser]
    service().clock.advance({ minutes: 60, seconds: 5 })
    const sessions = await Promise.all(others.map((other) => other.session()))
    expect(new Set(sessions.map((session) => session?.accessToken())).size).toBe(1)
    service().clock.advance({ hours: 1 })
    expect(await browser.session()).not.toBeNull()
  })

  it('ends when its refresh token is refused, and not while the issuer is away or mistaken', async () => {
    const { browser, network, owner } = await signedIn(place())
    service().clock.advance({ minutes: 59, seconds: 10 })
    network.isGone = true
    network.paths.length = 0
    expect((await browser.session())?.accessToken()).toMatch(/^ey/)
    expect((await browser.session())?.can('users:read')).toBe(true)
    // It is not asked with every request.
    expect(network.paths).toEqual(['/oauth2/token'])
    service().clock.advance({ minutes: 5 })
    const stale = await browser.session()
    expect(stale?.user.id).toBe(owner.id)
    expect(() => stale?.accessToken()).toThrow(expect.objectContaining({ code: 'issuer-unavailable', status: 503 }))
    network.isGone = false
    for (const status of [500, 429, 401]) {
      network.bend = () => Response.json({ error: status === 401 ? 'invalid_client' : 'slow_down' }, { status })
      service().clock.advance({ seconds: 6 })
      expect(await browser.session()).not.toBeNull()
    }
    network.bend = undefined
    service().clock.advance({ seconds: 6 })
    expect((await browser.session())?.accessToken()).toMatch(/^ey/)

    const suspended = await service().operator.patch(`/v1/system/organisations/${stale?.organisation.id}/suspend`, { reason: 'Payment' })
    expect(suspended).toMatchObject({ status: 200 })
    service().clock.advance({ minutes: 61 })
    expect([await browser.session(), browser.namesOf('session')]).toEqual([null, []])
  })

  it.each([
    ['stays when the response to its refresh is lost and is given again', 30, true],
    ['ends when that response is lost without a time of grace, as after a theft', 0, false],
  ])('%s', async (_, refreshTokenGraceSeconds, stays) => {
    const { browser, network } = await signedIn({ ...place(), refreshTokenGraceSeconds })
    service().clock.advance({ minutes: 59, seconds: 10 })
    network.bend = async (_path, send) => {
      await send()
      throw new TypeError('terminated')
    }
    const former = (await browser.session())?.accessToken()
    expect(former).toMatch(/^ey/)
    network.bend = undefined
    service().clock.advance({ seconds: 6 })
    const session = await browser.session()
    expect(session !== null).toBe(stays)
    if (stays) expect(session?.accessToken()).not.toBe(former)
  })

  it.each([
    ['the issuer does not refresh it', async () => Response.json({ error: 'invalid_scope' }, { status: 400 })],
    [
      'the new tokens are not right',
      async (send: () => Promise<Response>) => Response.json({ ...((await (await send()).json()) as object), id_token: 'a.b.c' }),
    ],
  ])('is tried again after some seconds, and does not hold up the others, when %s', async (_, respond) => {
    const { browser, network, owner, web } = await signedIn(place())
    const other = new WebBrowser(web, owner)
    await other.signIn()
    const former = (await other.session())?.accessToken()
    service().clock.advance({ minutes: 59, seconds: 10 })
    network.paths.length = 0
    network.bend = (_path, send) => respond(send)
    for (const _ of ['once', 'again']) expect(await browser.session()).not.toBeNull()
    expect(network.paths).toEqual(['/oauth2/token'])
    service().clock.advance({ seconds: 6 })
    expect(await browser.session()).not.toBeNull()
    expect(network.paths).toEqual(['/oauth2/token', '/oauth2/token'])
    network.bend = undefined
    expect((await other.session())?.accessToken()).not.toBe(former)
  })

  it('ends with a new sign-in, from which a request with its cookie takes nothing', async () => {
    const { browser, web } = await signedIn(place())
    const before = browser.copy()
    await browser.signIn()
    const { session, headers } = await web.session(before.request('/'))
    expect([session, [...headers]]).toEqual([null, []])
    browser.store(headers)
    expect(await browser.session()).not.toBeNull()
  })

  it('is not brought back by its refresh, which a new sign-in has overtaken', async () => {
    const { browser, network, owner, web } = await signedIn(place())
    const { email } = await service().given.userWith(owner, [])
    service().clock.advance({ minutes: 59, seconds: 10 })
    let release: (() => void) | undefined
    network.bend = async (path, send) => {
      const response = await send()
      if (path === '/oauth2/token') await new Promise<void>((resolve) => (release = resolve))
      return response
    }
    const refreshing = web.session(browser.request('/'))
    await expect.poll(() => release).toBeDefined()
    network.bend = undefined
    const next = await service().given.signIn(email)
    const other = new WebBrowser(web, next)
    for (const [name, value] of browser.cookies) other.cookies.set(name, value)
    await other.signIn()
    release?.()

    const { session, headers } = await refreshing
    other.store(headers)
    expect([session, (await other.session())?.user.id]).toEqual([null, next.id])
  })

  it('ends by signing out, here and at the issuer, and its refresh token with it', async () => {
    const { browser, owner, process } = await signedIn(place())
    const copy = browser.copy()
    expect((await browser.open('/auth/logout')).status).toBe(405)
    const back = await browser.open('/auth/logout', { method: 'POST', headers: { 'sec-fetch-site': 'same-origin' } })
    const address = new URL(locationOf(back))
    expect([back.status, address.pathname, browser.namesOf('session')]).toEqual([303, '/oauth2/logout', []])
    expect(claimsOf(address.searchParams.get('id_token_hint') ?? '')).toMatchObject({ sub: owner.id })
    // A copy of the cookie is worth nothing here, and elsewhere until the token expires.
    expect(await copy.session()).toBeNull()
    const elsewhere = copy.copy(process())
    service().clock.advance({ minutes: 60 })
    expect(await elsewhere.session()).toBeNull()

    const leaving = new WebBrowser(process({ postLogoutRedirectUri: `${origin}/bye` }), await service().given.signIn(owner.email))
    expect(locationOf(await leaving.open('/auth/logout', { method: 'POST' }))).toBe(`${origin}/bye`)
    await leaving.signIn()
    expect(await leaving.pass(locationOf(await leaving.open('/auth/logout', { method: 'POST' })))).toBe(`${origin}/bye`)
  })

  it('outlives a rotation of the cookie secrets and of the signing keys', async () => {
    const { browser, process } = await signedIn(place())
    const next = 'another secret of the tests, which is just as long'
    browser.web = process({ cookieSecrets: [cookieSecret], cookieSecret: next })
    expect(await browser.session()).not.toBeNull()
    browser.web = process({ cookieSecret: next })
    expect(await browser.session()).not.toBeNull()
    await service().operator.post('/v1/system/signing-keys/rotate', { withdraw: true })
    service().clock.advance({ minutes: 60 })
    expect(await browser.session()).not.toBeNull()
    // Another process may open it.
    const cookies = new Map(browser.cookies)
    const stranger = browser.copy(process({ cookieSecret: 'a secret that has never sealed any of these cookies' }))
    expect([await stranger.session(), stranger.cookies]).toEqual([null, cookies])
  })

  it('outlives a new cookie secret that the processes get one after the other', async () => {
    const { browser, process } = await signedIn(place())
    const next = 'another secret of the tests, which is just as long'
    const processes = {
      former: process({ cookieSecret }),
      both: process({ cookieSecret, cookieSecrets: [next] }),
      bothNext: process({ cookieSecret: next, cookieSecrets: [cookieSecret] }),
      next: process({ cookieSecret: next }),
    }
    const steps = [
      ['former', 'both'],
      ['both', 'bothNext'],
      ['bothNext', 'next'],
    ] as const
    for (const step of steps)
      for (const name of [...step, ...step]) {
        browser.web = processes[name]
        // A sign-in may begin at one process and end at another, too.
        const callback = await browser.callback()
        expect([name, (await browser.session())?.user.id]).toEqual([name, expect.any(String)])
        browser.web = processes[step[name === step[0] ? 1 : 0]]
        expect([name, (await browser.open(callback)).status]).toEqual([name, 303])
      }
    // Without the step between, the former process cannot open what the next one has sealed, and leaves it.
    browser.web = processes.bothNext
    expect(await browser.session()).not.toBeNull()
    browser.web = processes.former
    expect(await browser.session()).toBeNull()
    browser.web = processes.bothNext
    expect(await browser.session()).not.toBeNull()
  })
})

describe('require', () => {
  it('gives the session, or what to respond with', async () => {
    const { app, web } = await givenWeb(service())
    const browser = new WebBrowser(web, app.organisation.owner)
    const asked = await web.require(browser.request('/reports?page=2'))
    const login = new URL(locationOf(asked.response as Response))
    expect([asked.response?.status, login.pathname, login.searchParams.get('returnTo')]).toEqual([302, '/auth/login', '/reports?page=2'])
    for (const init of [{ method: 'POST' }, { headers: { 'sec-fetch-mode': 'cors' } }]) {
      const { response } = await web.require(browser.request('/reports', init))
      expect([response?.status, await response?.json()]).toEqual([401, expect.objectContaining({ code: 'sign-in-required' })])
    }
    await browser.open(await browser.pass(locationOf(await browser.open(login.pathname + login.search))))

    const allowed = await web.require(browser.request('/reports'), { permission: ['users:read', 'roles:read'], acr: 'aal1', maxAge: 60 })
    expect([allowed.session?.user.id, allowed.response]).toEqual([app.organisation.owner.id, undefined])
    // As in `@gatehouse-iam/api`, a text may name several.
    const several = await web.require(browser.request('/reports'), { permission: 'users:read roles:read', acr: 'phrh aal1' })
    expect(several.session?.user.id).toBe(app.organisation.owner.id)
    for (const permission of [['users:read', 'reports:delete'], 'users:read reports:delete']) {
      const { response } = await web.require(browser.request('/reports'), { permission })
      expect([response?.status, await response?.text()]).toEqual([403, expect.stringContaining('permission reports:delete is')])
    }
  })

  it('reads permissions and levels as `@gatehouse-iam/api` does', async () => {
    const { app, web, network } = await givenWeb(service())
    for (const [needs, has, isEnough] of requirements) {
      network.bend = async (path, send) => {
        const response = await send()
        if (path !== '/oauth2/token') return response
        const { access_token, id_token, ...rest } = (await response.json()) as Record<string, string>
        const given = (token = '') => resigned(service(), token, { claims: { permissions: undefined, acr: undefined, ...has } })
        return Response.json({ ...rest, access_token: await given(access_token), id_token: await given(id_token) })
      }
      const browser = new WebBrowser(web, app.organisation.owner)
      await browser.signIn()
      const { session, response } = await web.require(browser.request('/reports'), needs)
      expect([needs, has, session !== undefined, response === undefined]).toEqual([needs, has, isEnough, isEnough])
    }
  })

  it('asks for a stronger or more recent sign-in, and believes only the issuer', async () => {
    const { browser, owner, web } = await signedIn()
    const { authenticator } = await enrolAuthenticator(owner, service().clock)
    const needs = { acr: 'aal2' }
    const { response } = await web.require(browser.request('/payments'), needs)
    const login = new URL(locationOf(response as Response))
    expect(login.searchParams.get('acr_values')).toBe('aal2')
    const page = new URL(await browser.callback(login.search))
    expect([page.origin, page.pathname]).not.toContain(origin)
    const proven = await browser.issuer?.submit(page.pathname + page.search, { code: authenticator.nextCode() })
    const back = await browser.open(await browser.pass(onwardFrom(proven)))
    expect(locationOf(back)).toBe(`${origin}/payments`)
    expect((await web.require(browser.request('/payments'), needs)).session?.acr).toBe('aal2')

    service().clock.advance({ minutes: 10 })
    const script = await web.require(browser.request('/payments', { headers: { 'sec-fetch-mode': 'cors' } }), { maxAge: 300 })
    expect([script.response?.status, await script.response?.json()]).toEqual([
      403,
      expect.objectContaining({ code: 'insufficient-user-authentication' }),
    ])
    const recent = await web.require(browser.request('/payments'), { maxAge: 300 })
    expect(new URL(locationOf(recent.response as Response)).searchParams.get('max_age')).toBe('300')
  })

  it.each([
    ['maxAge 0', 0, 0],
    ['maxAge 10 at a clock that is 20 s ahead', 10, 20_000],
  ])('is content with a sign-in that was just made for it: %s', async (_, maxAge, ahead) => {
    const here = () => clock() + ahead
    const { browser, owner, web } = await signedIn({ options: { clock: here } })
    service().clock.advance({ minutes: 10 })
    const required = () => web.require(browser.request('/payments'), { maxAge })
    const login = new URL(locationOf((await required()).response as Response))
    const page = new URL(await browser.callback(login.search))
    const signedInAgain = await browser.issuer?.submit(page.pathname + page.search, { email: owner.email, password: owner.password })
    service().clock.advance({ seconds: 1 })
    const back = await browser.open(await browser.pass(onwardFrom(signedInAgain)))
    expect(locationOf(back)).toBe(`${origin}/payments`)

    service().clock.advance({ seconds: 2 })
    expect((await required()).session?.user.id).toBe(owner.id)
    // A stricter age was not asked for, and no sign-in is new for long.
    const stricter = await web.require(browser.request('/payments'), { maxAge: maxAge - 1 })
    expect(stricter.response?.status).toBe(302)
    service().clock.advance({ minutes: 1 })
    expect((await required()).response?.status).toBe(302)
  })
})

describe('back-channel logout', () => {
  const event = { 'http://schemas.openid.net/event/backchannel-logout': {} }
  const logoutToken = (accessToken: string, claims: Record<string, unknown>) => {
    const now = Math.floor(clock() / 1_000)
    return resigned(service(), accessToken, {
      header: { typ: 'logout+jwt' },
      claims: { iat: now, exp: now + 120, events: event, jti: crypto.randomUUID(), sub: undefined, ...claims },
    })
  }
  const send = (web: WebApplication['web'], token: string) =>
    web.handle(new Request(`${origin}/auth/backchannel-logout`, { method: 'POST', body: new URLSearchParams({ logout_token: token }) }))

  it('ends the session, or all of the user, also while it is being refreshed', async () => {
    const { browser, owner, process, web, network, app } = await signedIn(storing())
    const other = new WebBrowser(process(), owner)
    await other.signIn()
    const elsewhere = new WebBrowser(web, await service().given.signIn(owner.email))
    await elsewhere.signIn()
    const session = await browser.session()
    if (!session) throw new Error('There is no session')
    const accessToken = session.accessToken()
    const bySession = await logoutToken(accessToken, { aud: app.id, sid: session.user.claims.sid })
    const ended = await send(web, bySession)
    expect([ended?.status, ended?.headers.get('cache-control'), await ended?.text()]).toEqual([200, 'no-store', ''])
    expect([await browser.session(), await other.session(), (await elsewhere.session())?.user.id]).toEqual([null, null, owner.id])

    // It counts once: a copy does not end a session that has begun since.
    service().clock.advance({ minutes: 60 })
    const byUser = await logoutToken(accessToken, { aud: app.id, sub: owner.id })
    let release: (() => void) | undefined
    network.bend = async (path, send) => {
      const response = await send()
      if (path === '/oauth2/token') await new Promise<void>((resolve) => (release = resolve))
      return response
    }
    const refreshing = elsewhere.session()
    await expect.poll(() => release).toBeDefined()
    expect((await send(web, byUser))?.status).toBe(200)
    network.bend = undefined
    release?.()
    expect(await refreshing).toBeNull()
    const again = new WebBrowser(web, await service().given.signIn(owner.email))
    await again.signIn()
    expect((await send(web, byUser))?.status).toBe(200)
    expect(await again.session()).not.toBeNull()
  })

  it('ends the session when the issuer repeats a token at which the store has failed', async () => {
    const sessionStore = memoryStore({ clock })
    const { browser, web, app } = await signedIn({ options: { sessionStore } })
    const session = await browser.session()
    if (!session) throw new Error('There is no session')
    const token = await logoutToken(session.accessToken(), { aud: app.id, sid: session.user.claims.sid })
    const { deleteOf } = sessionStore
    sessionStore.deleteOf = () => Promise.reject(new Error('the store is away'))
    await expect(send(web, token)).rejects.toThrow('the store is away')
    sessionStore.deleteOf = deleteOf
    expect(await browser.session()).not.toBeNull()

    expect((await send(web, token))?.status).toBe(200)
    expect(await browser.session()).toBeNull()
  })

  it('asks an issuer that is busy for its keys once a second, however many tokens come', async () => {
    const { browser, web, app, network } = await signedIn(storing())
    const accessToken = (await browser.session())?.accessToken() ?? ''
    const token = await logoutToken(accessToken, { aud: app.id, sub: 'usr_other' })
    const unknown = await resigned(service(), token, { header: { typ: 'logout+jwt', kid: 'unknown' } })
    const began = Date.now()
    const time = vi.spyOn(Date, 'now')
    onTestFinished(() => time.mockRestore())
    network.bend = (path, send) => (path === '/oauth2/jwks.json' ? new Response('busy', { status: 503 }) : send())
    const fetched = () => network.paths.filter((path) => path === '/oauth2/jwks.json').length
    const before = fetched()
    for (const [after, more] of [
      [2_000, 1],
      [2_500, 1],
      [3_000, 2],
    ] as const) {
      time.mockReturnValue(began + after)
      for (let sent = 0; sent < 10; sent++) expect((await send(web, unknown))?.status).toBe(503)
      expect([after, fetched() - before]).toEqual([after, more])
    }
    // What the copy has is checked meanwhile.
    expect((await send(web, token))?.status).toBe(200)
    network.bend = undefined
    expect((await send(web, unknown))?.status).toBe(503)
    time.mockReturnValue(began + 4_000)
    expect((await send(web, unknown))?.status).toBe(400)
  })

  it('asks a busy issuer once a second also before it has its keys, which it reads again after five minutes', async () => {
    const { browser, app, network, process } = await signedIn(storing())
    const accessToken = (await browser.session())?.accessToken() ?? ''
    const token = () => logoutToken(accessToken, { aud: app.id, sub: 'usr_other' })
    const fresh = process(storing().options)
    const began = Date.now()
    const time = vi.spyOn(Date, 'now')
    onTestFinished(() => time.mockRestore())
    network.bend = (path, send) => (path === '/oauth2/jwks.json' ? new Response('busy', { status: 503 }) : send())
    network.paths.length = 0
    const fetched = () => network.paths.filter((path) => path === '/oauth2/jwks.json').length
    for (const [after, expected] of [
      [0, 1],
      [999, 1],
      [1_000, 2],
    ] as const) {
      time.mockReturnValue(began + after)
      for (let sent = 0; sent < 10; sent++) expect((await send(fresh, await token()))?.status).toBe(503)
      expect([after, fetched()]).toEqual([after, expected])
    }
    network.bend = undefined
    for (const [after, expected] of [
      [2_000, 3],
      [301_999, 3],
      [302_000, 4],
    ] as const) {
      time.mockReturnValue(began + after)
      expect([(await send(fresh, await token()))?.status, fetched()]).toEqual([200, expected])
    }
  })

  it('says that it needs a store, and refuses what is no logout token', async () => {
    const { browser, web, app, process, network } = await signedIn()
    const session = await browser.session()
    if (!session) throw new Error('There is no session')
    const accessToken = session.accessToken()
    const without = await send(web, await logoutToken(accessToken, { aud: app.id, sub: session.user.id }))
    expect([without?.status, await without?.json()]).toEqual([501, expect.objectContaining({ code: 'no-session-store' })])
    const stored = process(storing().options)
    network.isGone = true
    expect((await send(stored, await logoutToken(accessToken, { aud: app.id, sub: session.user.id })))?.status).toBe(503)
    network.isGone = false
    // It is asked for its keys again after a second.
    const time = vi.spyOn(Date, 'now')
    onTestFinished(() => time.mockRestore())
    time.mockReturnValue(Date.now() + 1_000)
    const right = { aud: app.id, sub: session.user.id }
    const now = Math.floor(clock() / 1_000)
    const wrong: Record<string, unknown>[] = [
      { aud: 'cli_other' },
      { aud: undefined },
      { iss: 'https://other.example.test' },
      { sub: undefined },
      { sub: 7 },
      { sid: '' },
      { nonce: 'a' },
      { events: {} },
      { events: undefined },
      { events: { 'http://schemas.openid.net/event/backchannel-logout': 'yes' } },
      { jti: undefined },
      { iat: undefined },
      { exp: undefined },
      { iat: now - 400 },
      { iat: now + 60 },
      { exp: now - 60 },
      { exp: 'never' },
      { aud: ['cli_other', 'cli_third'] },
      { aud: { 0: app.id } },
      { iss: `${issuer}/` },
      { events: [event] },
      { events: { 'HTTP://schemas.openid.net/event/backchannel-logout': {} } },
      { sub: undefined, sid: ['a'] },
      { sub: '' },
      { jti: 7 },
    ]
    for (const claims of wrong) {
      const refused = await send(stored, await logoutToken(accessToken, { ...right, ...claims }))
      expect([claims, refused?.status]).toEqual([claims, 400])
    }
    const whole = await logoutToken(accessToken, right)
    const others = [
      { header: { typ: 'JWT' } },
      { header: { typ: 'at+jwt' } },
      { signature: 'broken' },
      { signature: 'none' },
      { signature: 'unknown key' },
    ] as const
    for (const way of others) expect((await send(stored, await resigned(service(), whole, way)))?.status).toBe(400)
    for (const text of ['', 'a.b.c', 'a'.repeat(100_000)]) expect((await send(stored, text))?.status).toBe(400)
    expect((await send(stored, whole))?.status).toBe(200)
  })
})

describe('options that cannot work', () => {
  const right: WebOptions = {
    issuer: 'https://id.example.test',
    clientId: 'cli',
    clientSecret: 's',
    redirectUri: `${origin}/auth/callback`,
    cookieSecret,
  }
  it.each([
    ['a short cookie secret', { cookieSecret: 'short' }],
    ['no cookie secret', { cookieSecrets: [], cookieSecret: undefined }],
    ['neither secret nor key', { clientSecret: undefined }],
    ['secret and key', { privateKey: { kty: 'OKP', d: 'a' } }],
    ['a public key', { clientSecret: undefined, privateKey: { kty: 'OKP' } }],
    ['http elsewhere', { redirectUri: 'http://app.example.test/auth/callback' }],
    ['an issuer by http', { issuer: 'http://id.example.test' }],
    ['no address', { redirectUri: '/auth/callback' }],
    ['a session without length', { sessionSeconds: 0 }],
    ['a session without end', { sessionSeconds: Number.POSITIVE_INFINITY }],
    ['a name that is none', { cookieName: 'a; b' }],
    ['another end of the address', { redirectUri: `${origin}/auth/back` }],
  ])('%s stops the start', (_, wrong) => {
    expect(() => createWeb({ ...right, ...wrong } as WebOptions)).toThrow(TypeError)
  })
})

describe('toNode', () => {
  const servers: { close(): unknown }[] = []
  afterAll(() => Promise.all(servers.map((server) => server.close())))
  const origins: Record<string, string> = {}
  /** What handlers without a next one have failed with. */
  const failures: unknown[] = []
  const onError = (error: unknown) => void failures.push(error)

  async function listening(handler: unknown): Promise<string> {
    const server = createServer(handler as never)
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    servers.push(server)
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  }

  /** Sends bytes as they are. @returns the first line of the response, once it has come */
  const sendRaw = (to: string | undefined, text: string) =>
    new Promise<string>((resolve, reject) => {
      const socket = connect(Number(new URL(to ?? '').port), '127.0.0.1', () => socket.write(text))
      socket.once('data', (data) => resolve(String(data).split('\r\n')[0] ?? '')).once('error', reject)
      onTestFinished(() => void socket.destroy())
    })

  beforeAll(async () => {
    const { web } = await givenWeb(service())
    const onExpress = express()
    onExpress.use('/late', toNode(web.handle), express.json(), (request, response) => void response.json(request.body))
    onExpress.use(express.urlencoded(), express.json(), express.text(), express.raw())
    onExpress.use(toNode(web.handle))
    onExpress.use(
      '/inner',
      toNode(async (request) => Response.json({ path: new URL(request.url).pathname, body: await request.text() })),
    )
    onExpress.use((_, response) => void response.status(418).end())
    const onFastify = fastify()
    onFastify.addHook('onRequest', (request, reply, done) => void toNode(web.handle)(request.raw, reply.raw, done))
    onFastify.get('/elsewhere', { schema: { hide: true } as object }, async (_, reply) => reply.code(418).send())
    onFastify.post('/late', { schema: { hide: true } as object }, async ({ body }) => body)
    await onFastify.ready()
    const plain = toNode(web.handle, { onError })
    for (const [name, handler] of Object.entries({ express: onExpress, fastify: onFastify.routing, plain }))
      origins[name] = await listening(handler)
  })

  it.each(['express', 'fastify', 'plain'])('serves what the package serves on %s, and leaves the rest', async (framework) => {
    const login = await fetch(`${origins[framework]}/auth/login`, { redirect: 'manual' })
    expect([login.status, login.headers.getSetCookie().length]).toEqual([302, 1])
    const logout = await fetch(`${origins[framework]}/auth/logout`, {
      method: 'POST',
      body: new URLSearchParams({ a: 'b' }),
      redirect: 'manual',
    })
    expect([logout.status, locationOf(logout)]).toEqual([303, `${origin}/`])
    const token = new URLSearchParams({ logout_token: 'a' })
    expect((await fetch(`${origins[framework]}/auth/backchannel-logout`, { method: 'POST', body: token })).status).toBe(501)
    expect((await fetch(`${origins[framework]}/elsewhere`)).status).toBe(framework === 'plain' ? 404 : 418)
    expect((await fetch(`${origins[framework]}//evil.example.test/auth/login`)).status).toBe(404 + (framework === 'express' ? 14 : 0))
  })

  it.each(['evil.test/auth/login?', 'evil.test/auth/login#', 'evil.test\\auth\\login?', 'evil.test?', 'anna:secret@evil.test', '?', 'a b'])(
    'takes the path of a request from nothing else, such as its host: %s',
    async (host) => {
      const answer = await new Promise<string>((resolve, reject) => {
        const sent = httpRequest(`${origins.express}/inner/page?a=b`, { headers: { host } }, (response) => {
          let text = ''
          response.on('data', (chunk) => (text += chunk)).on('end', () => resolve(text))
        })
        sent.on('error', reject).end()
      })
      expect(JSON.parse(answer)).toEqual({ path: '/inner/page', body: '' })
    },
  )

  it.each(['express', 'fastify', 'plain'])('refuses an address with a user name or a password on %s', async (framework) => {
    for (const address of ['http://anna@c/auth/login', 'http://anna:secret@c/', 'http://:secret@c/'])
      expect(await sendRaw(origins[framework], `GET ${address} HTTP/1.1\r\nHost: c\r\n\r\n`)).toBe('HTTP/1.1 400 Bad Request')
    expect((await fetch(`${origins[framework]}/auth/login`, { redirect: 'manual' })).status).toBe(302)
  })

  it('serves requests on Node 22.0, which has no `URL.parse`', async () => {
    const parse = vi.spyOn(URL, 'parse').mockImplementation(() => {
      throw new TypeError('URL.parse is not a function')
    })
    onTestFinished(() => parse.mockRestore())
    const plain = await listening(toNode(async () => new Response('served'), { onError }))
    expect(await (await fetch(plain)).text()).toBe('served')
  })

  it('survives a request that breaks off, and tells why it was not served', async () => {
    failures.length = 0
    const { web } = await givenWeb(service(), storing())
    const plain = await listening(toNode(web.handle, { onError }))
    const sent = httpRequest(`${plain}/auth/backchannel-logout`, { method: 'POST', headers: { 'content-length': 100 } })
    sent.on('error', () => {})
    sent.write('logout_tok', () => sent.destroy())
    await expect.poll(() => failures).toEqual([expect.objectContaining({ message: 'aborted' })])
    expect((await fetch(`${plain}/auth/login`, { redirect: 'manual' })).status).toBe(302)
  })

  it('responds by itself where a handler fails and there is no next one', async () => {
    failures.length = 0
    const broken = (read: (controller: ReadableStreamDefaultController<Uint8Array>) => void) =>
      new Response(new ReadableStream({ pull: read }), { headers: { 'content-length': '1000', 'x-of': 'orders' } })
    const failure = new Error('the orders are away')
    const handler = async ({ url }: Request): Promise<Response> => {
      const { pathname } = new URL(url)
      if (pathname === '/throws') throw failure
      if (pathname === '/nothing') return Response.error()
      let chunks = pathname === '/breaks' ? 1 : 0
      return broken((controller) => (chunks-- > 0 ? controller.enqueue(new Uint8Array([97])) : controller.error(failure)))
    }
    const plain = await listening(toNode(handler, { onError }))
    for (const path of ['/throws', '/breaks-at-once', '/nothing']) {
      const failed = await fetch(plain + path)
      expect([failed.status, failed.headers.get('x-of'), await failed.text()]).toEqual([500, null, ''])
    }
    // What has begun cannot look complete.
    await expect((await fetch(`${plain}/breaks`)).text()).rejects.toThrow('terminated')
    expect(failures).toEqual([failure, failure, expect.objectContaining({ code: 'ERR_HTTP_INVALID_STATUS_CODE' }), failure])

    const heard: unknown[] = []
    const onExpress = express()
    onExpress.use(toNode(handler, { onError }))
    onExpress.use((error: unknown, _request: unknown, response: express.Response, _next: unknown) => {
      heard.push(error)
      if (!response.headersSent) response.status(503).end()
    })
    const withNext = await listening(onExpress)
    expect((await fetch(`${withNext}/throws`)).status).toBe(503)
    await expect((await fetch(`${withNext}/breaks`)).text()).rejects.toThrow('terminated')
    expect([heard, failures.length]).toEqual([[failure, failure], 4])
  })

  it.each(['express', 'fastify'])('leaves the body to the handlers that follow on %s', async (framework) => {
    const body = JSON.stringify({ text: 'a'.repeat(100_000) })
    const posted = await fetch(`${origins[framework]}/late`, { method: 'POST', headers: { 'content-type': 'application/json' }, body })
    expect(await posted.text()).toBe(body)
  })

  it.each([
    ['application/x-www-form-urlencoded', 'a=b+c&d=1&d=2'],
    ['application/json', '{"a":{"b":["c"]}}'],
    ['application/merge-patch+json', '{"a":null}'],
    ['text/plain', 'a=b'],
    ['application/octet-stream', 'a'],
    ['application/x-www-form-urlencoded', ''],
  ])('passes on the whole path and the body that a parser has read: %s %j', async (type, body) => {
    const posted = await fetch(`${origins.express}/inner/page`, { method: 'POST', headers: { 'content-type': type }, body })
    expect(await posted.json()).toEqual({ path: '/inner/page', body })
  })
})

it('the first example of the README runs', async () => {
  const app = await givenApplication(service(), { redirectUris: ['http://localhost:4000/auth/callback'] })
  const readme = await readFile('packages/web/README.md', 'utf8')
  const [, example = ''] = /```ts\n(.*?)```/s.exec(readme) ?? []
  const listening = await freePort()
  const code = example
    .replace(`'@gatehouse-iam/web'`, `'${resolve('packages/web/src/index.ts')}'`)
    .replace(`'http://localhost:3000'`, `'${issuer}'`)
    .replace('cli_…', app.id)
    .replace('the secret of the client', app.secret ?? '')
    .replaceAll('4000', String(listening))
  // Inside the project, so that the code finds its packages.
  await mkdir('coverage', { recursive: true })
  const folder = await mkdtemp(join('coverage', 'web-'))
  await writeFile(join(folder, 'app.ts'), code)
  const program = spawn(process.execPath, [join(folder, 'app.ts')], { stdio: 'ignore' })
  onTestFinished(async () => {
    program.kill()
    await rm(folder, { recursive: true })
  })
  const at = `http://localhost:${listening}`
  await expect
    .poll(() =>
      fetch(at).then(
        (answer) => answer.text(),
        () => '',
      ),
    )
    .toContain('/auth/login')
  // It is no page load.
  expect((await fetch(`${at}/reports`)).status).toBe(401)
  expect(locationOf(await fetch(`${at}/auth/login`, { redirect: 'manual' }))).toContain(`${issuer}/oauth2/authorize`)
})

it('logs no token, no code and no secret', () => {
  expect(logged.length).toBeGreaterThan(5)
  expect(logged.join('\n')).not.toMatch(/eyJ|rt_|code=|state=/)
})
