/** `dpop`, as it is, in a page of another origin: what the browser lets the page send and read decides. */
import { readFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { useBrowserAndService } from '../support/browser.ts'
import { claimsOf, givenApplication, type TestApplication } from '../support/oauth.ts'

const { browser, service } = useBrowserAndService({ environment: { OAUTH_EXTENSIONS: 'dpop', DPOP_NONCE: 'required' } })

/** The application: it stores its key in the browser, and repeats a request with the nonce that the answer names, as RFC 9449 §8 says. */
const application = `
import * as DPoP from '/dpop.js'

const stored = () => new Promise((resolve) => {
  const opening = indexedDB.open('application')
  opening.onupgradeneeded = () => opening.result.createObjectStore('keys')
  opening.onsuccess = () => resolve(opening.result.transaction('keys', 'readwrite').objectStore('keys'))
})
const done = (request) => new Promise((resolve) => { request.onsuccess = () => resolve(request.result) })
const base64url = (bytes) => btoa(String.fromCharCode(...bytes)).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '')

let nonce
/** Asks with a proof. What the page could read of each answer is in the result. */
async function ask(method, url, { form, accessToken, scheme = 'DPoP', by, attempts = 2 } = {}) {
  const seen = []
  for (;;) {
    const key = by ?? (await done((await stored()).get('key')))
    const headers = { DPoP: await DPoP.generateProof(key, url, method, nonce, accessToken) }
    if (accessToken) headers.Authorization = scheme + ' ' + accessToken
    const response = await fetch(url, { method, headers, ...(form && { body: new URLSearchParams(form) }) })
    nonce = response.headers.get('DPoP-Nonce') ?? nonce
    const body = await response.json().catch(() => null)
    const challenge = response.headers.get('WWW-Authenticate')
    seen.push({ status: response.status, error: body?.error ?? null, challenge, nonce: response.headers.get('DPoP-Nonce') })
    const wantsNonce = body?.error === 'use_dpop_nonce' || challenge?.includes('error="use_dpop_nonce"')
    if (!wantsNonce || seen.length === attempts) return { seen, body }
  }
}

window.application = {
  ask,
  newKey: (alg) => DPoP.generateKeyPair(alg),
  forgetNonce: () => { nonce = undefined },
  async start(authorizationEndpoint, alg, parameters) {
    const key = await DPoP.generateKeyPair(alg)
    await done((await stored()).put(key, 'key'))
    const verifier = base64url(crypto.getRandomValues(new Uint8Array(32)))
    sessionStorage.setItem('verifier', verifier)
    const challenge = base64url(new Uint8Array(await crypto.subtle.digest('SHA-256', new TextEncoder().encode(verifier))))
    const dpop_jkt = await DPoP.calculateThumbprint(key.publicKey)
    const query = { ...parameters, code_challenge: challenge, code_challenge_method: 'S256', dpop_jkt }
    location.assign(authorizationEndpoint + '?' + new URLSearchParams(query))
  },
}
document.title = 'Ready'
`

const files: Record<string, string> = {
  '/dpop.js': await readFile(new URL(import.meta.resolve('dpop')), 'utf8'),
  '/application.js': application,
}
const server = createServer(({ url = '' }, response) => {
  const script = files[url]
  response.setHeader('content-type', script ? 'text/javascript' : 'text/html')
  response.end(script ?? '<!doctype html><link rel="icon" href="data:,"><script type="module" src="/application.js"></script>')
})
let here: string
beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  // Another site than that of the service.
  here = `http://localhost:${(server.address() as AddressInfo).port}`
})
afterAll(() => new Promise((resolve) => server.close(resolve)))

interface Seen {
  status: number
  error: string | null
  challenge: string | null
  nonce: string | null
}
type Asked = { seen: Seen[]; body: Record<string, string> }

/** Signs the owner in by the pages of the service. @returns what the application was sent back with */
async function signIn(page: Page, app: TestApplication, alg: string): Promise<string> {
  const parameters = { response_type: 'code', client_id: app.id, redirect_uri: `${here}/callback`, scope: 'openid email offline_access' }
  await page.goto(here)
  await page.waitForFunction(`document.title === 'Ready'`)
  const start = `void application.start(${JSON.stringify(`${service().origin}/oauth2/authorize`)}, '${alg}', ${JSON.stringify(parameters)})`
  await Promise.all([page.waitForURL('**/login?**'), page.evaluate(start)])
  await page.getByLabel('E-mail address').fill(app.organisation.owner.email)
  await page.getByLabel('Password', { exact: true }).fill(app.organisation.owner.password)
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.waitForURL(`${here}/callback?**`)
  await page.waitForFunction(`document.title === 'Ready'`)
  return new URL(page.url()).searchParams.get('code') ?? ''
}

it.each(['ES256', 'Ed25519', 'PS256', 'RS256'])(
  'gets tokens for a key of %s by code, refreshes them and reads UserInfo, and a page without the key does not',
  async (alg) => {
    const app = await givenApplication(service(), {
      clientType: 'public',
      redirectUris: [`${here}/callback`],
      grantTypes: ['authorization_code', 'refresh_token'],
    })
    const context = await browser().newContext()
    const page = await context.newPage()
    const ask = (path: string, method: string, options: string) =>
      page.evaluate<Asked>(`(async () => application.ask('${method}', '${service().origin}${path}', ${options}))()`)
    const token = (form: Record<string, string>, options = '') =>
      ask('/oauth2/token', 'POST', `{ form: ${JSON.stringify({ client_id: app.id, ...form })}, ${options} }`)
    const userInfo = (accessToken: string, options = '') => ask('/oauth2/userinfo', 'GET', `{ accessToken: '${accessToken}', ${options} }`)
    const forgetNonce = () => page.evaluate('application.forgetNonce()')
    const wantsNonce = (status: number, challenge: unknown) => ({ status, error: 'use_dpop_nonce', challenge, nonce: expect.any(String) })

    const code = await signIn(page, app, alg)
    const redeeming = {
      grant_type: 'authorization_code',
      code,
      redirect_uri: `${here}/callback`,
      code_verifier: (await page.evaluate<string>(`sessionStorage.getItem('verifier')`)) ?? '',
    }
    // The code is bound to the key that asked for it, and is not used up by a page with another.
    const stolen = await token(redeeming, `by: await application.newKey('${alg}')`)
    expect(stolen.seen).toMatchObject([wantsNonce(400, null), { status: 400, error: 'invalid_grant' }])
    await forgetNonce()
    const first = await token(redeeming)
    expect(first.seen).toMatchObject([wantsNonce(400, null), { status: 200, error: null, nonce: expect.any(String) }])
    expect(first.body).toMatchObject({ token_type: 'DPoP', scope: 'openid email offline_access' })
    expect(claimsOf(first.body.access_token ?? '').cnf).toEqual({ jkt: expect.any(String) })

    await forgetNonce()
    const person = await userInfo(first.body.access_token ?? '')
    expect(person.seen).toMatchObject([
      { ...wantsNonce(401, expect.stringMatching(/^DPoP algs="[^"]+".*error="use_dpop_nonce"/)) },
      { status: 200, nonce: expect.any(String) },
    ])
    expect(person.body).toMatchObject({ email: app.organisation.owner.email })

    const refreshing = { grant_type: 'refresh_token', refresh_token: first.body.refresh_token ?? '' }
    const thief = await token(refreshing, `by: await application.newKey('${alg}')`)
    expect(thief.seen).toMatchObject([{ status: 400, error: 'invalid_grant' }])
    const second = await token(refreshing)
    expect([second.seen.length, second.seen[0]?.status, second.body.token_type]).toEqual([1, 200, 'DPoP'])
    expect((await userInfo(second.body.access_token ?? '')).body).toMatchObject({ email: app.organisation.owner.email })

    const refused = async (options: string) => (await userInfo(second.body.access_token ?? '', options)).seen.at(-1)
    expect(await refused(`by: await application.newKey('${alg}')`)).toMatchObject({
      status: 401,
      challenge: expect.stringMatching(/^DPoP .*error="invalid_token"/),
    })
    expect(await refused(`scheme: 'Bearer'`)).toMatchObject({ status: 401, challenge: expect.stringContaining('error="invalid_token"') })
    await context.close()
  },
)
