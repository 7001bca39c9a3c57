import type { BrowserContext, BrowserContextOptions, Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { enrolAuthenticator } from '../support/authenticator.ts'
import { useBrowserAndService } from '../support/browser.ts'
import type { SignedInUser } from '../support/given.ts'
import { coloursOn, inOtherScheme, prepareLooks, violationsOn } from '../support/looks.ts'
import { PageVisitor } from '../support/page-visitor.ts'
import { PasskeyDevice, registerPasskey } from '../support/passkeys.ts'
import { assertInWindow, registerInWindow, VirtualAuthenticator } from '../support/virtual-authenticator.ts'

const { browser, service } = useBrowserAndService({ host: 'localhost', environment: { OAUTH_EXTENSIONS: 'step_up' } })
const password = 'correct horse battery'
/** The address that users type: passkeys belong to its host. */
const address = () => service().services.publicUrl
const button = (page: Page) => page.getByRole('button', { name: 'Sign in with a passkey' })

async function openWindow(options: BrowserContextOptions = {}) {
  const context = await browser().newContext({ baseURL: address(), ...options })
  return { context, page: await context.newPage() }
}

/**
 * A window with a device, on which a user has a passkey. The device is not touched until a test says so.
 *
 * @param fillsIn whether the browser offers passkeys in a field. A device that is touched answers that, before a user can click
 */
async function aWindowWithPasskey({ fillsIn = false } = {}) {
  const { owner } = await service().given.organisation()
  const user = await service().given.userWith(owner, [])
  const { context, page } = await openWindow()
  const device = await VirtualAuthenticator.plugInto(page)
  if (!fillsIn) await page.addInitScript('PublicKeyCredential.isConditionalMediationAvailable = async () => false')
  await page.goto('/logged-out')
  const passkey = await registerInWindow(page, user)
  await device.isTouched(false)
  return { owner, user, context, page, device, passkey }
}

/** A window of a user who is signed in, with a device that has no passkey yet. */
async function aSignedInWindow(device: Parameters<typeof VirtualAuthenticator.plugInto>[1] = {}, options: BrowserContextOptions = {}) {
  const { owner } = await service().given.organisation()
  const user = await service().given.userWith(owner, [])
  const { context, page } = await openWindow(options)
  await signInto(context, user)
  return { owner, user, context, page, device: await VirtualAuthenticator.plugInto(page, device) }
}

async function signInto(context: BrowserContext, { cookie }: SignedInUser): Promise<void> {
  const [name = '', value = ''] = cookie.split('=')
  await context.addCookies([{ name, value, url: address() }])
}

/** What axe-core finds on a page that asks for passkeys. */
async function violationsIn(page: Page, path: string): Promise<string[]> {
  const found: string[] = []
  for (const language of ['en', 'de']) {
    await page.goto(`${path}${path.includes('?') ? '&' : '?'}ui_locales=${language}`)
    await page.getByRole('button').first().waitFor()
    await prepareLooks(page)
    const mistakes = [...(await violationsOn(page)), ...(await inOtherScheme(page, () => coloursOn(page)))]
    found.push(...mistakes.map((one) => `${path} ${language}: ${one}`))
  }
  return found
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
    const { context, page, device, user } = await aWindowWithPasskey({ fillsIn: true })
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

    await page.waitForURL(({ pathname }) => pathname === '/account/profile')
    await context.close()
  })

  it('lets the device forget a passkey that is unknown here, and only such a one', async () => {
    const { context, page, device, user, passkey } = await aWindowWithPasskey()
    await service().database.system().deleteFrom('passkeys').where('id', '=', passkey.id).execute()
    expect(await device.credentials()).toHaveLength(1)

    await page.goto('/login')
    await device.isTouched(true)
    await button(page).click()

    await page.getByText('This passkey was not recognised').waitFor()
    expect(await page.locator('[data-signals]').getAttribute('data-signals')).toContain('signalUnknownCredential')
    await expect.poll(() => device.credentials()).toEqual([])
    await device.isTouched(false)
    await page.getByLabel('E-mail address').fill(user.email)
    await page.getByLabel('Password').fill(password)
    await page.getByRole('button', { name: 'Sign in', exact: true }).click()
    await page.getByRole('link', { name: 'Not now' }).click()
    await page.getByRole('heading', { name: 'Your account', exact: true }).waitFor()
    await context.close()
  })

  it('says so, in the language of the page, when the organisation has switched passkeys off', async () => {
    const { context, page, device, owner, user } = await aWindowWithPasskey()
    await owner.patch('/v1/admin/organisation', { signInPolicy: { passkeys: 'off' } })

    await page.goto('/login?ui_locales=de')
    await device.isTouched(true)
    await page.getByRole('button', { name: 'Mit einem Passkey anmelden' }).click()

    await page.getByText('Dieser Passkey wurde nicht erkannt').waitFor()
    expect(await page.locator('[data-signals]').count()).toBe(0)
    expect(await device.credentials()).toHaveLength(1)
    await signInto(context, user)
    await page.goto('/account')
    expect(await page.getByRole('link', { name: 'Manage passkeys' }).count()).toBe(0)
    await page.goto('/account/passkeys')
    await page.getByText('Your organisation does not allow passkeys.').waitFor()
    expect(await page.getByRole('button', { name: 'Add a passkey' }).count()).toBe(0)
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
    expect(await violationsIn(page, '/login')).toEqual([])
    await context.close()
  })

  it('may ask devices, and run our scripts and no other', async () => {
    const { headers, body } = await service().anonymous.get('/login')

    expect(headers.get('content-security-policy')).toBe(
      "default-src 'none'; style-src 'self'; img-src 'self'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'; script-src 'self'; require-trusted-types-for 'script'; trusted-types 'none'",
    )
    expect(headers.get('permissions-policy')).toBe('publickey-credentials-get=(self), publickey-credentials-create=(self)')
    const scripts = ['account', 'passkeys'].map((name) => new RegExp(`^<script src="/assets/${name}-[0-9a-f]{12}\\.js" defer>$`))
    expect(body.match(/<script[^>]*>/g)).toEqual(scripts.map((script) => expect.stringMatching(script)))
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

describe('the passkeys of the account', () => {
  const heading = (page: Page) => page.getByRole('heading', { name: 'Passkeys', exact: true }).waitFor()

  it('are added, used, renamed and removed there', async () => {
    const { context, page, device } = await aSignedInWindow()

    await page.goto('/account')
    await page.getByRole('link', { name: 'Manage passkeys' }).click()
    await page.getByLabel('Name of the new passkey').fill('Laptop')
    await page.getByRole('button', { name: 'Add a passkey' }).click()
    await page.getByText('The passkey has been added. It signs you in from now on.').waitFor()
    expect(await page.locator('.records li').allTextContents()).toEqual([expect.stringMatching(/^Laptop.*Signs you in.*never used/)])
    expect(await device.credentials()).toHaveLength(1)

    await page.getByRole('button', { name: 'Add a passkey' }).click()
    await page.getByText('This device has a passkey of yours already.').waitFor()

    await page.getByRole('link', { name: 'Change: Laptop' }).click()
    await page.getByLabel('Name').fill('')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('Fill in this field').waitFor()
    await page.getByLabel('Name').fill('Old laptop')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('The name has been changed.').waitFor()

    page.once('dialog', (dialog) => void dialog.accept())
    await page.getByRole('link', { name: 'Change: Old laptop' }).click()
    await page.getByRole('button', { name: 'Remove this passkey' }).click()
    await page.getByText('The passkey has been removed.').waitFor()
    expect(await page.locator('.records').count()).toBe(0)
    expect(await page.locator('[data-signals]').getAttribute('data-signals')).toContain('"allAcceptedCredentialIds":[]')
    await expect.poll(() => device.credentials()).toEqual([])
    await context.close()
  })

  it('are second factors only on a key that does not check its user', async () => {
    const { context, page } = await aSignedInWindow({ transport: 'usb', verifies: false })

    await page.goto('/account/passkeys')
    await page.getByRole('button', { name: 'Add a passkey' }).click()

    await page.getByText('so it is a second factor only').waitFor()
    expect(await page.locator('.records li').allTextContents()).toEqual([expect.stringContaining('Second factor after your password only')])
    await context.close()
  })

  it('ask who is long signed in for the password, without scripts too', async () => {
    const { user, context } = await aWindowWithPasskey()
    service().clock.advance({ minutes: 16 })
    const window = await openWindow({ javaScriptEnabled: false })
    await signInto(window.context, user)
    const { page } = window

    await page.goto('/account/passkeys')
    expect(await page.getByRole('button').count()).toBe(0)
    await page.getByRole('link', { name: 'Change: Passkey' }).click()
    await page.getByRole('button', { name: 'Remove this passkey' }).click()
    await page.getByLabel('Password').fill(password)
    await page.getByRole('button', { name: 'Verify' }).click()
    await heading(page)
    expect(await page.locator('.records li').count()).toBe(1)
    await page.getByRole('link', { name: 'Change: Passkey' }).click()
    await page.getByRole('button', { name: 'Remove this passkey' }).click()
    await page.getByText('The passkey has been removed.').waitFor()
    await window.context.close()
    await context.close()
  })

  it('come first where the organisation requires one', async () => {
    const { owner } = await service().given.organisation()
    const user = await service().given.user(owner)
    await owner.patch('/v1/admin/organisation', { signInPolicy: { passkeys: 'required' } })
    const { context, page } = await openWindow()
    const device = await VirtualAuthenticator.plugInto(page)
    await device.isTouched(false)

    await page.goto('/login?returnTo=/account/profile')
    await page.getByLabel('E-mail address').fill(user.email)
    await page.getByLabel('Password').fill(password)
    await page.getByRole('button', { name: 'Sign in', exact: true }).click()
    await page.getByText('requires one that signs you in').waitFor()
    await device.isTouched(true)
    await page.getByRole('button', { name: 'Add a passkey' }).click()

    await page.waitForURL(({ pathname }) => pathname === '/account/profile')
    await context.close()
  })

  it('have no violations by axe-core', async () => {
    const { context, page } = await aSignedInWindow({}, { bypassCSP: true })
    await page.goto('/account/passkeys')
    await page.getByRole('button', { name: 'Add a passkey' }).click()
    await page.locator('.records').waitFor()
    const change = (await page.locator('.records a').getAttribute('href')) ?? ''
    expect([...(await violationsIn(page, '/account/passkeys')), ...(await violationsIn(page, change))]).toEqual([])
    await context.close()
  })
})

describe('the offer of a passkey', () => {
  const signInAt = async (page: Page, path: string, email: string) => {
    await page.goto(path)
    await page.getByLabel('E-mail address').fill(email)
    await page.getByLabel('Password').fill(password)
    await page.getByRole('button', { name: 'Sign in', exact: true }).click()
  }
  const offer = (page: Page) => page.getByRole('heading', { name: 'Sign in faster next time' })
  const isAt =
    (path: string) =>
    ({ pathname }: URL) =>
      pathname === path

  it('follows a sign-in by password, and leads on to where it was going', async () => {
    const { owner } = await service().given.organisation()
    const user = await service().given.user(owner)
    const { context, page } = await openWindow({ bypassCSP: true })
    const device = await VirtualAuthenticator.plugInto(page)
    await page.addInitScript('PublicKeyCredential.isConditionalMediationAvailable = async () => false')

    await signInAt(page, '/login?returnTo=/account/profile', user.email)
    await offer(page).waitFor()
    expect(await violationsIn(page, '/login/passkey?returnTo=/account/profile')).toEqual([])
    await page.goto('/login/passkey?returnTo=/account/profile')
    await page.getByRole('button', { name: 'Add a passkey' }).click()
    await page.waitForURL(isAt('/account/profile'))

    expect(await device.credentials()).toHaveLength(1)
    await context.close()
  })

  it('is skipped for 90 days, by every device of the user', async () => {
    const { owner } = await service().given.organisation()
    const user = await service().given.user(owner)
    for (const [days, isOffered] of [
      [0, true],
      [89, false],
      [2, true],
    ] as const) {
      service().clock.advance({ days })
      const { context, page } = await openWindow()
      await VirtualAuthenticator.plugInto(page)
      await signInAt(page, '/login?returnTo=/account/profile', user.email)
      if (isOffered) await page.getByRole('link', { name: 'Not now' }).click()
      await page.waitForURL(isAt('/account/profile'))
      await context.close()
    }
  })

  it('is made to no user whose device has no passkeys, who has one, or whose organisation takes none', async () => {
    const { owner } = await service().given.organisation()
    const [plain, holder] = [await service().given.user(owner), await service().given.userWith(owner, [])]
    const other = await service().given.organisation()
    await other.owner.patch('/v1/admin/organisation', { signInPolicy: { passkeys: 'off' } })
    await registerPasskey(holder, new PasskeyDevice({ origin: address() }))
    const offeredAt = () =>
      service().database.system().selectFrom('users').select('email').where('passkeyOfferedAt', 'is not', null).execute()
    const before = await offeredAt()

    for (const [email, hasDevice] of [
      [plain.email, false],
      [holder.email, true],
      [other.owner.email, true],
    ] as const) {
      const { context, page } = await openWindow()
      if (hasDevice) await VirtualAuthenticator.plugInto(page)
      await page.addInitScript('PublicKeyCredential.isConditionalMediationAvailable = async () => false')
      await signInAt(page, '/login?returnTo=/account/profile', email)
      await page.waitForURL(isAt('/account/profile'))
      await context.close()
    }
    const visitor = new PageVisitor(service().origin)
    const answer = await visitor.submit('/login', { email: plain.email, password })
    expect([answer.status, answer.headers.get('location')]).toEqual([303, '/'])
    expect(await offeredAt()).toEqual(before)
  })
})

describe('passkeys as second factor', () => {
  it('are switched on, and changed by themselves where there are no codes', async () => {
    const { owner, context, page } = await aSignedInWindow()
    await owner.patch('/v1/admin/organisation', { allowedMfaMethods: ['totp', 'passkey'] })
    await page.goto('/mfa/enroll?returnTo=/account')
    expect(await page.getByRole('button', { name: 'Use your passkeys' }).count()).toBe(0)
    await page.goto('/account/passkeys')
    await page.getByRole('button', { name: 'Add a passkey' }).click()
    await page.getByText('The passkey has been added.').waitFor()

    await page.goto('/account')
    await page.getByRole('link', { name: 'Set up two-step verification' }).click()
    await page.getByRole('button', { name: 'Use your passkeys' }).click()
    await page.getByText('Confirm with one of your passkeys.').waitFor()
    await page.getByRole('button', { name: 'Use a passkey' }).click()
    await page.getByRole('heading', { name: 'Save your backup codes' }).waitFor()
    const codes = await page.locator('.codes li').allTextContents()
    expect(codes).toHaveLength(10)
    await page.getByRole('link', { name: 'I have saved them' }).click()
    await page.getByText('a false sign-in page gets nothing').waitFor()

    const change = async (button: string) => {
      await page.getByRole('link', { name: 'Change two-step verification' }).click()
      await page.getByRole('button', { name: button }).click()
    }
    await change('New backup codes')
    await page.getByRole('heading', { name: 'Save your backup codes' }).waitFor()
    expect(codes).not.toContain(await page.locator('.codes li').first().textContent())
    await page.getByRole('link', { name: 'I have saved them' }).click()
    await change('Add an authenticator app')
    await page.getByText('Scan this code').waitFor()
    await page.goto('/account')
    await change('Switch off')
    await page.getByText('Two-step verification is off.').waitFor()
    await context.close()
  })

  it('are added to an app with a code of it, and without scripts the page says what it takes', async () => {
    const { owner, user, context } = await aWindowWithPasskey()
    await owner.patch('/v1/admin/organisation', { allowedMfaMethods: ['totp', 'passkey'] })
    const { authenticator } = await enrolAuthenticator(user, service().clock)
    const without = await openWindow({ javaScriptEnabled: false })
    await signInto(without.context, user)
    const { page } = without

    await page.goto('/account/second-factor')
    await page.getByLabel('Code').fill(authenticator.nextCode())
    await page.getByRole('button', { name: 'Use passkeys, too' }).click()

    await page.getByText('Confirm with one of your passkeys.').waitFor()
    expect(await page.getByText('To use a passkey, allow JavaScript').isVisible()).toBe(true)
    await without.context.close()
    await context.close()
  })

  it('leave nothing behind when the page of passkeys is only opened', async () => {
    const { owner } = await service().given.organisation()
    const visitor = new PageVisitor(service().origin, owner.cookie)
    const handles = () => service().database.system().selectFrom('passkeyUsers').select('userId').where('userId', '=', owner.id).execute()

    expect((await visitor.open('/account/passkeys')).body).toContain('Add a passkey')
    expect(await handles()).toEqual([])
    expect((await visitor.submit('/account/passkeys', { action: 'begin', name: 'Work laptop' })).body).toContain('value="Work laptop"')
    expect(await handles()).toHaveLength(1)
  })
})

describe('a passkey', () => {
  it('proves that it is still the user', async () => {
    const { user, context, page, device } = await aWindowWithPasskey()
    await signInto(context, user)
    service().clock.advance({ minutes: 16 })

    await page.goto('/account/passkeys')
    await page.getByRole('link', { name: 'Verify that it is you, to add a passkey' }).click()
    await device.isTouched(true)
    await page.getByRole('button', { name: 'Use a passkey' }).click()

    await page.getByRole('button', { name: 'Add a passkey' }).waitFor()
    expect(new URL(page.url()).pathname).toBe('/account/passkeys')
    await context.close()
  })

  it('raises a session for an application, and without scripts the page says what it takes', async () => {
    const { user, context, page, device } = await aWindowWithPasskey()
    await signInto(context, user)
    const address = '/login/mfa?for=session&level=phr&returnTo=/account/profile'
    const without = await openWindow({ javaScriptEnabled: false })
    await signInto(without.context, user)

    await without.page.goto(address)
    expect(await without.page.getByText('To use a passkey, allow JavaScript').isVisible()).toBe(true)
    expect(await without.page.getByRole('button').count()).toBe(0)
    await page.goto(address)
    await device.isTouched(true)
    await page.getByRole('button', { name: 'Use a passkey' }).click()

    await page.waitForURL(({ pathname }) => pathname === '/account/profile')
    expect(await user.get('/v1/auth/csrf')).toMatchObject({ status: 401 })
    await without.context.close()
    await context.close()
  })

  it('comes before the enrolment that the password leads to', async () => {
    const { owner, user, context, page, device } = await aWindowWithPasskey()
    await owner.patch('/v1/admin/organisation', { requireMfa: true })

    await page.goto('/login')
    await page.getByLabel('E-mail address').fill(user.email)
    await page.getByLabel('Password').fill(password)
    await page.getByRole('button', { name: 'Sign in', exact: true }).click()
    await page.getByText('Your organisation asks for more than your password.').waitFor()
    expect(await page.getByRole('textbox').count()).toBe(0)
    await device.isTouched(true)
    await page.getByRole('button', { name: 'Use a passkey' }).click()

    await page.getByRole('heading', { name: 'Your account', exact: true }).waitFor()
    await context.close()
  })

  it('follows the password as second factor', async () => {
    const { owner, user, context, page, device } = await aWindowWithPasskey()
    await owner.patch('/v1/admin/organisation', { allowedMfaMethods: ['totp', 'passkey'] })
    const { flowToken, options } = (await user.post('/v1/me/mfa/enable', { method: 'passkey' })).body
    await device.isTouched(true)
    const credential = await assertInWindow(page, options)
    expect(await user.post('/v1/me/mfa/verify', { flowToken, credential })).toMatchObject({ status: 200 })
    await device.isTouched(false)

    await page.goto('/login')
    await page.getByLabel('E-mail address').fill(user.email)
    await page.getByLabel('Password').fill(password)
    await page.getByRole('button', { name: 'Sign in', exact: true }).click()
    await page.getByText('Use your passkey, or enter one of your backup codes.').waitFor()
    await device.isTouched(true)
    await page.getByRole('button', { name: 'Use a passkey' }).click()

    await page.getByRole('heading', { name: 'Your account', exact: true }).waitFor()
    await context.close()
  })
})
