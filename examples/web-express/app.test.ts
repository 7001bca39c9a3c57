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
    users: [
      { email: 'anna', firstName: 'Anna', roles: ['admin'] },
      { email: 'ben', firstName: 'Ben' },
    ],
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
  server.on('request', createApp({ ...settings, clock: gatehouse.clock.now }))
})
after(async () => {
  await browser?.close()
  server.close()
  await gatehouse?.stop()
})

test('a user signs in, sees what they may, and signs out', async () => {
  const page = await (await browser.newContext()).newPage()
  const anna = acme.user('anna')
  await page.goto(origin)
  await page.getByRole('link', { name: 'Sign in' }).click()
  await page.getByLabel('E-mail address').fill(anna.email)
  await page.getByLabel('Password', { exact: true }).fill(anna.password)
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()

  await page.getByText('Hello Anna').waitFor()
  await page.getByRole('link', { name: 'Reports' }).click()
  await page.getByText(`For ${acme.id} alone`).waitFor()
  await page.getByRole('button', { name: 'Sign out' }).click()
  await page.getByRole('link', { name: 'Sign in' }).waitFor()
  assert.equal(page.url(), `${origin}/`)
})

test('a user without the permission is refused, and blocked ones are signed out', async () => {
  const page = await (await browser.newContext()).newPage()
  const ben = acme.user('ben')
  await gatehouse.signIn(page, ben)
  const refused = await page.goto(`${origin}/reports`)
  assert.equal(refused?.status(), 403)
  await page.goto(origin)
  await page.getByText('Hello Ben').waitFor()

  await gatehouse.block(ben)
  // The session is refreshed with its access token, after an hour.
  await gatehouse.clock.advance({ hours: 2 })
  await page.goto(origin)
  await page.getByRole('link', { name: 'Sign in' }).waitFor()
})
