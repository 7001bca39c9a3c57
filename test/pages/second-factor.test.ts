import { randomInt } from 'node:crypto'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import jsQR from 'jsqr'
import type { BrowserContext, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { Authenticator } from '../support/authenticator.ts'
import { useBrowserAndService } from '../support/browser.ts'
import type { TestOrganisation } from '../support/given.ts'
import { claimsOf, givenApplication, pkce, type TestApplication } from '../support/oauth.ts'
import { PageVisitor } from '../support/page-visitor.ts'

const { browser, service } = useBrowserAndService({ ofItsOwn: true })
const password = 'correct horse battery'
const aPhone = () => `+4915${randomInt(100_000_000, 999_999_999)}`

const contexts: BrowserContext[] = []
afterEach(async () => {
  for (const context of contexts.splice(0)) await context.close()
})

async function open(javaScriptEnabled = false): Promise<Page> {
  const context = await browser().newContext({ baseURL: service().origin, javaScriptEnabled })
  contexts.push(context)
  return context.newPage()
}

/** The content of the QR code on the page, as a phone reads it. */
async function scanQrCode(page: Page): Promise<string> {
  const picture = (await page.locator('.qr').screenshot()).toString('base64')
  const camera = await open(true)
  const { pixels, width, height } = await camera.evaluate<{ pixels: number[]; width: number; height: number }>(`(async () => {
    const picture = new Image()
    picture.src = 'data:image/png;base64,${picture}'
    await picture.decode()
    const { width, height } = picture
    const canvas = new OffscreenCanvas(width, height).getContext('2d')
    canvas.drawImage(picture, 0, 0)
    return { pixels: [...canvas.getImageData(0, 0, width, height).data], width, height }
  })()`)
  const scanned = jsQR.default(Uint8ClampedArray.from(pixels), width, height)
  if (!scanned) throw new Error('There is no QR code that could be read')
  return scanned.data
}

/** The site of the applications: it shows the parameters that the sign-in returns. */
const site = createServer((_request, response) => response.end('The application'))
beforeAll(() => new Promise<void>((resolve) => site.listen(0, '127.0.0.1', resolve)))
afterAll(() => {
  site.closeAllConnections()
  site.close()
})

async function anApplication(organisation: TestOrganisation): Promise<TestApplication> {
  const { port } = site.address() as AddressInfo
  return givenApplication(service(), { organisation, redirectUris: [`http://localhost:${port}/callback`] })
}

/** Sends the browser from the application to the sign-in, with e-mail and password. @returns a function that redeems the code */
async function startSignIn(page: Page, application: TestApplication, email: string, withPassword = password): Promise<string> {
  const { verifier, challenge } = pkce()
  const query = new URLSearchParams({
    response_type: 'code',
    client_id: application.id,
    redirect_uri: application.redirectUri,
    scope: 'openid',
    code_challenge: challenge,
    code_challenge_method: 'S256',
  })
  await page.goto(`/oauth2/authorize?${query}`)
  await enterPassword(page, email, withPassword)
  return verifier
}

async function enterPassword(page: Page, email: string, withPassword = password): Promise<void> {
  await page.getByLabel('E-mail address').fill(email)
  await page.getByLabel('Password', { exact: true }).fill(withPassword)
  await page.getByRole('button', { name: 'Sign in' }).click()
}

async function enterCode(page: Page, code: string, button: string): Promise<void> {
  await page.getByRole('textbox', { name: 'Code' }).fill(code)
  await page.getByRole('button', { name: button }).click()
}

/** The claims of the ID token that the application gets for its code. */
async function finishSignIn(page: Page, application: TestApplication, verifier: string) {
  await page.waitForURL(`${application.redirectUri}?**`)
  const code = new URL(page.url()).searchParams.get('code') ?? ''
  const redeemed = await application.redeem(code, verifier)
  expect(redeemed).toMatchObject({ status: 200 })
  return claimsOf(redeemed.body.id_token)
}

describe('a sign-in where the organisation requires a second factor', () => {
  it('enrols by the QR code on the way to the application, and requires a code from then on', async () => {
    const { given, clock } = service()
    const organisation = await given.organisation()
    const user = await given.user(organisation.owner)
    await organisation.owner.patch('/v1/admin/organisation', { requireMfa: true })
    const application = await anApplication(organisation)
    const page = await open()

    const verifier = await startSignIn(page, application, user.email)
    await page.getByRole('heading', { name: 'Set up two-step verification' }).waitFor()
    expect(await page.locator('.lead').first().textContent()).toContain(`${organisation.name} requires it`)
    await page.getByRole('button', { name: 'Set up an authenticator app' }).click()
    await page.locator('.qr').waitFor()
    const scanned = new URL(await scanQrCode(page))
    expect(scanned).toMatchObject({ protocol: 'otpauth:', host: 'totp' })
    expect(decodeURIComponent(scanned.pathname)).toContain(user.email)
    expect(scanned.searchParams.get('issuer')).toBe(organisation.name)
    const secret = scanned.searchParams.get('secret') ?? ''
    expect((await page.locator('.secret').textContent())?.replaceAll(' ', '')).toBe(secret)

    // A user who skips the enrolment is redirected back to it.
    await page.goto('/account')
    const unfinished = await page.context().cookies()
    const session = unfinished.find(({ name }) => name === 'svc_session')?.value
    const refused = await service().anonymous.get('/v1/me/sessions', { headers: { cookie: `svc_session=${session}` } })
    expect(refused.status).toBe(403)
    await page.goBack()

    const authenticator = new Authenticator(secret, clock)
    await enterCode(page, authenticator.wrongCode(), 'Switch on')
    await page.locator('[aria-invalid=true]').waitFor()
    expect(new URL(await scanQrCode(page)).searchParams.get('secret')).toBe(secret)
    await enterCode(page, authenticator.code(), 'Switch on')
    await page.getByRole('heading', { name: 'Save your backup codes' }).waitFor()
    expect(await page.locator('.codes li').count()).toBe(10)
    await page.getByRole('link', { name: 'I have saved them' }).click()
    expect(await finishSignIn(page, application, verifier)).toMatchObject({ sub: user.id, amr: ['pwd', 'otp', 'mfa'] })

    const later = await open()
    const laterVerifier = await startSignIn(later, application, user.email)
    await later.getByRole('heading', { name: 'Verify that it is you' }).waitFor()
    await enterCode(later, authenticator.nextCode(), 'Verify')
    expect(await finishSignIn(later, application, laterVerifier)).toMatchObject({ sub: user.id, amr: ['pwd', 'otp', 'mfa'] })
  })

  it('cannot bypass the enrolment to get a code for the application', async () => {
    const { given } = service()
    const organisation = await given.organisation()
    const user = await given.user(organisation.owner)
    await organisation.owner.patch('/v1/admin/organisation', { requireMfa: true })
    const application = await anApplication(organisation)
    const page = await open()
    await startSignIn(page, application, user.email)
    await page.getByRole('heading', { name: 'Set up two-step verification' }).waitFor()
    const returnTo = new URL(page.url()).searchParams.get('returnTo') ?? ''

    await page.goto(returnTo)

    expect(new URL(page.url()).pathname).toBe('/mfa/enroll')
  })
})

describe('a phone as second factor', () => {
  async function organisationWithPhones(allowedMfaMethods = ['totp', 'sms']) {
    const organisation = await service().given.organisation()
    const changed = await organisation.owner.patch('/v1/admin/organisation', { allowedMfaMethods, requireMfa: true })
    expect(changed).toMatchObject({ status: 200 })
    const user = await service().given.user(organisation.owner)
    return { organisation, user, application: await anApplication(organisation) }
  }

  it('is enrolled in place of an app, and its codes sign in', async () => {
    const { phones } = service()
    const { application, user } = await organisationWithPhones()
    const phone = aPhone()
    const page = await open()

    const verifier = await startSignIn(page, application, user.email)
    await page.getByRole('link', { name: 'Use text messages instead' }).click()
    await page.getByLabel('Phone number').fill('12')
    await page.getByRole('button', { name: 'Send a code' }).click()
    await page.getByText('Enter a phone number with country code').first().waitFor()
    expect(await page.getByLabel('Phone number').inputValue()).toBe('12')
    await page.getByLabel('Phone number').fill(phone)
    await page.getByRole('button', { name: 'Send a code' }).click()
    await page.getByText(`Enter the code that we sent to ${phone}.`).waitFor()
    await enterCode(page, phones.codeTo(phone) === '000000' ? '000001' : '000000', 'Switch on')
    await page.getByText('This code is wrong or has been used').first().waitFor()
    await enterCode(page, phones.codeTo(phone), 'Switch on')
    await page.getByRole('link', { name: 'I have saved them' }).click()
    expect(await finishSignIn(page, application, verifier)).toMatchObject({ sub: user.id, amr: ['pwd', 'sms', 'mfa'] })

    const later = await open()
    const laterVerifier = await startSignIn(later, application, user.email)
    await later.getByText('Enter the six digits that we sent to your phone.').waitFor()
    const first = phones.codeTo(phone)
    const sentBefore = phones.countTo(phone)
    await later.getByRole('button', { name: 'Send a code to my phone' }).click()
    await later.getByText('A code is on its way to your phone.').waitFor()
    expect(phones.countTo(phone)).toBe(sentBefore + 1)
    const second = phones.codeTo(phone)
    if (first !== second) {
      await enterCode(later, first, 'Verify')
      await later.getByText('This code is wrong or has been used').first().waitFor()
    }
    await enterCode(later, second, 'Verify')
    expect(await finishSignIn(later, application, laterVerifier)).toMatchObject({ sub: user.id, amr: ['pwd', 'sms', 'mfa'] })
  })

  it('is the only offer when the organisation allows no app', async () => {
    const { application, user } = await organisationWithPhones(['sms'])
    const phone = aPhone()
    const page = await open()
    await startSignIn(page, application, user.email)
    await page.getByLabel('Phone number').fill(phone)
    await page.getByRole('button', { name: 'Send a code' }).click()
    await page.getByText(`Enter the code that we sent to ${phone}.`).waitFor()

    expect(await page.getByRole('button', { name: 'Use an authenticator app instead' }).count()).toBe(0)
  })

  it('is not offered when the organisation allows only an app', async () => {
    const { application, user } = await organisationWithPhones(['totp'])
    const page = await open()
    await startSignIn(page, application, user.email)
    await page.getByRole('heading', { name: 'Set up two-step verification' }).waitFor()

    expect(await page.getByRole('link', { name: 'Use text messages instead' }).count()).toBe(0)
    await page.goto('/mfa/enroll?method=sms')
    expect(await page.getByLabel('Phone number').count()).toBe(0)
    expect(await page.getByRole('button', { name: 'Set up an authenticator app' }).count()).toBe(1)
  })

  it('can be changed for an app before it is confirmed', async () => {
    const { application, user } = await organisationWithPhones()
    const phone = aPhone()
    const page = await open()
    await startSignIn(page, application, user.email)
    await page.getByRole('link', { name: 'Use text messages instead' }).click()
    await page.getByRole('button', { name: 'Use an authenticator app instead' }).click()
    await page.locator('.qr').waitFor()
    await page.getByRole('link', { name: 'Use text messages instead' }).click()
    await page.getByLabel('Phone number').fill(phone)
    await page.getByRole('button', { name: 'Send a code' }).click()

    await page.getByRole('button', { name: 'Use an authenticator app instead' }).click()

    await page.locator('.qr').waitFor()
    await enterCode(page, service().phones.codeTo(phone), 'Switch on')
    await page.getByText('This code is wrong or has been used').first().waitFor()
  })

  it('reports that the gateway fails, and may be tried again', async () => {
    const { application, user } = await organisationWithPhones()
    const { phones } = service()
    const page = await open()
    await startSignIn(page, application, user.email)
    await page.getByRole('link', { name: 'Use text messages instead' }).click()
    const phone = aPhone()
    await page.getByLabel('Phone number').fill(phone)
    phones.failing = true
    await page.getByRole('button', { name: 'Send a code' }).click()
    await page.getByText('The code could not be sent').first().waitFor()
    phones.failing = false

    await page.getByRole('button', { name: 'Send a code' }).click()

    await page.getByText(`Enter the code that we sent to ${phone}.`).waitFor()
  })

  it('gets a code only by a form of this browser, and at most five within five minutes', async () => {
    const { given, phones, origin } = service()
    const { owner } = await given.organisation()
    await owner.patch('/v1/admin/organisation', { allowedMfaMethods: ['sms'] })
    const user = await given.userWith(owner, [])
    const phone = aPhone()
    await user.post('/v1/me/mfa/enable', { method: 'sms', phone })
    await user.post('/v1/me/mfa/verify', { token: phones.codeTo(phone) })
    const visitor = new PageVisitor(origin)
    expect(await visitor.submit('/login', { email: user.email, password })).toMatchObject({ status: 303 })
    const before = phones.countTo(phone)

    expect(await visitor.submit('/login/mfa/code', { formToken: 'invented' }, {}, '/login/mfa')).toMatchObject({ status: 403 })
    expect(phones.countTo(phone)).toBe(before)
    const answers = []
    for (let number = 0; number < 5; number++) answers.push(await visitor.submit('/login/mfa/code', {}, {}, '/login/mfa'))

    expect(answers.at(-1)).toMatchObject({ status: 429, body: expect.stringContaining('Please wait') })
    expect(phones.countTo(phone)).toBeLessThanOrEqual(5)
    expect(await new PageVisitor(origin).submit('/login/mfa/code', {}, {}, '/login')).toMatchObject({ status: 303 })
  })
})

describe('a sign-in with a password that is too old', () => {
  it('requires a new one on the way to the application, and accepts it from then on', async () => {
    const { given, clock } = service()
    const organisation = await given.organisation()
    const user = await given.user(organisation.owner)
    const application = await anApplication(organisation)
    await organisation.owner.patch('/v1/admin/organisation', { passwordPolicy: { maxAge: 30 } })
    clock.advance({ days: 31 })
    const page = await open()

    const verifier = await startSignIn(page, application, user.email)
    await page.getByText('Your password has expired. Choose a new one to continue.').waitFor()
    await page.getByLabel('New password').fill(password)
    await page.getByRole('button', { name: 'Set password' }).click()
    await page.getByText('You have used this password before').first().waitFor()
    await page.getByLabel('New password').fill('another horse battery')
    await page.getByRole('button', { name: 'Set password' }).click()
    await page.getByText('Your password has been set. Sign in with it.').waitFor()
    expect(await page.getByLabel('E-mail address').inputValue()).toBe(user.email)
    await enterPassword(page, user.email, 'another horse battery')

    expect(await finishSignIn(page, application, verifier)).toMatchObject({ sub: user.id, amr: ['pwd'] })
    expect(await service().anonymous.post('/v1/auth/login', { email: user.email, password })).toMatchObject({ status: 401 })
  })
})
