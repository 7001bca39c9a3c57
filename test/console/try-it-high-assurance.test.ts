import { readFile } from 'node:fs/promises'
import { exportPKCS8 } from 'jose'
import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { certificateVariables } from '../support/certificates.ts'
import { type ClientKey, clientKey } from '../support/client-keys.ts'
import { memoryOf, useConsole } from '../support/console.ts'
import { givenApplication, type Registration } from '../support/oauth.ts'

const { service, openConsole } = useConsole({
  environment: {
    OAUTH_EXTENSIONS: 'private_key_jwt,par,dpop,jar,mtls',
    DPOP_NONCE: 'required',
    ...certificateVariables,
  },
})

const step = (page: Page, name: string) => page.getByRole('region', { name, exact: true })
const finish = (page: Page) => page.getByText('All steps are done').waitFor({ state: 'attached' })
const signIn = (page: Page) => page.getByRole('button', { name: 'Sign in as this application' })
/** The refusals by which the service tells its nonce, the first time in an attempt. */
const nonceAsked = (path: string, status = 400) => `response: ${status} POST ${service().origin}${path}`

/** Everything that leaves the browser from now on. */
function sentBy(page: Page): string[] {
  const sent: string[] = []
  page.context().on('request', (request) => {
    sent.push([request.url(), request.postData() ?? '', ...Object.values(request.headers())].join('\n'))
  })
  return sent
}

const privatePartOf = (key: ClientKey) => String(key.whole.d)

/** What is decoded of a message of a step. */
async function decoded(page: Page, of: string, message: string, place: 'first' | 'last' = 'last') {
  const trigger = step(page, of)
    .getByRole('button', { name: `${message}, decoded`, exact: true })
    [place]()
  await trigger.click()
  const panel = step(page, of)
  const texts = async (name: string) =>
    JSON.parse((await panel.getByRole('region', { name, exact: true }).last().locator('code').textContent()) ?? '')
  const parts = { header: await texts('Header'), claims: await texts('Claims') }
  await trigger.click()
  return parts
}

const held = async (key: ClientKey, fields: Registration = {}) =>
  givenApplication(service(), { profile: 'fapi2', scopes: ['orders:read'], jwks: { keys: [key.publicKey] }, ...fields })

describe('the wizard for high assurance', () => {
  it('makes the key, saves its file and shows the code in three clicks, and tries the sign-in with that key', async () => {
    const { owner } = await service().given.organisation()
    const { page, faults } = await openConsole(owner, '/console/applications/new')
    const sent = sentBy(page)

    await page.getByText('High assurance (FAPI 2.0)').click()
    await page.getByLabel('Name').fill('Bank')
    const saving = page.waitForEvent('download')
    await page.getByRole('button', { name: 'Create application' }).click()
    await page.getByRole('heading', { name: 'Bank is ready to be connected' }).waitFor()

    const [client] = (await owner.get('/v1/admin/clients')).body.data
    expect(client).toMatchObject({
      profile: 'fapi2',
      tokenEndpointAuthMethod: 'private_key_jwt',
      requirePushedAuthorizationRequests: true,
      requireDpop: true,
      redirectUris: ['http://localhost:3000/callback'],
    })
    const file = await saving
    expect(file.suggestedFilename()).toBe(`${client.clientId}.private-key.json`)
    const key = JSON.parse(await readFile(await file.path(), 'utf8'))
    const { d, ...half } = key
    expect(client.jwks.keys).toEqual([half])
    expect(await page.getByRole('region', { name: 'app.mjs' }).textContent()).toContain(`readFile('${file.suggestedFilename()}'`)
    const again = page.waitForEvent('download')
    await page.getByRole('button', { name: 'Save the file again' }).click()
    expect(JSON.parse(await readFile(await (await again).path(), 'utf8'))).toEqual(key)

    await page.getByRole('link', { name: 'Try it' }).click()
    await page.getByText('The key that was just made in this browser is used.').waitFor()
    await signIn(page).click()
    await finish(page)
    expect(await page.getByText('Signature valid').count()).toBe(2)
    expect((await owner.get(`/v1/admin/clients/${client.id}`)).body.redirectUris).toEqual(['http://localhost:3000/callback'])
    expect(sent.filter((text) => text.includes(d))).toEqual([])
    expect((await memoryOf(page)).includes(d)).toBe(false)
    expect(faults).toEqual([nonceAsked('/oauth2/par')])
  })
})

describe('Try it', () => {
  it('pushes, proves and signs as the profile demands, and shows each message decoded', async () => {
    const key = await clientKey('ES256', 'own')
    const app = await held(key, { requireSignedRequestObject: true })
    const { origin } = service()
    const { owner } = app.organisation
    const { page, context, faults } = await openConsole(owner, `/console/applications/${app.id}/try`)
    const sent = sentBy(page)
    await signIn(page).waitFor()
    expect(await signIn(page).getAttribute('aria-disabled')).toBe('true')

    await page.getByLabel('Private key').fill(JSON.stringify(key.publicKey))
    await page.getByText('This is a public key. To sign, the private one is needed.').waitFor()
    await page.getByLabel('Private key').fill(JSON.stringify((await clientKey('ES256')).whole))
    await page.getByText('The application has no key to which this private key belongs.').waitFor()
    await page.getByLabel('Private key').fill('key')
    await page.getByText('This is no key that the browser can read').waitFor()
    await page.getByLabel('Choose a file').setInputFiles({
      name: 'key.json',
      mimeType: 'application/json',
      buffer: Buffer.from(JSON.stringify({ keys: [key.whole] })),
    })
    await page.getByText('The key own was read and signs with ES256.').waitFor()
    await signIn(page).click()
    await finish(page)

    expect(await decoded(page, 'Pushed authorization request', 'Client assertion')).toMatchObject({
      header: { alg: 'ES256', kid: 'own' },
      claims: { iss: app.id, sub: app.id, aud: origin },
    })
    expect(await decoded(page, 'Pushed authorization request', 'Request object')).toMatchObject({
      header: { typ: 'oauth-authz-req+jwt' },
      claims: { iss: app.id, aud: origin, response_type: 'code', code_challenge_method: 'S256' },
    })
    const first = await decoded(page, 'Pushed authorization request', 'DPoP proof', 'first')
    const second = await decoded(page, 'Pushed authorization request', 'DPoP proof')
    expect(first).toMatchObject({ header: { typ: 'dpop+jwt' }, claims: { htm: 'POST', htu: `${origin}/oauth2/par` } })
    expect(first.claims).not.toHaveProperty('nonce')
    expect(second.claims).toMatchObject({ nonce: expect.any(String) })
    expect(first.claims.jti).not.toBe(second.claims.jti)
    await step(page, 'Pushed authorization request').getByText('The service has asked for its nonce.').waitFor()
    const request = step(page, 'Authorization request')
    expect(await request.getByRole('row', { name: /request_uri urn:ietf:params:oauth:request_uri:/ }).count()).toBe(1)
    expect(await request.getByRole('row', { name: /redirect_uri/ }).count()).toBe(0)
    expect((await decoded(page, 'User info', 'DPoP proof')).claims).toMatchObject({ htm: 'GET', ath: expect.any(String) })
    expect(await step(page, 'The code is exchanged for tokens').textContent()).toContain('"token_type": "DPoP"')
    expect(await step(page, 'User info').textContent()).toContain(owner.email)
    expect(await step(page, 'Refresh: the token stays the same').textContent()).toContain('HTTP 200')
    expect(await step(page, 'Introspection').textContent()).toContain('"active": true')
    expect(await step(page, 'After the revocation').textContent()).toContain('"active": false')
    for (const name of ['ID token', 'Access token']) await step(page, name).getByText('Signature valid').waitFor()

    await expect.poll(() => context.pages()).toHaveLength(1)
    expect(sent.filter((text) => text.includes(privatePartOf(key)))).toEqual([])
    expect(await page.content()).not.toContain(privatePartOf(key))
    expect((await memoryOf(page)).includes(privatePartOf(key))).toBe(false)
    expect(faults).toEqual([nonceAsked('/oauth2/par')])
  })

  it.each(['ES256', 'EdDSA', 'PS256'])('signs a request by value with a key for %s in PEM, beside a secret', async (alg) => {
    const key = await clientKey(alg, 'signing')
    const app = await givenApplication(service(), { jwks: { keys: [key.publicKey] }, requireSignedRequestObject: true })
    const { page, faults } = await openConsole(app.organisation.owner, `/console/applications/${app.id}/try`)
    await page.getByLabel('Secret').fill(app.secret as string)
    await page.getByLabel('Private key').fill(await exportPKCS8(key.privateKey))
    await page.getByText(`The key signing was read and signs with ${alg}.`).waitFor()
    await signIn(page).click()
    await finish(page)

    expect(await decoded(page, 'Authorization request', 'Request object')).toMatchObject({ header: { alg, kid: 'signing' } })
    expect(faults).toEqual([])
  })

  it('signs in with the key that was made under Security, which it is not asked for', async () => {
    const app = await givenApplication(service())
    const { owner } = app.organisation
    const { page, faults } = await openConsole(owner, `/console/applications/${app.id}/security`)
    await page.getByRole('button', { name: 'Make a key' }).click()
    const saving = page.waitForEvent('download')
    await page.getByRole('alertdialog').getByRole('button', { name: 'Make a key' }).click()
    const { d } = JSON.parse(await readFile(await (await saving).path(), 'utf8'))
    await expect
      .poll(async () => (await owner.get(`/v1/admin/clients/${app.id}`)).body)
      .toMatchObject({ tokenEndpointAuthMethod: 'private_key_jwt', jwks: { keys: [{ kty: 'EC' }] } })

    await page.getByRole('link', { name: 'Try it' }).click()
    await page.getByText('The key that was just made in this browser is used.').waitFor()
    await signIn(page).click()
    await finish(page)
    expect((await memoryOf(page)).includes(d)).toBe(false)
    expect(faults).toEqual([])
  })

  it('gets a token for the application itself with its key', async () => {
    const key = await clientKey('ES256')
    const app = await held(key, { grantTypes: ['client_credentials'], redirectUris: [] })
    const { page, faults } = await openConsole(app.organisation.owner, `/console/applications/${app.id}/try`)
    await page.getByLabel('Private key').fill(JSON.stringify(key.whole))
    await page.getByRole('button', { name: 'Get a token for this application' }).click()
    await finish(page)
    await step(page, 'Access token').getByText('Signature valid').waitFor()
    expect(await step(page, 'After the revocation').textContent()).toContain('"active": false')
    expect(faults).toEqual([nonceAsked('/oauth2/token')])
  })

  it('opens the diagnosis of a pushed request that is refused', async () => {
    const key = await clientKey('ES256')
    const app = await held(key)
    const { page, faults } = await openConsole(app.organisation.owner, `/console/applications/${app.id}/try`)
    await page.getByLabel('Scope').fill('openid orders:write')
    await page.getByLabel('Private key').fill(JSON.stringify(key.whole))
    await signIn(page).click()
    await step(page, 'Pushed authorization request').getByRole('button', { name: 'Allow the scope orders:write' }).waitFor()
    expect((await app.organisation.owner.get(`/v1/admin/clients/${app.id}`)).body.redirectUris).toEqual([app.redirectUri])
    expect(faults).toEqual([nonceAsked('/oauth2/par'), nonceAsked('/oauth2/par')])
  })

  it('says that a page cannot present the certificate that an application needs', async () => {
    const app = await givenApplication(service(), { certificateBoundAccessTokens: true })
    const { page, faults } = await openConsole(app.organisation.owner, `/console/applications/${app.id}/try`)
    await page.getByText('This application needs a certificate, which a page cannot present.').waitFor()
    expect(await signIn(page).count()).toBe(0)
    expect(faults).toEqual([])
  })
})
