import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { type Gatehouse, type Organisation, startGatehouse } from '@gatehouse-iam/testing'
import { type Browser, chromium } from 'playwright-core'
import { signIn } from './sign-in.ts'

let gatehouse: Gatehouse
let browser: Browser
let acme: Organisation

before(async () => {
  const executablePath = process.env.CHROMIUM
  ;[gatehouse, browser] = await Promise.all([
    startGatehouse({ env: { OAUTH_EXTENSIONS: 'device' } }),
    chromium.launch({ ...(executablePath && { executablePath }), args: ['--headless'] }),
  ])
  acme = await gatehouse.organisation({
    users: [{ email: 'anna', firstName: 'Anna', lastName: 'Example' }],
    clients: [
      {
        key: 'cli',
        clientType: 'public',
        tokenEndpointAuthMethod: 'none',
        grantTypes: ['urn:ietf:params:oauth:grant-type:device_code', 'refresh_token'],
      },
    ],
  })
})
after(async () => {
  await browser?.close()
  await gatehouse?.stop()
})

/** Runs the program, and presses a button where its code leads to. */
async function signInAnd(button: string) {
  const shown = Promise.withResolvers<{ userCode: string; completeAddress: string }>()
  const signingIn = signIn({ gatehouseUrl: gatehouse.url, clientId: acme.client('cli').id, show: shown.resolve })
  const { userCode, completeAddress } = await shown.promise
  const page = await (await browser.newContext()).newPage()
  await gatehouse.signIn(page, acme.user('anna'))
  await page.goto(completeAddress)
  assert.equal(await page.getByRole('textbox').inputValue(), userCode)
  await page.getByRole('button', { name: 'Continue' }).click()
  await page.getByRole('button', { name: button }).click()
  return signingIn
}

test('a user lets the program in', async () => {
  const signedIn = await signInAnd('Allow')
  assert.equal(signedIn?.name, 'Anna Example')
  assert.ok(signedIn?.accessToken && signedIn.refreshToken)
})

test('a user denies it', async () => {
  assert.equal(await signInAnd('Cancel'), undefined)
})
