import { AxeBuilder } from '@axe-core/playwright'
import type { BrowserContextOptions, Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { useBrowserAndService } from '../support/browser.ts'
import { PageVisitor } from '../support/page-visitor.ts'
import { registerInWindow, VirtualAuthenticator } from '../support/virtual-authenticator.ts'

const { browser, service } = useBrowserAndService({ host: 'localhost' })
const password = 'correct horse battery'
/** The address that users type: passkeys belong to its host. */
const address = () => service().services.publicUrl
const button = (page: Page) => page.getByRole('button', { name: 'Sign in with a passkey' })

async function openWindow(options: BrowserContextOptions = {}) {
  const context = await browser().newContext({ baseURL: address(), ...options })
  return { context, page: await context.newPage() }
}

/** A window with a device, on which a user has a passkey. The device is not touched until a test says so. */
async function aWindowWithPasskey() {
  const { owner } = await service().given.organisation()
  const user = await service().given.userWith(owner, [])
  const { context, page } = await openWindow()
  const device = await VirtualAuthenticator.plugInto(page)
  await page.goto('/logged-out')
  const passkey = await registerInWindow(page, user)
  await device.isTouched(false)
  return { owner, user, context, page, device, passkey }
}

describe('the sign-in page', () => {
  it('signs in by the button', async () => {
    const { context, page, device, user } = await aWindowWithPasskey()

    await page.goto('/login')
    await device.isTouched(true)
    await button(page).click()

    await page.getByRole('heading', { name: 'Your account', exact: true }).waitFor()
    expect(await page.locator('.lead').textContent()).toContain(user.email)
    await context.close()
  })

  it('signs in by what the browser offers in the field of the address', async () => {
    const { context, page, device, user } = await aWindowWithPasskey()
    await device.isTouched(true)

    await page.goto('/login')

    await page.getByRole('heading', { name: 'Your account', exact: true }).waitFor()
    expect(await page.locator('.lead').textContent()).toContain(user.email)
    await context.close()
  })

  it('signs in to an application, and leads back to it', async () => {
    const { context, page, device } = await aWindowWithPasskey()

    await page.goto('/login?returnTo=/account/profile')
    await device.isTouched(true)
    await button(page).click()

    await page.waitForURL('**/account/profile')
    await context.close()
  })

  it('lets the device forget a passkey that nobody here has, and only such a one', async () => {
    const { context, page, device, user, passkey } = await aWindowWithPasskey()
    await service().database.system().deleteFrom('passkeys').where('id', '=', passkey.id).execute()
    expect(await device.credentials()).toHaveLength(1)

    await page.goto('/login')
    await device.isTouched(true)
    await button(page).click()

    await page.getByText('This passkey was not recognised').waitFor()
    expect(await page.locator('[data-signals]').getAttribute('data-signals')).toContain('signalUnknownCredential')
    await device.isTouched(false)
    await page.getByLabel('E-mail address').fill(user.email)
    await page.getByLabel('Password').fill(password)
    await page.getByRole('button', { name: 'Sign in', exact: true }).click()
    await page.getByRole('heading', { name: 'Your account', exact: true }).waitFor()
    await context.close()
  })

  it('says so, in the language of the page, when the organisation has switched passkeys off', async () => {
    const { context, page, device, owner } = await aWindowWithPasskey()
    await owner.patch('/v1/admin/organisation', { signInPolicy: { passkeys: 'off' } })

    await page.goto('/login?ui_locales=de')
    await device.isTouched(true)
    await page.getByRole('button', { name: 'Mit einem Passkey anmelden' }).click()

    await page.getByText('Dieser Passkey wurde nicht erkannt').waitFor()
    expect(await page.locator('[data-signals]').count()).toBe(0)
    await context.close()
  })

  it('says so when the device does not recognise its user', async () => {
    const { context, page, device } = await aWindowWithPasskey()
    await device.verifies(false)

    await page.goto('/login')
    await device.isTouched(true)
    await button(page).click()

    await page.getByText('Nothing has happened').waitFor()
    expect(new URL(page.url()).pathname).toBe('/login')
    await context.close()
  })

  it('takes no passkey at another address of the same service', async () => {
    const { context, page, device } = await aWindowWithPasskey()

    await page.goto(`${address().replace('localhost', '127.0.0.1')}/login`)
    await device.isTouched(true)
    await button(page).click()

    await page.getByText('This browser cannot use a passkey at this address.').waitFor()
    await context.close()
  })

  it('works without scripts as it did', async () => {
    const { owner } = await service().given.organisation()
    const user = await service().given.userWith(owner, [])
    const { context, page } = await openWindow({ javaScriptEnabled: false })

    await page.goto('/login')
    expect(await page.getByRole('button').allTextContents()).toEqual(['Sign in'])
    await page.getByLabel('E-mail address').fill(user.email)
    await page.getByLabel('Password').fill('a wrong one')
    await page.getByRole('button').click()
    await page.getByText('The e-mail address or the password is wrong').first().waitFor()
    await page.getByLabel('Password').fill(password)
    await page.getByRole('button').click()
    await page.getByRole('heading', { name: 'Your account', exact: true }).waitFor()
    await context.close()
  })

  it('has no violations by axe-core or of its policy', async () => {
    const { context, page } = await openWindow({ bypassCSP: true })
    const found: string[] = []
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme })
      for (const language of ['en', 'de']) {
        await page.goto(`/login?ui_locales=${language}`)
        await page.locator('[data-passkey] button').waitFor()
        const { violations } = await new AxeBuilder({ page })
          .withTags(['wcag2a', 'wcag2aa', 'wcag21aa', 'wcag22aa', 'best-practice'])
          .analyze()
        found.push(...violations.map(({ id }) => `${language} ${colorScheme}: ${id}`))
      }
    }
    expect(found).toEqual([])
    await context.close()
  })

  it('may ask devices, and run our script and no other', async () => {
    const { headers, body } = await service().anonymous.get('/login')

    expect(headers.get('content-security-policy')).toBe(
      "default-src 'none'; style-src 'self'; img-src 'self'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'; script-src 'self'; require-trusted-types-for 'script'",
    )
    expect(headers.get('permissions-policy')).toBe('publickey-credentials-get=(self), publickey-credentials-create=(self)')
    expect(body.match(/<script[^>]*>/g)).toEqual([expect.stringMatching(/^<script src="\/assets\/passkeys-[0-9a-f]{12}\.js" defer>$/)])
    expect((await service().anonymous.get('/password/forgot')).headers.get('permissions-policy')).toBeNull()
  })

  it('refuses what no browser sends, and a form without its token', async () => {
    const visitor = new PageVisitor(service().origin)
    for (const credential of ['{', '{}', 'null', '"x"', JSON.stringify({ id: 'x', rawId: 'x', type: 'y', response: {} })]) {
      const refused = await visitor.submit('/login', { flowToken: 'x', credential })
      expect([credential, refused.status]).toEqual([credential, 401])
      expect(refused.body).not.toContain('data-signals')
    }
    expect(await visitor.submit('/login', { flowToken: 'x', credential: '{}', formToken: 'x' })).toMatchObject({ status: 403 })
  })
})
