import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, before, test } from 'node:test'
import { type Gatehouse, type Organisation, startGatehouse } from '@gatehouse-iam/testing'
import { toNode } from '@gatehouse-iam/web'
import type { Hono } from 'hono'
import { type Browser, chromium } from 'playwright-core'
import { createApp } from './app.ts'

let gatehouse: Gatehouse
let browser: Browser
let acme: Organisation
let origin: string
let app: Hono
const handler = toNode(async (request) => app.fetch(request))
const server = createServer((request, response) => void handler(request, response))

before(async () => {
  const executablePath = process.env.CHROMIUM
  ;[gatehouse, browser] = await Promise.all([
    startGatehouse(),
    chromium.launch({ ...(executablePath && { executablePath }), args: ['--headless'] }),
  ])
  server.listen(0)
  await once(server, 'listening')
  origin = `http://localhost:${(server.address() as AddressInfo).port}`
  acme = await gatehouse.organisation({
    users: [{ email: 'anna', firstName: 'Anna', lastName: '<b>Example</b>' }],
    clients: [
      {
        key: 'web',
        redirectUris: [`${origin}/auth/callback`],
        postLogoutRedirectUris: [`${origin}/`],
        grantTypes: ['authorization_code', 'refresh_token'],
      },
    ],
  })
  const { id: clientId, secret } = acme.client('web')
  const cookieSecret = 'a secret of the tests, with 32 characters and more'
  const settings = { gatehouseUrl: gatehouse.url, clientId, clientSecret: secret ?? '', cookieSecret, origin }
  app = createApp({ ...settings, clock: gatehouse.clock.now })
})
after(async () => {
  await browser?.close()
  server.close()
  await gatehouse?.stop()
})

test('a session is refreshed when its access token has expired, and survives an outage of Gatehouse', async () => {
  const page = await (await browser.newContext()).newPage()
  await gatehouse.signIn(page, acme.user('anna'))
  await page.goto(origin)
  await page.getByRole('heading', { name: 'Anna <b>Example</b>' }).waitFor()
  await page.getByText(`${acme.user('anna').email}, of ${acme.id}`).waitFor()

  await gatehouse.clock.advance({ hours: 2 })
  await gatehouse.fail({ path: '/oauth2/token', status: 503 })
  const away = await page.goto(origin)
  assert.equal(away?.status(), 503)
  // It is asked again after some seconds.
  await gatehouse.clock.advance({ seconds: 10 })
  await page.goto(origin)
  await page.getByRole('heading', { name: 'Anna <b>Example</b>' }).waitFor()

  // Its API is away, and the access token is still valid.
  for (const fault of [{ status: 'reset' }, { status: 503 }] as const) {
    await gatehouse.fail({ path: '/oauth2/userinfo', ...fault })
    assert.equal((await page.goto(origin))?.status(), 502)
    await page.goto(origin)
    await page.getByRole('heading', { name: 'Anna <b>Example</b>' }).waitFor()
  }

  await page.getByRole('button', { name: 'Sign out' }).click()
  // It comes back to the application, which asks for a sign-in.
  await page.waitForURL(/\/login/)
  assert.equal(new URL(page.url()).origin, gatehouse.url)
})
