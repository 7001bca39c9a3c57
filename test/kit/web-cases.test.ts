/** The ten cases of docs/testing.md by `@gatehouse-iam/web`, and logout tokens that are wrong. */
import { readFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { resolve } from 'node:path'
import process from 'node:process'
import { Secret, TOTP } from 'otpauth'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { createVerifier } from '../../packages/api/src/index.ts'
import { type Bend, type Client, type Gatehouse, startGatehouse, type User } from '../../packages/testing/src/index.ts'
import { createWeb, memoryStore, toNode, type Web, type WebOptions } from '../../packages/web/src/index.ts'
import { builtService } from '../support/built-service.ts'
import { PageVisitor } from '../support/page-visitor.ts'

let gatehouse: Gatehouse
beforeAll(async () => {
  gatehouse = await startGatehouse({
    command: [process.execPath, builtService],
    env: { XDG_CACHE_HOME: resolve('node_modules/.cache'), OAUTH_EXTENSIONS: 'backchannel_logout,step_up' },
  })
})
afterAll(() => gatehouse?.stop())

// The application under test: it has a session for its user.
const webOf = (client: Client, options: Partial<WebOptions> = {}) =>
  createWeb({
    issuer: gatehouse.url,
    clientId: client.id,
    clientSecret: client.secret ?? '',
    redirectUri: client.redirectUris[0] ?? '',
    cookieSecret: 'at least 32 random characters of the tests',
    clock: gatehouse.clock.now,
    ...options,
  })

/** A browser without a window, whose user is signed in to Gatehouse. */
async function browserOf(user: User, web: Web, cookies = new Map<string, string>()) {
  const { cookie, csrfToken } = await gatehouse.session(user)
  const request = (path: string) =>
    new Request(new URL(path, app), {
      headers: { accept: 'text/html', cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join('; ') },
    })
  const store = (headers: Headers) => {
    for (const line of headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? []
      cookies.set(name, value)
    }
  }
  const open = async (path: string) => {
    const response = (await web.handle(request(path))) ?? new Response(null, { status: 404 })
    store(response.headers)
    return response
  }
  return {
    cookies,
    request,
    open,
    issuerSession: { cookie, csrfToken },
    async signIn(path = '/auth/login') {
      const issuer = new PageVisitor(gatehouse.url, `${cookie.name}=${cookie.value}`)
      let address = (await open(path)).headers.get('location') ?? ''
      while (address.startsWith(gatehouse.url) || address.startsWith('/')) {
        const { pathname, search } = new URL(address, gatehouse.url)
        const page = await issuer.open(pathname + search)
        const isAsked = page.body.includes('name="code"')
        const next = isAsked ? await issuer.submit(pathname + search, { code: await gatehouse.totp(user) }) : page
        const refreshed = /content="0;url=([^"]*)"/.exec(next.body)?.[1]?.replaceAll('&amp;', '&')
        address = next.headers.get('location') ?? refreshed ?? ''
      }
      return open(address)
    },
    async session() {
      const { session, headers } = await web.session(request('/'))
      store(headers)
      return session
    },
  }
}

/** A user sets an authenticator app up at Gatehouse, in the session of a browser. */
async function setUpAuthenticator({ issuerSession: { cookie, csrfToken } }: Awaited<ReturnType<typeof browserOf>>) {
  const post = async (path: string, body: object) => {
    const headers = { cookie: `${cookie.name}=${cookie.value}`, 'x-csrf-token': csrfToken, 'content-type': 'application/json' }
    const answer = await fetch(gatehouse.url + path, { method: 'POST', headers, body: JSON.stringify(body) })
    expect([path, answer.status]).toEqual([path, 200])
    return (await answer.json()) as { secret: string }
  }
  const secret = Secret.fromBase32((await post('/v1/me/mfa/enable', {})).secret)
  await post('/v1/me/mfa/verify', { token: new TOTP({ secret }).generate({ timestamp: gatehouse.clock.now() }) })
  // A code counts once.
  await gatehouse.clock.advance({ seconds: 30 })
}

const app = 'https://app.test'
const organisation = (client: Record<string, unknown> = {}) =>
  gatehouse.organisation({
    roles: { clerk: { name: 'Clerk', permissions: ['users:read'] } },
    users: [{ email: 'anna', roles: ['clerk'] }],
    clients: [{ key: 'web', redirectUris: [`${app}/auth/callback`], ...client }],
  })

async function signedIn(options: Partial<WebOptions> = {}) {
  const acme = await organisation()
  const anna = acme.user('anna')
  const client = acme.client('web')
  const web = webOf(client, options)
  const browser = await browserOf(anna, web)
  expect((await browser.signIn()).status).toBe(303)
  return { acme, anna, client, web, browser }
}

describe('a web application', () => {
  it('gets a new token when one expires in the middle', async () => {
    const { client, browser } = await signedIn()
    const former = (await browser.session())?.accessToken()

    await gatehouse.clock.advance({ hours: 2 })

    const token = (await browser.session())?.accessToken() ?? ''
    expect(token).not.toBe(former)
    const api = createVerifier({ issuer: gatehouse.url, audience: client.id, clock: gatehouse.clock.now })
    await api.verify({ headers: { authorization: `Bearer ${token}` } })
  })

  it('signs users in by a new signing key, and keeps the sessions of the former one', async () => {
    const { anna, web, browser } = await signedIn()

    await gatehouse.rotateKeys()

    const other = await browserOf(anna, web)
    // An application may fetch the keys only once a second.
    await expect.poll(async () => (await other.signIn()).status).toBe(303)
    expect(await browser.session()).not.toBeNull()
  })

  it('signs a user out whose refresh token was used twice', async () => {
    const { anna, client, browser } = await signedIn()
    await gatehouse.clock.advance({ hours: 2 })
    const thief = await browserOf(anna, webOf(client), new Map(browser.cookies))
    expect(await thief.session()).not.toBeNull()

    expect(await browser.session()).toBeNull()

    await gatehouse.clock.advance({ hours: 2 })
    expect(await thief.session()).toBeNull()
  })

  it('notices that the user has signed out elsewhere', async () => {
    const { anna, browser } = await withLogout()
    expect(await browser.session()).not.toBeNull()

    await gatehouse.revokeAll(anna)
    await gatehouse.settled()

    expect(await browser.session()).toBeNull()
  })

  it('signs a user out who was blocked, when the session is refreshed', async () => {
    const { anna, browser } = await signedIn()

    await gatehouse.block(anna)

    await gatehouse.clock.advance({ hours: 2 })
    expect(await browser.session()).toBeNull()
  })

  it('asks for a stronger sign-in where one is needed, and continues after it', async () => {
    const { web, browser } = await signedIn()
    await setUpAuthenticator(browser)

    const { response } = await web.require(browser.request('/transfers'), { acr: 'aal2' })

    const back = await browser.signIn(response?.headers.get('location') ?? '')
    expect(back.headers.get('location')).toBe(`${app}/transfers`)
    const required = await web.require(browser.request('/transfers'), { acr: 'aal2' })
    expect(required.session?.can('users:read')).toBe(true)
  })

  it('takes a right away with the role', async () => {
    const { acme, anna, browser } = await signedIn()
    expect((await browser.session())?.can('users:read')).toBe(true)

    const { cookie, csrfToken } = await gatehouse.session(acme.owner)
    const removed = await fetch(`${gatehouse.url}/v1/admin/users/${anna.id}/roles`, {
      method: 'DELETE',
      headers: { cookie: `${cookie.name}=${cookie.value}`, 'x-csrf-token': csrfToken, 'content-type': 'application/json' },
      body: JSON.stringify({ roleId: 'clerk' }),
    })
    expect(removed.ok).toBe(true)

    await gatehouse.clock.advance({ hours: 2 })
    expect((await browser.session())?.can('users:read')).toBe(false)
  })

  it('keeps a session while the token endpoint is away, and refreshes it afterwards', async () => {
    const { browser } = await signedIn()
    await gatehouse.clock.advance({ hours: 2 })
    await gatehouse.fail({ path: '/oauth2/token', method: 'POST', status: 503 })

    const away = await browser.session()
    expect(() => away?.accessToken()).toThrow('cannot be asked')

    await gatehouse.clock.advance({ seconds: 6 })
    expect((await browser.session())?.accessToken()).toBeDefined()
  })

  it('tolerates a clock that is a little ahead, and no token of the future', async () => {
    const { anna, client } = await signedIn({ clock: () => gatehouse.clock.now() - 3_000 })

    await gatehouse.bend({ token: 'id', notYetValid: true })

    const browser = await browserOf(anna, webOf(client))
    expect((await browser.signIn()).status).toBe(400)
    expect(await browser.session()).toBeNull()
  })

  it('refuses an ID token for another application, and an access token of another one', async () => {
    const { anna, client } = await signedIn()
    for (const bend of [
      { token: 'id', audience: 'other' },
      { token: 'access', claims: { client_id: 'other' } },
    ] as const) {
      await gatehouse.bend(bend)

      const browser = await browserOf(anna, webOf(client))

      expect((await browser.signIn()).status).toBe(400)
      expect(await browser.session()).toBeNull()
    }
  })
})

/** A user who is signed in to an application that the service can reach. */
async function withLogout() {
  let handle: Web['handle'] = async () => null
  const server = createServer(toNode((request) => handle(request)))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close())
  const { port } = server.address() as AddressInfo
  const acme = await organisation({ backchannelLogoutUri: `http://127.0.0.1:${port}/auth/backchannel-logout` })
  const anna = acme.user('anna')
  const web = webOf(acme.client('web'), { sessionStore: memoryStore({ clock: gatehouse.clock.now }) })
  const statuses: (number | undefined)[] = []
  const network = { isGone: false }
  handle = async (request) => {
    const response = network.isGone ? new Response(null, { status: 502 }) : await web.handle(request)
    statuses.push(response?.status)
    return response
  }
  const browser = await browserOf(anna, web)
  await browser.signIn()
  return { anna, browser, statuses, network }
}

describe('a logout token', () => {
  it('ends the session that it names, and no other one', async () => {
    const { anna, browser, statuses } = await withLogout()
    const { cookie, csrfToken } = await gatehouse.session(anna)
    const headers = { cookie: `${cookie.name}=${cookie.value}`, 'x-csrf-token': csrfToken }
    expect((await fetch(`${gatehouse.url}/v1/auth/logout`, { method: 'POST', headers })).ok).toBe(true)
    await gatehouse.settled()
    expect(await browser.session()).not.toBeNull()
    await gatehouse.revokeAll(anna)
    await gatehouse.settled()
    expect([await browser.session(), statuses]).toEqual([null, [200]])
  })

  it.each<Omit<Bend, 'token'>>([
    { expired: true },
    { audience: 'other' },
    { issuer: 'https://other.test' },
    { nonce: 'n' },
    { signature: 'broken' },
    { signature: 'none' },
    { signature: 'unknown key' },
    { claims: { events: {} } },
    { claims: { sub: '', sid: '' } },
  ])('that is bent by %o ends nothing', async (way) => {
    const { anna, browser, statuses } = await withLogout()
    await gatehouse.bend({ token: 'logout', ...way })
    await gatehouse.revokeAll(anna)
    await gatehouse.settled()
    expect(statuses).toEqual([400])
    expect(await browser.session()).not.toBeNull()
  })

  it('is sent again to an application that was away, and ends the session then', async () => {
    const { anna, browser, statuses, network } = await withLogout()
    network.isGone = true
    await gatehouse.revokeAll(anna)
    await gatehouse.settled()
    expect(await browser.session()).not.toBeNull()
    network.isGone = false
    await gatehouse.clock.advance({ seconds: 11 })
    expect([await browser.session(), statuses]).toEqual([null, [502, 200]])
  })
})

describe('docs/testing.md', () => {
  it('shows the ten cases of a web application as they run here', async () => {
    const [document, here] = await Promise.all(['docs/testing.md', 'test/kit/web-cases.test.ts'].map((file) => readFile(file, 'utf8')))
    const cases = [...(document ?? '').matchAll(/```ts web case\n(.*?)```/gs)].map(([, code = '']) => code)
    expect(cases).toHaveLength(10)
    expect(cases.map((code) => code.replaceAll(/^(?=.)/gm, '  ')).filter((code) => !here?.includes(code))).toEqual([])
  })
})
