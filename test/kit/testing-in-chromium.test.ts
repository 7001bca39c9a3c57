/** `gatehouse.signIn` of `@gatehouse-iam/testing`, in a browser. */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { resolve } from 'node:path'
import process from 'node:process'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { type Gatehouse, startGatehouse } from '../../packages/testing/src/index.ts'
import { createWeb, toNode, type Web } from '../../packages/web/src/index.ts'
import { launchBrowser } from '../support/browser.ts'
import { builtService } from '../support/built-service.ts'

let gatehouse: Gatehouse
let browser: Browser
beforeAll(async () => {
  const env = { XDG_CACHE_HOME: resolve('node_modules/.cache'), OAUTH_EXTENSIONS: 'step_up' }
  ;[gatehouse, browser] = await Promise.all([startGatehouse({ command: [process.execPath, builtService], env }), launchBrowser()])
})
afterAll(() => Promise.all([gatehouse?.stop(), browser?.close()]))

/** A web application that shows who is signed in, and its user in a browser. */
async function application({ totp = false } = {}) {
  let web: Web | undefined
  const server = createServer(
    toNode(async (request) => {
      const handled = await web?.handle(request)
      if (handled) return handled
      const isTransfer = new URL(request.url).pathname === '/transfers'
      const required = await web?.require(request, isTransfer ? { acr: 'aal2', maxAge: 300 } : {})
      return required?.response ?? new Response(required?.session?.user.email, { headers: required?.headers ?? {} })
    }),
  )
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  onTestFinished(() => server.closeAllConnections())
  onTestFinished(() => void server.close())
  const origin = `http://localhost:${(server.address() as AddressInfo).port}`
  const redirectUri = `${origin}/auth/callback`
  const acme = await gatehouse.organisation({
    users: [{ email: 'anna', totp }],
    clients: [{ key: 'web', redirectUris: [redirectUri] }],
  })
  const { id: clientId, secret } = acme.client('web')
  const cookieSecret = 'at least 32 random characters of the tests'
  web = createWeb({ issuer: gatehouse.url, clientId, clientSecret: secret ?? '', redirectUri, cookieSecret, clock: gatehouse.clock.now })
  const context = await browser.newContext()
  onTestFinished(() => context.close())
  return { origin, user: acme.users[0] ?? acme.owner, page: await context.newPage() }
}

const who = (page: { locator(selector: string): { textContent(): Promise<string | null> } }) => page.locator('body').textContent()

describe('a sign-in through the pages', () => {
  it.each([
    ['with a password', false],
    ['with a password and an authenticator app', true],
  ])('%s continues to the application that has asked for it', async (_, totp) => {
    const { origin, user, page } = await application({ totp })
    await page.goto(`${origin}/orders`)
    await gatehouse.signIn(page, user, { through: 'pages' })
    await page.waitForURL(`${origin}/orders`)
    expect(await who(page)).toBe(user.email)
  })

  it('works twice in a row with an authenticator app, and says when the clock has to move', async () => {
    const { origin, user, page } = await application({ totp: true })
    await gatehouse.clock.freeze()
    onTestFinished(() => gatehouse.clock.real())
    for (let time = 0; time < 2; time++) {
      await page.context().clearCookies()
      await page.goto(`${origin}/orders`)
      await gatehouse.signIn(page, user, { through: 'pages' })
      await page.waitForURL(`${origin}/orders`)
    }
    await page.context().clearCookies()
    await page.goto(`${origin}/orders`)
    await expect(gatehouse.signIn(page, user, { through: 'pages' })).rejects.toMatchObject({ code: 'code-used' })
  })

  it('begins at the sign-in page where no application has asked for it', async () => {
    const { origin, user, page } = await application()
    await gatehouse.signIn(page, user, { through: 'pages' })
    expect(new URL(page.url()).origin).toBe(gatehouse.url)
    await page.goto(`${origin}/orders`)
    expect(await who(page)).toBe(user.email)
  })
})

describe('a stronger sign-in', () => {
  it('asks for the second factor again, and continues to the application', async () => {
    const { origin, user, page } = await application({ totp: true })
    await gatehouse.signIn(page, user)
    await page.goto(`${origin}/orders`)
    expect(await who(page)).toBe(user.email)
    await gatehouse.clock.advance({ minutes: 10 })
    await page.goto(`${origin}/transfers`)
    expect(new URL(page.url()).origin).toBe(gatehouse.url)
    await gatehouse.signIn(page, user, { through: 'pages' })
    await page.waitForURL(`${origin}/transfers`)
    expect(await who(page)).toBe(user.email)
  })
})

describe('a sign-in by session cookie', () => {
  it('lets an application sign the user in without a page', async () => {
    const { origin, user, page } = await application()
    await gatehouse.signIn(page, user)
    await page.goto(`${origin}/orders`)
    expect([page.url(), await who(page)]).toEqual([`${origin}/orders`, user.email])
  })
})
