import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, before, test } from 'node:test'
import { type Gatehouse, type Organisation, startGatehouse } from '@gatehouse-iam/testing'
import { type Browser, chromium } from 'playwright-core'
import { createApp } from './app.ts'

let gatehouse: Gatehouse
let browser: Browser
let acme: Organisation
let origin: string
const server = createServer()

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
    users: [{ email: 'anna', totp: true }],
    clients: [
      {
        key: 'spa',
        clientType: 'public',
        redirectUris: [`${origin}/callback`],
        postLogoutRedirectUris: [`${origin}/`],
        grantTypes: ['authorization_code', 'refresh_token'],
        scopes: ['orders:read'],
      },
    ],
  })
  const settings = { gatehouseUrl: gatehouse.url, clientId: acme.client('spa').id, clock: gatehouse.clock.now }
  server.on('request', await createApp(settings))
})
after(async () => {
  await browser?.close()
  server.close()
  await gatehouse?.stop()
})

const newPage = async () => (await browser.newContext()).newPage()

test('a user signs in with password and authenticator app, sees the orders, and signs out', async () => {
  const page = await newPage()
  await page.goto(origin)
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.waitForURL(`${gatehouse.url}/login**`)
  await gatehouse.signIn(page, acme.user('anna'), { through: 'pages' })
  await page.getByRole('heading', { name: acme.user('anna').email }).waitFor()
  await page.getByText('1,200 screws').waitFor()
  assert.equal(page.url(), `${origin}/`)

  // A page that is loaded again has its session still.
  await page.reload()
  await page.getByText('1,200 screws').waitFor()
  await page.getByRole('button', { name: 'Sign out' }).click()
  await page.getByRole('button', { name: 'Sign in' }).waitFor()
})

test('the API refuses a token of another application, and says so', async () => {
  const page = await newPage()
  await gatehouse.signIn(page, acme.user('anna'))
  await gatehouse.bend({ token: 'access', audience: 'https://other.test' })
  await page.goto(origin)
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.getByText('The API has refused it: 401').waitFor()
  assert.equal((await fetch(`${origin}/api/orders`)).status, 401)
})
