import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { useConsole } from '../support/console.ts'
import { givenApplication, type TestApplication } from '../support/oauth.ts'

const { service, openConsole } = useConsole()

const storedClient = async (app: TestApplication) => (await app.organisation.owner.get(`/v1/admin/clients/${app.id}`)).body
const step = (page: Page, name: string) => page.getByRole('region', { name, exact: true })
const finish = (page: Page) => page.getByText('All steps are done').waitFor({ state: 'attached' })
const storageOf = (page: Page) => page.evaluate('JSON.stringify([{ ...localStorage }, { ...sessionStorage }])') as Promise<string>

describe('Try it', () => {
  it('runs the whole flow of an application with a secret, and leaves nothing behind', async () => {
    const app = await givenApplication(service(), { scopes: ['orders:read'] })
    const { owner } = app.organisation
    const { page, context, faults } = await openConsole(owner, `/console/applications/${app.id}/try`)
    const logged: string[] = []
    page.on('console', (message) => logged.push(message.text()))

    await page.getByLabel('Secret').fill(app.secret as string)
    await page.getByRole('button', { name: 'Sign in as this application' }).click()
    await finish(page)

    expect(
      await step(page, 'Authorization request')
        .getByRole('row', { name: /code_challenge_method S256/ })
        .count(),
    ).toBe(1)
    expect(await step(page, 'The code is exchanged for tokens').textContent()).toContain('openid profile email offline_access orders:read')
    expect(await step(page, 'User info').textContent()).toContain(owner.email)
    expect(await step(page, 'Refresh: the token rotates').textContent()).toContain('HTTP 200')
    expect(await step(page, 'Introspection').textContent()).toContain('"active": true')
    expect(await step(page, 'After the revocation').textContent()).toContain('"active": false')
    for (const name of ['ID token', 'Access token']) await step(page, name).getByText('Signature valid').waitFor()
    expect(await step(page, 'ID token').getByText('nonce is right').count()).toBe(1)

    const token = step(page, 'ID token').getByRole('textbox')
    const text = await token.inputValue()
    await token.fill(text.slice(0, -20) + (text.at(-20) === 'A' ? 'B' : 'A') + text.slice(-19))
    await step(page, 'ID token').getByText('Signature not valid').waitFor()
    await step(page, 'ID token').getByRole('button', { name: 'Restore the token' }).click()
    await step(page, 'ID token').getByText('Signature valid').waitFor()

    // The window has closed, and the redirect URI is gone.
    await expect.poll(() => context.pages()).toHaveLength(1)
    expect(await storedClient(app)).toMatchObject({ redirectUris: [app.redirectUri] })
    expect(await owner.audit({ targetId: app.id, action: 'client.updated' })).toHaveLength(2)

    await step(page, 'Introspection').getByRole('button', { name: 'Request' }).click()
    expect(await step(page, 'Introspection').textContent()).toContain(`-u "${app.id}:$CLIENT_SECRET"`)
    await page.getByRole('button', { name: 'This page as API calls' }).click()
    await page.getByRole('dialog').getByText('PATCH').first().waitFor()
    const everywhere = async () => [await page.content(), await storageOf(page), page.url(), ...logged].join('\n')
    expect((await everywhere()).includes(app.secret as string)).toBe(false)
    await page.keyboard.press('Escape')
    await page.getByRole('link', { name: 'Security', exact: true }).click()
    await page.getByRole('button', { name: /^Rotate/ }).waitFor()
    await page.getByRole('link', { name: 'Try it', exact: true }).click()
    expect(await page.getByLabel('Secret').inputValue()).toBe('')
    for (const gone of [app.secret as string, text.slice(-40)]) expect((await everywhere()).includes(gone)).toBe(false)
    expect(faults).toEqual([])
  })

  it('gives a link to the sign-in where the browser blocks its window', async () => {
    const app = await givenApplication(service(), { clientType: 'public' })
    const { page, context, faults } = await openConsole(app.organisation.owner, `/console/applications/${app.id}/try`)
    await page.evaluate('window.open = () => null')
    await page.getByRole('button', { name: 'Sign in as this application' }).click()
    await page.getByText('The browser has blocked the window of the sign-in. Open it by this link:').waitFor()
    await page.getByRole('link', { name: 'Open the sign-in' }).click()
    await finish(page)
    await expect.poll(() => context.pages()).toHaveLength(1)
    expect(await storedClient(app)).toMatchObject({ redirectUris: [app.redirectUri] })
    expect(faults.map((fault) => fault.replace(/http:\S+(?=\/oauth2)/, ''))).toEqual(['response: 401 GET /oauth2/userinfo'])
  })

  it('needs no secret of a public application, whose tokens RS256 signs, and shows that the revoked token is refused', async () => {
    const app = await givenApplication(service(), { clientType: 'public', idTokenSignedResponseAlg: 'RS256' })
    const { page, faults } = await openConsole(app.organisation.owner, `/console/applications/${app.id}/try`)
    await page.getByRole('button', { name: 'Sign in as this application' }).click()
    await finish(page)
    await step(page, 'ID token').getByText('"RS256"').waitFor()
    for (const name of ['ID token', 'Access token']) await step(page, name).getByText('Signature valid').waitFor()
    await step(page, 'Introspection').getByText('An application without a secret cannot introspect.').waitFor()
    expect(await step(page, 'After the revocation').textContent()).toContain('HTTP 401')
    expect(faults.map((fault) => fault.replace(/http:\S+(?=\/oauth2)/, ''))).toEqual(['response: 401 GET /oauth2/userinfo'])
  })

  it('gets and ends a token for the application itself', async () => {
    const app = await givenApplication(service(), { grantTypes: ['client_credentials'], redirectUris: [], scopes: ['orders:read'] })
    const { page, context, faults } = await openConsole(app.organisation.owner, `/console/applications/${app.id}/try`)
    await page.getByLabel('Secret').fill(app.secret as string)
    await page.getByRole('button', { name: 'Get a token for this application' }).click()
    await finish(page)
    await step(page, 'Access token').getByText('Signature valid').waitFor()
    expect(await step(page, 'After the revocation').textContent()).toContain('"active": false')
    expect(context.pages()).toHaveLength(1)
    expect(faults).toEqual([])
  })

  it('removes its redirect URI at the next visit after a reload in the middle', async () => {
    const app = await givenApplication(service(), { clientType: 'public' })
    const { page, context, faults } = await openConsole(app.organisation.owner, `/console/applications/${app.id}/try`)
    const added = `${service().origin}/console/try`
    await context.route('**/oauth2/authorize?*', () => {})
    await page.getByRole('button', { name: 'Sign in as this application' }).click()
    await step(page, 'Authorization request').waitFor()
    expect((await storedClient(app)).redirectUris).toEqual([app.redirectUri, added])
    expect(await storageOf(page)).toContain(app.id)

    await page.reload()
    await expect.poll(async () => (await storedClient(app)).redirectUris).toEqual([app.redirectUri])
    await expect.poll(() => storageOf(page)).not.toContain(app.id)

    // Nor does it stay when the window is closed without an answer.
    await page.getByRole('button', { name: 'Sign in as this application' }).click()
    await step(page, 'Authorization request').waitFor()
    await Promise.all(
      context
        .pages()
        .filter((other) => other !== page)
        .map((other) => other.close()),
    )
    await page.getByText('The window was closed before an answer came.').waitFor()
    await expect.poll(async () => (await storedClient(app)).redirectUris).toEqual([app.redirectUri])
    expect(faults).toEqual([])
  })

  it('leaves the note of its redirect URI to users of the same organisation', async () => {
    const app = await givenApplication(service(), { clientType: 'public' })
    const other = await givenApplication(service(), { clientType: 'public' })
    const { page, context, settled } = await openConsole(app.organisation.owner, `/console/applications/${app.id}/try`)
    await context.route('**/oauth2/authorize?*', () => {})
    await page.getByRole('button', { name: 'Sign in as this application' }).click()
    await step(page, 'Authorization request').waitFor()
    const cookieOf = ({ cookie }: { cookie: string }) => {
      const [name = '', value = ''] = cookie.split('=')
      return [{ name, value, url: service().services.publicUrl }]
    }

    await context.addCookies(cookieOf(other.organisation.owner))
    await page.goto(`/console/applications/${other.id}`)
    await settled()
    expect(await storageOf(page)).toContain(app.id)

    await context.addCookies(cookieOf(app.organisation.owner))
    await page.goto(`/console/applications/${app.id}`)
    await expect.poll(async () => (await storedClient(app)).redirectUris).toEqual([app.redirectUri])
    await expect.poll(() => storageOf(page)).not.toContain(app.id)
  })

  it('says that it was stopped, and not that all steps are done', async () => {
    const app = await givenApplication(service(), { clientType: 'public' })
    const { page, context, faults } = await openConsole(app.organisation.owner, `/console/applications/${app.id}/try`)
    await context.route('**/oauth2/authorize?*', () => {})
    await page.getByRole('button', { name: 'Sign in as this application' }).click()
    await step(page, 'Authorization request')
      .getByRole('row', { name: /code_challenge_method/ })
      .waitFor()
    await page.getByRole('button', { name: 'Stop', exact: true }).click()

    await page.getByRole('button', { name: 'Run it again' }).waitFor()
    await step(page, 'Authorization request').getByText('Stopped', { exact: true }).waitFor()
    expect(await page.getByText('It was stopped at: Authorization request').count()).toBe(1)
    expect(await page.getByText('All steps are done').count()).toBe(0)
    expect((await storedClient(app)).redirectUris).toEqual([app.redirectUri])
    await expect.poll(() => context.pages()).toHaveLength(1)
    expect(faults).toEqual([])
  })

  it('says at which step the service could not be reached', async () => {
    const app = await givenApplication(service(), { grantTypes: ['client_credentials'], redirectUris: [], scopes: ['orders:read'] })
    const { page, context, faults } = await openConsole(app.organisation.owner, `/console/applications/${app.id}/try`)
    await page.getByLabel('Secret').fill(app.secret as string)
    await context.route('**/oauth2/introspect', (route) => route.abort())
    await page.getByRole('button', { name: 'Get a token for this application' }).click()

    await step(page, 'Introspection').getByText('Failed', { exact: true }).waitFor()
    await step(page, 'Introspection').getByText('Gatehouse cannot be reached').waitFor()
    expect(await page.getByText('It ended at: Introspection').count()).toBe(1)
    expect(await page.getByText('All steps are done').count()).toBe(0)
    expect(faults).toEqual([])
  })

  it.each([
    ['refused', { status: 503, json: { title: 'Service Unavailable' } }, 'HTTP 503'],
    ['without keys', { json: { keys: [] } }, 'The response has no keys'],
    ['no key set', { body: 'null', contentType: 'application/json' }, 'The response has no keys'],
  ])('says so when the published keys are %s', async (_how, response, said) => {
    const app = await givenApplication(service(), { grantTypes: ['client_credentials'], redirectUris: [], scopes: ['orders:read'] })
    const { page, context, faults } = await openConsole(app.organisation.owner, `/console/applications/${app.id}/try`)
    await page.getByLabel('Secret').fill(app.secret as string)
    await context.route('**/oauth2/jwks.json', (route) => route.fulfill(response))
    await page.getByRole('button', { name: 'Get a token for this application' }).click()

    await step(page, 'The published keys').getByText('Failed', { exact: true }).waitFor()
    await step(page, 'The published keys').getByText(said).waitFor()
    expect(await page.getByText('All steps are done').count()).toBe(0)
    await context.unroute('**/oauth2/jwks.json')
    await page.getByRole('button', { name: 'Run it again' }).click()
    await finish(page)
    expect(faults.filter((fault) => !fault.startsWith('response: 503 GET'))).toEqual([])
  })

  it('opens the diagnosis of a refusal in place', async () => {
    const app = await givenApplication(service())
    const { owner } = app.organisation
    const { page, faults } = await openConsole(owner, `/console/applications/${app.id}/try`)
    await page.getByLabel('Scope').fill('openid orders:write')
    await page.getByLabel('Secret').fill(app.secret as string)
    await page.getByRole('button', { name: 'Sign in as this application' }).click()
    await page.getByRole('button', { name: 'Allow the scope orders:write' }).click()
    await page.getByRole('button', { name: 'Change', exact: true }).click()
    await page.getByText('Fixed', { exact: true }).waitFor()
    expect((await storedClient(app)).redirectUris).toEqual([app.redirectUri])

    await page.getByLabel('Secret').fill('not the secret')
    await page.getByRole('button', { name: 'Run it again' }).click()
    await page.getByText('The secret in the configuration is not the current one.').waitFor()
    expect(faults.splice(0).map((fault) => fault.replace(/http:\S+(?=\/oauth2)/, ''))).toEqual(['response: 401 POST /oauth2/token'])

    await owner.patch('/v1/admin/organisation', { allowedCallbackUrls: [app.redirectUri] })
    await page.getByRole('button', { name: 'Run it again' }).click()
    await page.getByText('Is not among the URLs that the organisation allows').waitFor()
    expect(await storageOf(page)).not.toContain(app.id)
  })

  it('is two actions after the application was created', async () => {
    const { owner } = await service().given.organisation()
    const { page, faults } = await openConsole(owner, '/console/applications/new')
    await page.getByLabel('Name').fill('Shop')
    await page.getByRole('textbox', { name: 'Redirect URI 1' }).fill('https://shop.example.test/callback')
    await page.getByRole('button', { name: 'Create application' }).click()
    await page.getByRole('checkbox', { name: 'I have stored it' }).click()
    await page.getByRole('button', { name: 'Done' }).click()
    await page.getByRole('link', { name: 'Try it' }).click()
    await page.getByText('The secret of the application that you have just created is used.').waitFor()
    await page.getByRole('button', { name: 'Sign in as this application' }).click()
    await finish(page)
    expect(await page.getByText('Signature valid').count()).toBe(2)
    expect(faults).toEqual([])
  })
})
