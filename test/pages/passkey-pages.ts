import type { Browser, BrowserContextOptions, Page } from 'playwright-core'
import { type SignedInUser, unique } from '../support/given.ts'
import type { TestService } from '../support/service.ts'
import { registerInWindow, VirtualAuthenticator } from '../support/virtual-authenticator.ts'

type Look = (name: string, page: Page) => Promise<void>

/** The pages that ask for passkeys, in a browser with a device. The service has `step_up`, and an address that can have passkeys. */
export async function visitPasskeyPages(browser: Browser, service: TestService, look: Look, options: BrowserContextOptions): Promise<void> {
  const { owner } = await service.given.organisation()
  await owner.patch('/v1/admin/organisation', { name: `Northwind ${unique()}`, allowedMfaMethods: ['totp', 'sms', 'passkey'] })
  const user = await service.given.userWith(owner, [])
  const context = await browser.newContext({ baseURL: service.services.publicUrl, ...options })
  const page = await context.newPage()
  const device = await VirtualAuthenticator.plugInto(page)
  await device.isTouched(false)
  const both = async (name: string, path: string) => {
    await page.goto(path)
    await look(name, page)
    await page.goto(`${path}${path.includes('?') ? '&' : '?'}ui_locales=de`)
    await look(`${name}-german`, page)
  }
  const signIn = async () => {
    await page.goto('/login?returnTo=/account')
    await page.getByLabel('E-mail address').fill(user.email)
    await page.getByLabel('Password').fill(user.password)
    await page.getByRole('button', { name: 'Sign in', exact: true }).click()
  }

  await both('login-with-passkeys', '/login')
  await signIn()
  await page.getByRole('heading', { name: 'Sign in faster next time' }).waitFor()
  await both('passkey-offer', '/login/passkey?returnTo=/account')
  await page.goto('/account/passkeys')
  await look('account-passkeys-none', page)
  await device.isTouched(true)
  for (const options of [{ name: 'Work laptop' }, { name: '' }]) {
    await page.getByLabel('Name of the new passkey').fill(options.name)
    await page.getByRole('button', { name: 'Add a passkey' }).click()
    // The device has one then.
    await page.getByText(/The passkey has been added|This device has a passkey/).waitFor()
  }
  await look('account-passkeys-known', page)
  await both('account-passkeys-one', '/account/passkeys')
  await page.getByRole('link', { name: /Change|Ändern/ }).click()
  await look('account-passkey-german', page)
  await device.isTouched(false)
  await both('step-up-by-passkey', '/login/mfa?for=session&level=phr&returnTo=/account')
  await both('mfa-enrol-choice', '/mfa/enroll')
  await page.goto('/mfa/enroll')
  await page.getByRole('button', { name: 'Use your passkeys' }).click()
  await page.getByText('Confirm with one of your passkeys').waitFor()
  await both('mfa-enrol-passkey', '/mfa/enroll')
  await device.isTouched(true)
  await page.goto('/mfa/enroll')
  await page.getByRole('button', { name: 'Use a passkey' }).click()
  await page.getByRole('heading', { name: 'Save your backup codes' }).waitFor()
  await device.isTouched(false)
  await both('account-second-factor-passkey', '/account/second-factor')
  await both('account-with-passkey', '/account')
  await context.clearCookies()
  await signIn()
  await page.getByText('Use your passkey, or enter').waitFor()
  await both('second-factor-passkey', '/login/mfa')
  await context.close()
  await visitWithoutEnrolment(browser, service, look, options)
}

/** The passkey that comes before the enrolment, in a browser with a script and without one. */
async function visitWithoutEnrolment(browser: Browser, service: TestService, look: Look, options: BrowserContextOptions): Promise<void> {
  const { owner } = await service.given.organisation()
  const user: SignedInUser = await service.given.userWith(owner, [])
  const window = await browser.newContext({ baseURL: service.services.publicUrl, ...options })
  const registering = await window.newPage()
  await VirtualAuthenticator.plugInto(registering)
  await registering.goto('/logged-out')
  await registerInWindow(registering, user)
  await window.close()
  await owner.patch('/v1/admin/organisation', { name: `Northwind ${unique()}`, requireMfa: true })
  for (const javaScriptEnabled of [true, false]) {
    const context = await browser.newContext({ baseURL: service.services.publicUrl, ...options, javaScriptEnabled })
    const page = await context.newPage()
    await page.goto('/login')
    await page.getByLabel('E-mail address').fill(user.email)
    await page.getByLabel('Password').fill(user.password)
    await page.getByRole('button', { name: 'Sign in', exact: true }).click()
    await page.getByText('Your organisation asks for more').waitFor()
    await look(`passkey-before-enrolment${javaScriptEnabled ? '' : '-without-script'}`, page)
    await page.goto('/login/mfa?ui_locales=de')
    await look(`passkey-before-enrolment-german${javaScriptEnabled ? '' : '-without-script'}`, page)
    await context.close()
  }
}
