import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { memoryOf, unavailable, useConsole } from '../support/console.ts'
import type { SignedInUser } from '../support/given.ts'

const { service, openConsole } = useConsole()

const clientsOf = async (owner: SignedInUser) => (await owner.get('/v1/admin/clients?sort=createdAt')).body.data

const actionsOn = async (owner: SignedInUser, targetId: string) =>
  (await owner.audit({ targetId }))
    .map(({ action, metadata }: { action: string; metadata: { reason?: string } | null }) =>
      [action, metadata?.reason].filter(Boolean).join(': '),
    )
    .reverse()

const register = async (owner: SignedInUser, fields: Record<string, unknown> = {}) => {
  const { status, body } = await owner.post('/v1/admin/clients', {
    name: 'Portal',
    clientType: 'confidential',
    redirectUris: ['https://portal.example.test/callback'],
    ...fields,
  })
  expect(status).toBe(201)
  return body as { id: string; clientId: string; clientSecret: string }
}

/** Pastes a text where the focus is. */
const paste = async (page: Page, text: string) => {
  await page.evaluate((value) => (globalThis as unknown as { navigator: Navigator }).navigator.clipboard.writeText(value), text)
  await page.keyboard.press('ControlOrMeta+v')
}
type Navigator = { clipboard: { writeText(text: string): Promise<void>; readText(): Promise<string> } }

const clipboardOf = (page: Page) => page.evaluate(() => (globalThis as unknown as { navigator: Navigator }).navigator.clipboard.readText())

/** Everything of the page in which a secret could have stayed. */
const remainsOf = (page: Page) =>
  page.evaluate(() => {
    const { document, localStorage, sessionStorage, location, history } = globalThis as unknown as {
      document: { documentElement: { outerHTML: string }; cookie: string }
      localStorage: object
      sessionStorage: object
      location: { href: string }
      history: { state: unknown }
    }
    const stored = JSON.stringify([localStorage, sessionStorage, history.state])
    return [document.documentElement.outerHTML, document.cookie, location.href, stored].join('\n')
  })

describe('the wizard for an application', () => {
  it('leads from what is built to the secret and the code in six actions, and leaves the secret nowhere', async () => {
    const { given, origin } = service()
    const { owner } = await given.organisation()
    const { page, context, faults } = await openConsole(owner, '/console/applications')
    await context.grantPermissions(['clipboard-read', 'clipboard-write'])
    const said: string[] = []
    page.on('console', (message) => said.push(message.text()))
    await page.getByRole('heading', { name: 'No application yet' }).waitFor()

    await page.getByRole('link', { name: 'Create application' }).first().click()
    await page.getByText('Web application with a server').click()
    expect(await page.getByText('High assurance (FAPI 2.0)').count()).toBe(0)
    await page.getByText('Express: Passport').click()
    await page.getByLabel('Name').fill('Customer portal')
    await page.getByRole('button', { name: 'Create application' }).click()
    const dialog = page.getByRole('alertdialog', { name: 'The secret of the application' })
    await dialog.waitFor()
    await page.keyboard.press('Escape')
    expect(await dialog.isVisible()).toBe(true)
    await dialog.getByRole('button', { name: 'Copy' }).click()
    await expect.poll(() => clipboardOf(page)).toMatch(/^[\w-]{43}$/)
    const secret = await clipboardOf(page)

    await dialog.getByRole('button', { name: 'Done' }).click()
    await page.getByRole('heading', { name: 'Customer portal is ready to be connected' }).waitFor()
    const [client] = await clientsOf(owner)
    expect(client).toMatchObject({
      name: 'Customer portal',
      clientType: 'confidential',
      grantTypes: ['authorization_code', 'refresh_token'],
      tokenEndpointAuthMethod: 'client_secret_basic',
      redirectUris: ['http://localhost:3000/callback'],
      requirePkce: true,
      idTokenSignedResponseAlg: 'EdDSA',
    })
    expect(await actionsOn(owner, client.id)).toEqual(['client.created'])
    const code = await page.getByRole('region', { name: 'app.mjs' }).textContent()
    for (const shown of [`new URL('${origin}')`, `'${client.clientId}'`, `callbackURL: 'http://localhost:3000/callback'`]) {
      expect(code).toContain(shown)
    }
    expect(code).not.toContain(secret)
    await page.getByRole('button', { name: 'Copy all' }).click()
    await page.getByRole('button', { name: 'Copied' }).waitFor()
    expect(await clipboardOf(page)).toContain(`# .env\nGATEHOUSE_CLIENT_SECRET=${secret}\nSESSION_SECRET=`)
    expect(page.url()).toBe(`${origin}/console/applications/new`)

    await page.getByRole('link', { name: 'Applications' }).first().click()
    await page.getByRole('row', { name: /Customer portal/ }).waitFor()
    await page.getByRole('button', { name: 'This page as API calls' }).click()
    await page.getByRole('dialog').getByText('POST').first().click()
    expect(await remainsOf(page)).not.toContain(secret)
    expect((await memoryOf(page)).includes(secret)).toBe(false)
    await page.keyboard.press('Escape')
    await page.goBack()
    await page.getByRole('heading', { name: 'Create an application' }).waitFor()
    expect(await remainsOf(page)).not.toContain(secret)
    expect(said.join('\n')).not.toContain(secret)
    expect(faults).toEqual([])
  })

  it('takes many redirect URIs at once, and shows what is wrong with the third one at its line', async () => {
    const { given } = service()
    const { owner } = await given.organisation()
    const { page, context, faults } = await openConsole(owner, '/console/applications/new')
    await context.grantPermissions(['clipboard-read', 'clipboard-write'])
    await page.getByLabel('Name').fill('Portal')
    const line = (number: number) => page.getByLabel(`Redirect URI ${number}`, { exact: true })
    await line(1).fill('https://a.example.test/callback')
    await line(1).focus()

    await paste(page, ' https://b.example.test/callback \n\nhttp://c.example.test/callback\nhttps://a.example.test/callback\r\n')

    await page.getByText('Already there, so left out: https://a.example.test/callback').waitFor()
    const values = () => page.getByLabel(/^Redirect URI \d$/).evaluateAll((all) => all.map((one) => (one as { value?: string }).value))
    const pasted = ['https://a.example.test/callback', 'https://b.example.test/callback', 'http://c.example.test/callback']
    expect(await values()).toEqual(pasted)
    await page.getByRole('button', { name: 'Create application' }).click()

    await expect.poll(() => line(3).getAttribute('aria-invalid')).toBe('true')
    await page.getByText('Must be https; http is for loopback addresses').waitFor()
    await expect.poll(() => line(3).evaluate((one) => one === one.ownerDocument.activeElement)).toBe(true)
    expect(await values()).toEqual(pasted)
    expect(await page.getByLabel('Name').inputValue()).toBe('Portal')
    expect(await clientsOf(owner)).toEqual([])
    expect(faults.splice(0)).toEqual([expect.stringMatching(/^response: 400 POST .*\/v1\/admin\/clients$/)])

    await line(3).fill('https://c.example.test/callback')
    await page.getByRole('button', { name: 'Create application' }).click()
    await page.getByRole('alertdialog').waitFor()
    expect((await clientsOf(owner))[0].redirectUris).toEqual([...pasted.slice(0, 2), 'https://c.example.test/callback'])
    expect(faults).toEqual([])
  })

  it('registers each kind as its framework needs it', async () => {
    const { given } = service()
    const { owner } = await given.organisation()
    const { page, faults } = await openConsole(owner, '/console/applications/new')
    const create = async (kind: string, framework: string) => {
      await page.goto('/console/applications/new')
      await page.getByText(kind).click()
      await page.getByText(framework, { exact: true }).click()
      await page.getByLabel('Name').fill(framework)
      await page.getByRole('button', { name: 'Create application' }).click()
      // Behind the secret, where there is one.
      await page.getByRole('heading', { name: `${framework} is ready to be connected`, includeHidden: true }).waitFor()
    }

    await create('Web application with a server', '.NET: ASP.NET Core')
    await page.getByRole('alertdialog').getByRole('checkbox').click()
    await page.getByRole('alertdialog').getByRole('button', { name: 'Done' }).click()
    expect(await page.getByRole('region', { name: 'Program.cs' }).textContent()).toContain('CallbackPath = "/signin-oidc"')
    await create('Single-page application', 'JavaScript: oidc-client-ts')
    expect(await page.getByRole('alertdialog').count()).toBe(0)
    expect(await page.getByRole('region', { name: 'main.js' }).textContent()).toContain("redirect_uri: 'http://localhost:5173/callback'")
    await create('Mobile or desktop application', 'Node.js: oauth4webapi')
    await create('Service that acts for itself', 'curl')
    await page.getByRole('alertdialog').getByRole('button', { name: 'Copy' }).waitFor()

    expect(await clientsOf(owner)).toMatchObject([
      { clientType: 'confidential', redirectUris: ['http://localhost:5000/signin-oidc'], idTokenSignedResponseAlg: 'RS256' },
      { clientType: 'public', redirectUris: ['http://localhost:5173/callback'], tokenEndpointAuthMethod: 'none' },
      { clientType: 'public', redirectUris: ['http://127.0.0.1/callback'], tokenEndpointAuthMethod: 'none' },
      { clientType: 'confidential', redirectUris: [], grantTypes: ['client_credentials'] },
    ])
    expect(faults).toEqual([])
  })

  it('keeps what was typed when the service fails, fits a small phone in German, and needs a permission', async () => {
    const { given } = service()
    const { owner } = await given.organisation()
    const phone = { locale: 'de-DE', viewport: { width: 320, height: 640 } }
    const { page, faults } = await openConsole(owner, '/console/applications/new', phone)
    const width = () => page.locator('html').evaluate((html) => (html as unknown as { scrollWidth: number }).scrollWidth)
    await page.getByRole('heading', { name: 'Anwendung anlegen' }).waitFor()
    expect(await width()).toBe(320)
    await page.getByLabel('Name').fill('Portal')
    await page.route('**/v1/admin/clients', (route) => route.fulfill(unavailable))
    await page.getByRole('button', { name: 'Anwendung anlegen' }).click()
    await page.getByText('Not now').waitFor()
    await page.unroute('**/v1/admin/clients')
    expect(await page.getByLabel('Name').inputValue()).toBe('Portal')
    await page.getByRole('button', { name: 'Anwendung anlegen' }).click()
    await page.getByRole('alertdialog', { name: 'Das Secret der Anwendung' }).getByRole('checkbox').click()
    await page.getByRole('button', { name: 'Fertig' }).click()
    await page.getByRole('heading', { name: 'Portal kann verbunden werden' }).waitFor()
    expect(await width()).toBe(320)
    expect(faults.splice(0)).toEqual([expect.stringMatching(/^response: 503/)])

    const reader = await openConsole(await given.userWith(owner, ['clients:read']), '/console/applications/new')
    await reader.page.getByText('You need the permission clients:create.').waitFor()
    expect([...faults, ...reader.faults]).toEqual([])
  })
})

describe('the list of applications', () => {
  it('tells what each is, and revokes, activates and deletes it, each with its entry in the audit log', async () => {
    const { given, anonymous } = service()
    const { owner } = await given.organisation()
    const portal = await register(owner, { redirectUris: ['https://portal.example.test/callback', 'http://localhost:3000/callback'] })
    const job = await register(owner, { name: 'Nightly job', redirectUris: [], grantTypes: ['client_credentials'] })
    const form = new URLSearchParams({ grant_type: 'client_credentials', client_id: job.clientId, client_secret: job.clientSecret })
    const headers = { 'content-type': 'application/x-www-form-urlencoded' }
    expect(await anonymous.post('/oauth2/token', form.toString(), { headers })).toMatchObject({ status: 200 })
    const { page, faults } = await openConsole(owner, '/console/applications')
    const row = page.getByRole('row', { name: /Portal/ })
    await row.getByText('Web application with a server').waitFor()
    await page.getByText('2 applications').waitFor()
    for (const text of ['Active', 'portal.example.test', 'and 1 more', 'Never']) expect(await row.getByText(text).count()).toBe(1)
    expect(
      await page
        .getByRole('row', { name: /Nightly job/ })
        .getByText('Never')
        .count(),
    ).toBe(0)
    const act = async (action: string) => {
      await page.getByRole('button', { name: 'Actions for Portal' }).click()
      await page.getByRole('menuitem', { name: action }).click()
    }

    await act('Revoke')
    const dialog = page.getByRole('alertdialog')
    await dialog.getByText('all of its tokens stop working at once').waitFor()
    await dialog.getByLabel('Reason (optional)').fill('Its server was stolen')
    await dialog.getByRole('button', { name: 'Revoke Portal' }).click()
    await row.getByText('Revoked').waitFor()

    await act('Activate')
    await dialog.getByText('Tokens from before stay invalid').waitFor()
    await dialog.getByRole('button', { name: 'Activate Portal' }).click()
    await row.getByText('Active').waitFor()
    expect(page.url()).toMatch(/\/console\/applications$/)

    await act('Delete')
    const remove = dialog.getByRole('button', { name: 'Delete Portal' })
    await dialog.getByLabel('Type Portal to confirm').fill('portal')
    expect(await remove.getAttribute('aria-disabled')).toBe('true')
    await dialog.getByLabel('Type Portal to confirm').fill('Portal')
    await remove.click()
    // Below the question the row cannot be seen anyway.
    await dialog.waitFor({ state: 'detached' })
    await row.waitFor({ state: 'detached' })

    expect(await actionsOn(owner, portal.id)).toEqual([
      'client.created',
      'client.revoked: Its server was stolen',
      'client.activated',
      'client.deleted',
    ])
    expect((await clientsOf(owner)).map(({ name }: { name: string }) => name)).toEqual(['Nightly job'])
    expect(faults).toEqual([])
  })

  it('is searched, says what it lacks, and recovers from a failure', async () => {
    const { given } = service()
    const { owner } = await given.organisation()
    await register(owner)
    await register(owner, { name: 'Shop' })
    const { page, faults } = await openConsole(owner, '/console/applications?q=nothing')
    await page.getByRole('heading', { name: 'Nothing matches' }).waitFor()
    await page.getByRole('button', { name: 'Clear filters' }).first().click()
    await page.getByRole('searchbox', { name: 'Name or client id' }).fill('Sho')
    await page.getByRole('row', { name: /Portal/ }).waitFor({ state: 'detached' })
    await page.getByRole('row', { name: /Shop/ }).waitFor()
    await page.waitForURL(/\?q=Sho$/)

    const failing = (url: URL) => url.pathname === '/v1/admin/clients'
    await page.route(failing, (route) => route.fulfill(unavailable))
    await page.reload()
    await page.getByText('Not now').waitFor()
    await page.unroute(failing)
    await page.getByRole('button', { name: 'Try again' }).click()
    await page.getByRole('row', { name: /Shop/ }).waitFor()
    for (const fault of faults.splice(0)) expect(fault).toMatch(/^response: 503/)

    const reader = await openConsole(await given.userWith(owner, ['clients:read']), '/console/applications')
    await reader.page.getByRole('row', { name: /Portal/ }).waitFor()
    expect(await reader.page.getByRole('button', { name: /^Actions for/ }).count()).toBe(0)
    expect(await reader.page.getByRole('link', { name: 'Create application' }).count()).toBe(0)
    const other = await openConsole(await given.userWith(owner, ['teams:read']), '/console/applications')
    await other.page.getByText('You need the permission clients:read.').waitFor()
    expect([...faults, ...reader.faults, ...other.faults]).toEqual([])
  })
})
