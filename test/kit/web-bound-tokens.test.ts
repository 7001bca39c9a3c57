/** `@gatehouse-iam/web` with tokens that are bound to a key, and with pushed requests, at the real service. */
import { createServer, type Server } from 'node:http'
import express from 'express'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createVerifier, type Verifier } from '../../packages/api/src/index.ts'
import { memoryStore } from '../../packages/web/src/index.ts'
import { newProofKey } from '../../packages/web/src/proof-key.ts'
import { sealerOf } from '../../packages/web/src/sealed.ts'
import { clientKey } from '../support/client-keys.ts'
import { freePort } from '../support/free-port.ts'
import { claimsOf } from '../support/oauth.ts'
import { resourceServer } from '../support/resource-servers.ts'
import { useService } from '../support/service.ts'
import { cookieSecret, givenWeb, locationOf, logged, resigned, WebBrowser } from '../support/web-application.ts'

const port = await freePort()
const issuer = `http://127.0.0.1:${port}`
const service = useService({
  environment: {
    PORT: String(port),
    PUBLIC_URL: issuer,
    OAUTH_EXTENSIONS: 'dpop,par,private_key_jwt,resource_indicators',
    DPOP_NONCE: 'required',
  },
})
const clock = () => service().clock.now().getTime()

let api: string
let verifier: Verifier
/** What the API was sent. */
const received: { method: string; authorization: string | undefined; status: number }[] = []
const servers: Server[] = []
beforeAll(async () => {
  const apiPort = await freePort()
  api = `http://127.0.0.1:${apiPort}`
  const app = express()
  app.use((request, response, next) => {
    const { method, headers } = request
    response.on('finish', () => received.push({ method, authorization: headers.authorization, status: response.statusCode }))
    next()
  })
  app.get('/moved', (_, response) => response.redirect(307, 'https://elsewhere.example.test/orders'))
  app.get('/never', (_, response) => {
    response.set('DPoP-Nonce', 'another').set('WWW-Authenticate', 'DPoP error="use_dpop_nonce"').status(401).end()
  })
  app.use((request, response, next) => verifier.forExpress({ scope: 'orders:read' })(request, response, next))
  app.all('/orders', express.json(), (request, response) => void response.json(request.body ?? request.auth?.organisationId))
  const server = createServer(app)
  await new Promise<void>((resolve) => server.listen(apiPort, '127.0.0.1', resolve))
  servers.push(server)
})
afterAll(() => Promise.all(servers.map((server) => new Promise((resolve) => server.close(resolve)))))

type Given = Parameters<typeof givenWeb>[1]

/** An application that binds its tokens, with an API that demands it. Each has its own, since a session at the service ends when time passes. */
async function bound({ options, ...registration }: NonNullable<Given> = {}): Promise<Given> {
  const organisation = await service().given.organisation()
  const { id, identifier } = await resourceServer(organisation.owner, { requireDpop: true })
  const secret = 'a secret of the API with 32 characters'
  verifier = createVerifier({ issuer, audience: identifier, clock, dpop: 'required', baseUrl: api, dpopNonceSecret: secret })
  return {
    organisation,
    scopes: ['orders:read'],
    resourceServerIds: [id],
    ...registration,
    options: { scope: 'openid offline_access orders:read', resource: identifier, dpop: true, ...options },
  }
}

async function signedIn(given: Given | Promise<Given> = bound()) {
  const application = await givenWeb(service(), await given)
  const browser = new WebBrowser(application.web, application.app.organisation.owner)
  await browser.signIn()
  return { ...application, browser }
}

const keyOf = async (browser: WebBrowser): Promise<string | undefined> => {
  const session = await browser.session()
  return claimsOf(session?.accessToken() ?? expect.fail('There is no session')).cnf?.jkt
}

describe('a session whose tokens are bound', () => {
  it('calls an API with proofs, which learns the nonce of the API once', async () => {
    const { browser, app } = await signedIn(bound({ requireDpop: true }))
    const session = await browser.session()
    received.length = 0

    const read = await session?.fetch(`${api}/orders?page=2`)
    expect([read?.status, await read?.json()]).toEqual([200, app.organisation.id])
    const written = await session?.fetch(new URL('/orders', api), {
      method: 'POST',
      body: JSON.stringify({ pieces: 7 }),
      headers: { 'content-type': 'application/json' },
    })
    expect(await written?.json()).toEqual({ pieces: 7 })

    const authorization = `DPoP ${session?.accessToken()}`
    expect(received).toEqual([
      { method: 'GET', authorization, status: 401 },
      { method: 'GET', authorization, status: 200 },
      { method: 'POST', authorization, status: 200 },
    ])
    const stolen = await fetch(`${api}/orders`, { headers: { authorization: `Bearer ${session?.accessToken()}` } })
    expect(stolen.status).toBe(401)
  })

  it('begins with a nonce that the issuer has told once, and leaves no refusals to the administrators', async () => {
    const { app, web, network } = await givenWeb(service(), await bound())
    const { owner } = app.organisation
    for (let times = 0; times < 2; times++) await new WebBrowser(web, owner).signIn()
    expect(network.paths.filter((path) => path === '/oauth2/token')).toHaveLength(3)
    expect((await owner.get('/v1/admin/diagnostics')).body.data).toEqual([])
  })

  it('sends the body again with a request that lacked the nonce', async () => {
    const { browser } = await signedIn()
    const session = await browser.session()
    const request = new Request(`${api}/orders`, { method: 'PUT', body: '{"pieces":8}', headers: { 'content-type': 'application/json' } })
    expect(await (await session?.fetch(request))?.json()).toEqual({ pieces: 8 })
  })

  it('gives up when an API is content with no nonce, and follows no redirect', async () => {
    const { browser } = await signedIn()
    const session = await browser.session()
    received.length = 0
    expect((await session?.fetch(`${api}/never`))?.status).toBe(401)
    expect(received).toHaveLength(2)
    expect((await session?.fetch(`${api}/moved`))?.status).toBe(307)
  })

  it.each([
    ['in cookies', () => ({})],
    ['in a store', () => ({ sessionStore: memoryStore({ clock }) })],
  ])('has a key of its own, %s, which a refresh does not change', async (_, options) => {
    const { browser, app, web, process } = await signedIn(bound({ options: options() }))
    const other = new WebBrowser(web, app.organisation.owner)
    await other.signIn()
    const key = await keyOf(browser)
    expect(key).toMatch(/^[\w-]{43}$/)
    expect(await keyOf(other)).not.toBe(key)

    const before = (await browser.session())?.accessToken()
    service().clock.advance({ minutes: 61 })
    browser.web = process()
    const session = await browser.session()
    expect(session?.accessToken()).not.toBe(before)
    expect(await keyOf(browser)).toBe(key)
    expect((await session?.fetch(`${api}/orders`))?.status).toBe(200)
  })

  it('gets a key with its next refresh when the application begins to bind tokens, and loses none when it ceases to', async () => {
    const { browser, process } = await signedIn({})
    expect(await keyOf(browser)).toBeUndefined()
    service().clock.advance({ minutes: 61 })
    browser.web = process({ dpop: true })
    const key = await keyOf(browser)
    expect(key).toMatch(/^[\w-]{43}$/)
    service().clock.advance({ minutes: 61 })
    browser.web = process({ dpop: false })
    expect(await keyOf(browser)).toBe(key)
  })

  it('binds the code to its key already, also where the issuer is away at first', async () => {
    const { app, web, network } = await givenWeb(service(), await bound())
    const browser = new WebBrowser(web, app.organisation.owner)
    const address = new URL(locationOf(await browser.open('/auth/login')))
    const jkt = address.searchParams.get('dpop_jkt')
    expect(jkt).toMatch(/^[\w-]{43}$/)
    const callback = await browser.pass(address.href)
    network.isGone = true
    expect((await browser.open(callback)).status).toBe(503)
    network.isGone = false
    expect((await browser.open(callback)).status).toBe(303)
    expect(await keyOf(browser)).toBe(jkt)
  })

  it.each([
    ['by the browser', {}],
    ['from server to server', { pushedRequests: true }],
  ])('has a code, asked for %s, that is of no use with another key', async (_, options) => {
    const { app, web, process } = await givenWeb(service(), await bound({ options }))
    const browser = new WebBrowser(web, app.organisation.owner)
    const callback = await browser.callback()
    // The thief has the code and its verifier.
    const thief = browser.copy(process())
    const sealer = sealerOf([cookieSecret], `${issuer} ${app.id}`)
    for (const name of browser.namesOf('attempt')) {
      const attempt = await sealer.unseal<object>('attempt', browser.cookies.get(name) ?? '')
      thief.cookies.set(name, await sealer.seal('attempt', { ...attempt?.value, proofKey: await newProofKey() }))
    }
    const refused = await thief.open(callback)
    const reference = /<code>([a-z0-9-]{14})<\/code>/.exec(await refused.text())?.[1]
    expect(refused.status).toBe(403)
    const diagnosed = await app.organisation.owner.get(`/v1/admin/diagnostics/${reference}`)
    expect(diagnosed.body).toMatchObject({ endpoint: 'token', check: 'dpop_jkt' })
  })

  it('is begun in several tabs at once, whose cookies still fit the header of a request', async () => {
    const { app, web } = await givenWeb(service(), await bound())
    const browser = new WebBrowser(web, app.organisation.owner)
    const callbacks: string[] = []
    for (let tab = 0; tab < 12; tab++) callbacks.push(await browser.callback())
    const length = [...browser.cookies].reduce((sum, [name, value]) => sum + name.length + value.length, 0)
    expect([browser.namesOf('attempt').length >= 5, length < 5_500]).toEqual([true, true])
    expect((await browser.open(callbacks.at(-1) ?? '')).status).toBe(303)
  })

  it.each([
    ['bound to nothing', undefined],
    ['bound to another key', { jkt: '0ZcOCORZNYy-DWpqq30jZyJGHTN0d2HglBV3uiguA4I' }],
  ])('does not begin with a token that is %s', async (_, cnf) => {
    const { app, web, network } = await givenWeb(service(), await bound())
    const browser = new WebBrowser(web, app.organisation.owner)
    network.bend = async (path, send) => {
      const response = await send()
      if (path !== '/oauth2/token' || !response.ok) return response
      const body = (await response.json()) as { access_token: string }
      const access_token = await resigned(service(), body.access_token, { claims: { cnf } })
      return Response.json({ ...body, access_token }, { headers: { 'cache-control': 'no-store' } })
    }
    const refused = await browser.open(await browser.callback())
    expect([refused.status, browser.namesOf('session')]).toEqual([400, []])
    expect(logged.at(-1)).toContain('invalid-response')
  })
})

describe('a session whose tokens are not bound', () => {
  it('calls an API with a bearer token', async () => {
    const { browser } = await signedIn({})
    const session = await browser.session()
    received.length = 0
    await session?.fetch(`${api}/moved`, { headers: { authorization: 'Basic YTpi' } })
    expect(received).toEqual([{ method: 'GET', authorization: `Bearer ${session?.accessToken()}`, status: 307 }])
  })

  it('calls no API once its token has expired and the issuer is away', async () => {
    const { browser, network } = await signedIn({})
    network.isGone = true
    service().clock.advance({ minutes: 61 })
    await expect((await browser.session())?.fetch(`${api}/moved`)).rejects.toMatchObject({ code: 'issuer-unavailable' })
  })
})

describe('a pushed request', () => {
  it('begins a sign-in whose parameters the browser does not see', async () => {
    const { app, web } = await givenWeb(service(), {
      requirePushedAuthorizationRequests: true,
      options: { pushedRequests: true },
    })
    const browser = new WebBrowser(web, app.organisation.owner)
    const address = new URL(locationOf(await browser.open('/auth/login?login_hint=anna@acme.test&returnTo=/orders')))
    expect([...address.searchParams.keys()].toSorted()).toEqual(['client_id', 'request_uri'])
    const back = await browser.open(await browser.pass(address.href))
    expect(locationOf(back)).toMatch(/\/orders$/)
    expect(await browser.session()).toMatchObject({ user: { id: app.organisation.owner.id } })
  })

  it('is made without the option where the issuer requires it of every client', async () => {
    const { app, web, network } = await givenWeb(service())
    network.bend = async (path, send) => {
      const response = await send()
      if (!path.startsWith('/.well-known/')) return response
      return Response.json({ ...((await response.json()) as object), require_pushed_authorization_requests: true })
    }
    const browser = new WebBrowser(web, app.organisation.owner)
    await browser.signIn()
    expect(network.paths).toContain('/oauth2/par')
  })

  it('that the issuer refuses leads to a page with the reference of the diagnostics', async () => {
    const options = { pushedRequests: true, resource: 'https://api.example.test/unknown' }
    const { app, web } = await givenWeb(service(), { options })
    const refused = await new WebBrowser(web, app.organisation.owner).open('/auth/login')
    const reference = /<code>([a-z0-9-]{14})<\/code>/.exec(await refused.text())?.[1]
    expect(refused.status).toBe(403)
    expect(await app.organisation.owner.get(`/v1/admin/diagnostics/${reference}`)).toMatchObject({ status: 200 })
  })

  /** An application of the FAPI 2.0 Security Profile. */
  async function fapi(registration: Given = {}): Promise<Given> {
    const key = await clientKey('ES256', 'own')
    return bound({
      profile: 'fapi2',
      tokenEndpointAuthMethod: 'private_key_jwt',
      jwks: { keys: [key.publicKey] },
      options: { privateKey: key.whole, pushedRequests: true },
      ...registration,
    })
  }

  it('signs in, with a key and bound tokens, an application of the FAPI 2.0 Security Profile', async () => {
    const { browser } = await signedIn(fapi())
    const former = await keyOf(browser)
    service().clock.advance({ minutes: 61 })
    expect(await keyOf(browser)).toBe(former)
    expect((await (await browser.session())?.fetch(`${api}/orders`))?.status).toBe(200)
  })

  it('refreshes such a session, whose refresh token stays the same, whenever its access token is due', async () => {
    const { browser, web, network } = await signedIn(fapi({ accessTokenLifetime: 30 }))
    const seen = new Set<string | undefined>()
    for (let step = 0; step < 5; step++) {
      service().clock.advance({ seconds: 25 })
      const before = network.paths.filter((path) => path === '/oauth2/token').length
      const late = browser.copy(web)
      const tokens = [await browser.session(), await late.session()].map((session) => session?.accessToken())
      // A request that was sent with the former cookie gets what the first one has brought.
      expect([tokens[1], network.paths.filter((path) => path === '/oauth2/token').length - before]).toEqual([tokens[0], 1])
      seen.add(tokens[0])
    }
    expect(seen.size).toBe(5)
  })
})
