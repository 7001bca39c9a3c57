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
    startGatehouse({ env: { OAUTH_EXTENSIONS: 'step_up' } }),
    chromium.launch({ ...(executablePath && { executablePath }), args: ['--headless'] }),
  ])
  server.listen(0)
  await once(server, 'listening')
  origin = `http://localhost:${(server.address() as AddressInfo).port}`
  acme = await gatehouse.organisation({
    users: [{ email: 'anna', totp: true }],
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

test('the second factor is asked for where it is needed, and again when it was too long ago', async () => {
  const anna = acme.user('anna')
  const page = await (await browser.newContext()).newPage()
  const enterCode = async () => {
    await page.getByRole('textbox', { name: 'Code' }).fill(await gatehouse.totp(anna))
    await page.getByRole('button', { name: 'Verify' }).click()
  }
  const signIn = async () => {
    await page.getByLabel('E-mail address').fill(anna.email)
    await page.getByLabel('Password', { exact: true }).fill(anna.password)
    await page.getByRole('button', { name: 'Sign in', exact: true }).click()
    await enterCode()
  }
  await page.goto(`${origin}/transfers`)
  await signIn()
  await page.getByText('Signed in with aal2').waitFor()
  await page.getByRole('button', { name: 'Transfer' }).click()
  await page.getByText('Transferred').waitFor()

  // The page was left open.
  await page.goto(`${origin}/transfers`)
  await gatehouse.clock.advance({ minutes: 10 })
  const [response] = await Promise.all([
    page.waitForResponse(`${origin}/transfers`),
    page.getByRole('button', { name: 'Transfer' }).click(),
  ])
  assert.equal(response.status(), 403)

  await page.goto(`${origin}/transfers`)
  assert.doesNotMatch(page.url(), /transfers$/)
})
