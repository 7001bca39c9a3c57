import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { BrowserContext, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { enrolAuthenticator } from '../support/authenticator.ts'
import { useBrowserAndService } from '../support/browser.ts'
import { codeIn, otherThan } from '../support/email-codes.ts'
import { unique } from '../support/given.ts'
import { encode, givenApplication, pkce } from '../support/oauth.ts'
import { PageVisitor } from '../support/page-visitor.ts'

const { browser, service } = useBrowserAndService({ ofItsOwn: true })

const contexts: BrowserContext[] = []
afterEach(async () => {
  for (const context of contexts.splice(0)) await context.close()
  service().clock.advance({ hours: 1 })
})

/** A browser that runs no scripts. */
async function openBrowser(): Promise<Page> {
  const context = await browser().newContext({ baseURL: service().origin, javaScriptEnabled: false })
  contexts.push(context)
  return context.newPage()
}

/** The site of the applications, where a sign-in ends. */
const site = createServer((_request, response) => response.end('The application'))
beforeAll(() => new Promise<void>((resolve) => site.listen(0, '127.0.0.1', resolve)))
afterAll(() => {
  site.closeAllConnections()
  site.close()
})

/** Whether the sign-in page to which a path leads has the link to the codes. */
async function offered(path: string): Promise<boolean> {
  const visitor = new PageVisitor(service().origin)
  const first = await visitor.open(path)
  const location = first.headers.get('location')
  const { body } = location === null ? first : await visitor.open(location)
  return body.includes('href="/login/email')
}

async function aUser() {
  const organisation = await service().given.organisation()
  const { owner } = organisation
  await owner.patch('/v1/admin/organisation', { signInPolicy: { emailCode: 'allowed' } })
  await expect.poll(() => offered('/login')).toBe(true)
  return { organisation, owner, user: await service().given.user(owner) }
}

/** What the newest mail brings. */
async function mailTo(email: string) {
  const token = await service().mailbox.tokenTo(email, 'Sign in to')
  const text = service().mailbox.mails.find((mail) => mail.text.includes(token))?.text ?? ''
  return { code: codeIn(text), link: /http\S+\/login\/email\?token=\S+/.exec(text)?.[0] ?? '' }
}

async function askIn(page: Page, email: string) {
  await page.getByRole('link', { name: 'Send me a code by e-mail' }).click()
  await page.getByLabel('E-mail address').fill(email)
  await page.getByRole('button', { name: 'Send a code' }).click()
  await page.getByRole('heading', { name: 'Enter the code' }).waitFor()
}

async function typeIn(page: Page, code: string) {
  await page.getByRole('textbox', { name: 'Code' }).fill(code)
  await page.getByRole('button', { name: 'Sign in' }).click()
}

const account = (page: Page) => page.getByRole('heading', { name: 'Your account', exact: true }).waitFor()
const isSignedIn = async (page: Page) => (await page.context().cookies()).some(({ name }) => name.endsWith('svc_session'))
const sessionsOf = async (organisationId: string, userId: string) =>
  (await service().database.tenant(organisationId).selectFrom('sessions').select('id').where('userId', '=', userId).execute()).length

const authorizationOf = ({ id, redirectUri }: { id: string; redirectUri: string }) =>
  `/oauth2/authorize?${encode({
    response_type: 'code',
    client_id: id,
    redirect_uri: redirectUri,
    scope: 'openid',
    code_challenge: pkce().challenge,
    code_challenge_method: 'S256',
  })}`
const anApplication = (organisation: Awaited<ReturnType<typeof aUser>>['organisation']) =>
  givenApplication(service(), { organisation, redirectUris: [`http://localhost:${(site.address() as AddressInfo).port}/callback`] })

describe('the page that signs in by mail', () => {
  // The first one: afterwards organisations of other tests allow codes.
  it('is offered where an organisation allows it: that of the waiting application, or any', async () => {
    expect(await offered('/login')).toBe(false)
    const { organisation, owner } = await aUser()
    const application = await anApplication(organisation)
    expect(await offered(authorizationOf(application))).toBe(true)

    await owner.patch('/v1/admin/organisation', { signInPolicy: { emailCode: 'off' } })
    expect(await offered(authorizationOf(application))).toBe(false)
    await expect.poll(() => offered('/login')).toBe(false)
    await aUser()
    expect(await offered(authorizationOf(application))).toBe(false)
  })

  it('takes the code where it was asked for, without any script, and leads back to the application', async () => {
    const { organisation, user } = await aUser()
    const application = await anApplication(organisation)
    const page = await openBrowser()
    await page.goto(authorizationOf(application))

    await askIn(page, user.email)
    expect(await page.getByText(`If ${user.email} has an account`).count()).toBe(1)
    const { code } = await mailTo(user.email)
    await typeIn(page, otherThan(code))
    await page.getByText('This code is wrong').first().waitFor()
    expect(await isSignedIn(page)).toBe(false)
    await typeIn(page, `${code.slice(0, 4)} ${code.slice(4)}`)

    await page.waitForURL(`${application.redirectUri}?code=**`)
    expect(await isSignedIn(page)).toBe(true)
    expect((await page.context().cookies()).map(({ name }) => name)).not.toContain('svc_email_code')
  })

  it('signs in by the link of the mail in the browser that asked, and leads back to the application', async () => {
    const { organisation, user } = await aUser()
    const application = await anApplication(organisation)
    const page = await openBrowser()
    await page.goto(authorizationOf(application))
    await askIn(page, user.email)
    const { link } = await mailTo(user.email)
    const tab = await page.context().newPage()

    await tab.goto(link)
    await tab.getByText(`You continue as ${user.email}.`).waitFor()
    await tab.reload()
    expect(await isSignedIn(tab)).toBe(false)
    expect(await sessionsOf(organisation.id, user.id)).toBe(0)
    await tab.getByRole('button', { name: 'Sign in' }).click()

    await tab.waitForURL(`${application.redirectUri}?code=**`)
    expect(await sessionsOf(organisation.id, user.id)).toBe(1)
    await tab.goto(link)
    await tab.getByRole('heading', { name: 'This link no longer works' }).waitFor()
  })

  it('gives nothing but the code to any other browser, such as that of a scanner, which presses every button', async () => {
    const { organisation, owner, user } = await aUser()
    const page = await openBrowser()
    await page.goto('/login?returnTo=/account/profile')
    await askIn(page, user.email)
    const { code, link } = await mailTo(user.email)

    const scanner = await openBrowser()
    await scanner.goto(link)
    await scanner.getByText('This browser has not asked for a code').waitFor()
    expect(await scanner.content()).not.toContain(code)
    const links = await scanner.getByRole('link').all()
    for (const address of await Promise.all(links.map((one) => one.getAttribute('href')))) await scanner.goto(address ?? '')
    await scanner.goto(link)
    const buttons = await scanner.getByRole('button').count()
    for (let index = 0; index < buttons; index++) {
      await scanner.goto(link)
      await scanner.getByRole('button').nth(index).click()
      await scanner.getByRole('heading', { name: 'Your code' }).waitFor()
    }
    expect(await scanner.getByText(code, { exact: true }).count()).toBe(1)
    expect(await isSignedIn(scanner)).toBe(false)
    expect(await sessionsOf(organisation.id, user.id)).toBe(0)
    expect(await owner.audit({ action: 'login.failed' })).toEqual([])

    // All of that has used nothing up.
    await typeIn(page, code)
    await page.waitForURL('**/account/profile')
    expect(await isSignedIn(page)).toBe(true)
  })

  it('refuses a code after five wrong ones, and mails another', async () => {
    const { user } = await aUser()
    const page = await openBrowser()
    await page.goto('/login')
    await askIn(page, user.email)
    const { code } = await mailTo(user.email)
    for (let count = 1; count <= 5; count++) await typeIn(page, otherThan(code))
    await typeIn(page, code)
    await page.getByText('This code is wrong, or it no longer works.').first().waitFor()
    expect(await isSignedIn(page)).toBe(false)

    await page.getByRole('button', { name: 'Send a new code' }).click()
    const next = await mailTo(user.email)
    await typeIn(page, next.code)
    await account(page)
  })

  it('asks anew when the code has expired, and says so of the link', async () => {
    const { user } = await aUser()
    const page = await openBrowser()
    await page.goto('/login')
    await askIn(page, user.email)
    const { code, link } = await mailTo(user.email)
    service().clock.advance({ minutes: 11 })

    await typeIn(page, code)
    await page.getByText('That took too long. Ask for a new code.').waitFor()
    await page.goto(link)
    await page.getByRole('heading', { name: 'This link no longer works' }).waitFor()
    expect(await isSignedIn(page)).toBe(false)
  })

  it('asks for the second factor afterwards', async () => {
    const { user } = await aUser()
    const { authenticator } = await enrolAuthenticator(await service().given.signIn(user.email), service().clock)
    const page = await openBrowser()
    await page.goto('/login?ui_locales=de&returnTo=/account/profile')
    await page.getByRole('link', { name: 'Code per E-Mail senden' }).click()
    await page.getByLabel('E-Mail-Adresse').fill(user.email)
    await page.getByRole('button', { name: 'Code senden' }).click()
    const mail = await service().mailbox.mailTo(user.email, 'Anmeldung bei')
    await page.getByRole('textbox', { name: 'Code' }).fill(/^Ihr Code: (\d{8})$/m.exec(mail.text)?.[1] ?? '')
    await page.getByRole('button', { name: 'Anmelden' }).click()

    await page.waitForURL('**/login/mfa**')
    expect(await isSignedIn(page)).toBe(false)
    await page.getByRole('textbox', { name: 'Code' }).fill(authenticator.nextCode())
    await page.getByRole('button', { name: 'Bestätigen' }).click()
    await page.waitForURL('**/account/profile**')
  })

  it('answers every address alike, has the policy of pages without scripts, and refuses a form without its token', async () => {
    const { user } = await aUser()
    const answers = await Promise.all(
      [user.email, `nobody-${unique()}@example.test`].map(async (email) => {
        const visitor = new PageVisitor(service().origin)
        const asked = await visitor.submit('/login/email', { email })
        const { status, body } = await visitor.open(asked.headers.get('location') ?? '')
        const wrong = await visitor.submit('/login/email?step=code', { code: '00000000' })
        const plain = (text: string) => text.replaceAll(email, '').replaceAll(/name="formToken" value="[^"]*"/g, '')
        return [asked.status, asked.headers.get('location'), status, plain(body), wrong.status, plain(wrong.body)]
      }),
    )
    expect(answers[1]).toEqual(answers[0])
    expect(answers[0]).toMatchObject([303, '/login/email?step=code', 200, expect.any(String), 400, expect.any(String)])

    const { headers } = await service().anonymous.get('/login/email')
    expect(headers.get('content-security-policy')).not.toContain('script-src')
    const visitor = new PageVisitor(service().origin)
    expect(await visitor.submit('/login/email', { email: user.email, formToken: 'x' })).toMatchObject({ status: 403 })
    expect(await visitor.submit('/login/email', { email: '' })).toMatchObject({
      status: 400,
      body: expect.stringContaining('Fill in this field'),
    })
  })
})
