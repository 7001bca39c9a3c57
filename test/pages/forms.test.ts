import { describe, expect, it } from 'vitest'
import { useBrowserAndService } from '../support/browser.ts'
import { unique } from '../support/given.ts'
import { givenApplication, pkce } from '../support/oauth.ts'
import { PageVisitor } from '../support/page-visitor.ts'

const { browser, service } = useBrowserAndService()
const password = 'correct horse battery'
const visitor = () => new PageVisitor(service().origin)

/** Where a browser with these cookies is sent that asks for nothing in particular. */
const landingOf = async ({ cookie }: PageVisitor) =>
  (await service().anonymous.get('/', { headers: { accept: 'text/html', cookie } })).headers.get('location')

describe('the sign-in page', () => {
  it('names the application of the pending request', async () => {
    const app = await givenApplication(service(), { name: 'Orders & more' })
    const asked = await app.authorize({ code_challenge: pkce().challenge, code_challenge_method: 'S256' }, null)
    const login = asked.headers.get('location') ?? ''
    const browser = visitor()
    expect((await browser.open(login)).body).toContain('to continue to Orders &amp; more')
    expect((await browser.open(`${login}&ui_locales=de`)).body).toContain('weiter zu Orders &amp; more')
    expect((await browser.open('/login')).body).not.toContain('to continue to')
  })

  it('can be used by the keyboard alone', async () => {
    const { owner } = await service().given.organisation()
    const context = await browser().newContext({ baseURL: service().origin, javaScriptEnabled: false })
    const page = await context.newPage()
    await page.goto('/login?returnTo=/mfa/enroll')
    await page.locator('#email:focus').waitFor()
    await page.keyboard.type(owner.email)
    await page.keyboard.press('Tab')
    await page.keyboard.type('wrong')
    await page.keyboard.press('Enter')
    // Typing continues in the field with the mistake.
    await page.locator('#password[aria-invalid=true][aria-describedby=password-error]:focus').waitFor()
    expect(await page.title()).toMatch(/^Error: Sign in/)
    expect(await page.getByText('The e-mail address or the password is wrong').count()).toBe(1)
    expect(await page.getByRole('alert').count()).toBe(0)
    expect(await page.getByLabel('E-mail address').inputValue()).toBe(owner.email)
    await page.keyboard.type(owner.password)
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'Set up two-step verification' }).waitFor()
    await context.close()
  })

  it('shows the password while its button is pressed in, and has no such button without scripts', async () => {
    const { owner } = await service().given.organisation()
    for (const javaScriptEnabled of [true, false]) {
      const context = await browser().newContext({ baseURL: service().origin, javaScriptEnabled })
      const page = await context.newPage()
      await page.goto('/login?returnTo=/account')
      const show = page.getByRole('button', { name: 'Show', exact: true })
      expect(await show.count()).toBe(javaScriptEnabled ? 1 : 0)
      await page.locator('#email').fill(owner.email)
      await page.locator('#password').fill(owner.password)
      if (javaScriptEnabled) {
        await show.click()
        expect(await page.locator('#password').getAttribute('type')).toBe('text')
      }
      await page.getByRole('button', { name: 'Sign in', exact: true }).click()
      await page.getByRole('heading', { name: 'Your account', exact: true }).waitFor()
      await context.close()
    }
  })

  it('signs in and continues to the given path of this origin, and to no other', async () => {
    const { owner } = await service().given.organisation()
    for (const [returnTo, location] of [
      ['/mfa/enroll?a=b', '/mfa/enroll?a=b'],
      ['/console', '/console'],
      ['/console/users?q=a', '/console/users?q=a'],
      ['//evil.example', '/'],
      ['https://evil.example/', '/'],
      ['/\\evil.example', '/'],
    ] as const) {
      const answer = await visitor().submit(`/login?${new URLSearchParams({ returnTo })}`, { email: owner.email, password })
      expect(answer).toMatchObject({ status: 303 })
      expect(answer.headers.get('location')).toBe(location)
    }
  })

  it('leads a user without a destination to the account', async () => {
    const { given } = service()
    const { owner } = await given.organisation()
    const { email } = await given.user(owner)
    const browser = visitor()
    expect(await browser.open('/account')).toMatchObject({ status: 303 })

    const answer = await browser.submit('/login', { email, password })

    expect(answer.headers.get('location')).toBe('/')
    expect(await landingOf(browser)).toBe('/account')
    expect(await browser.open('/account')).toMatchObject({ status: 200, body: expect.stringContaining(email) })
  })

  it('leads a user with a permission of an administrator to the console', async () => {
    const { given } = service()
    const { owner } = await given.organisation()
    const reader = await given.userWith(owner, ['teams:read'])
    for (const { email } of [owner, reader]) {
      const browser = visitor()
      expect((await browser.submit('/login', { email, password })).headers.get('location')).toBe('/')
      expect(await landingOf(browser)).toBe('/console')
    }
  })

  it('preserves the input, but never the password, when it refuses', async () => {
    const { owner } = await service().given.organisation()
    const answer = await visitor().submit('/login', { email: owner.email, password: 'wrong-and-secret' })
    expect(answer).toMatchObject({ status: 401, body: expect.stringContaining(`value="${owner.email}"`) })
    expect(answer.body).toContain('The e-mail address or the password is wrong')
    expect(answer.body).not.toContain('wrong-and-secret')
    expect(answer.headers.getSetCookie().join()).not.toContain('svc_session')
  })

  it('says in minutes how long to wait after too many failures', async () => {
    const email = `nobody-${unique()}@example.test`
    const browser = visitor()
    for (let number = 0; number < 10; number++) await browser.submit('/login', { email, password: 'wrong' })
    const answer = await browser.submit('/login', { email, password: 'wrong' })
    expect(answer).toMatchObject({ status: 429, body: expect.stringMatching(/Please wait 1\d minutes/) })
    expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0)
  })

  it('is in the language of ui_locales, or else of the browser', async () => {
    const german = await service().anonymous.get('/login?ui_locales=fr%20de', { headers: { 'accept-language': 'en' } })
    expect(german.body).toContain('<html lang="de">')
    expect((await service().anonymous.get('/login', { headers: { 'accept-language': 'de-AT' } })).body).toContain('Anmelden')
  })
})

describe('the chosen language', () => {
  const german = 'ui_locales=de'
  const challenge = () => ({ code_challenge: pkce().challenge, code_challenge_method: 'S256' })
  const languageIn = (location: string | null) => new URL(location ?? '', service().origin).searchParams.get('ui_locales')

  it.each([
    '/',
    '/account',
    '/account/profile',
    '/account/password',
    '/account/second-factor',
    '/account/passkeys',
    '/account/identities',
    '/reauthenticate',
    '/mfa/enroll',
    '/login/passkey',
    '/login/mfa',
    '/login/mfa?for=session',
    '/login/preview',
    '/oauth2/consent?request=unknown',
  ])('is still chosen where %s sends a browser without a session', async (path) => {
    const page = `${path}${path.includes('?') ? '&' : '?'}${german}`
    const { status, headers } = await visitor().open(page, { accept: 'text/html' })
    expect(status).toBeOneOf([302, 303])
    expect(languageIn(headers.get('location'))).toBe('de')
  })

  it('is still chosen after a form that came too late, and so is the way back', async () => {
    for (const [path, page] of [
      ['/account/profile', '/account'],
      ['/account/sessions/others', '/account'],
      ['/account/passkeys', '/account/passkeys'],
    ]) {
      const sent = await visitor().submit(`${path}?${new URLSearchParams({ returnTo: '/console/users' })}&${german}`, {}, {}, '/login')
      const location = new URL(sent.headers.get('location') ?? '', service().origin)
      expect([location.pathname, location.searchParams.get('ui_locales')]).toEqual(['/login', 'de'])
      expect(location.searchParams.get('returnTo')).toBe(`${page}?returnTo=%2Fconsole%2Fusers&${german}`)
    }
  })

  it('leads from the sign-in to the page that was opened, and to the account', async () => {
    const { given } = service()
    const { owner } = await given.organisation()
    const { email } = await given.user(owner)
    const browser = visitor()
    for (const [page, next] of [
      [`/login?${german}`, `/?${german}`],
      [`/login?returnTo=/account/profile&${german}`, `/account/profile?${german}`],
      [`/login?returnTo=/console/users&${german}`, '/console/users'],
    ] as const)
      expect((await browser.submit(page, { email, password })).headers.get('location')).toBe(next)

    expect((await browser.open(`/?${german}`, { accept: 'text/html' })).headers.get('location')).toBe(`/account?${german}`)
  })

  it.each([
    ['longer than the address of a page may be', 'de '.repeat(200)],
    ['no list of languages', 'de\n'],
  ])('is not passed on where it is %s', async (_what, value) => {
    const { owner } = await service().given.organisation()
    const page = `/login?${new URLSearchParams({ returnTo: '/account/profile', ui_locales: value })}`
    const { headers } = await visitor().submit(page, { email: owner.email, password })
    expect(headers.get('location')).toBe('/account/profile')
  })

  it('is that of the question whether an application gets access, and of the sign-in by another account', async () => {
    const app = await givenApplication(service(), { requireConsent: true })
    const { owner } = app.organisation
    const asked = await app.authorize({ ...challenge(), ui_locales: 'en' }, null)
    const login = (asked.headers.get('location') ?? '').replace('ui_locales=en', german)
    const browser = visitor()

    const { body: next } = await browser.submit(login, { email: owner.email, password })
    const authorize = (/content="0;url=([^"]*)"/.exec(next)?.[1] ?? '').replaceAll('&amp;', '&')
    const consent = (await browser.open(authorize)).headers.get('location') ?? ''
    expect(consent).toMatch(/^\/oauth2\/consent\?/)
    expect(languageIn(consent)).toBe('de')
    const { body } = await browser.open(consent)
    expect(body).toContain('<html lang="de">')
    expect(/href="(\/login\?prompt=login[^"]*)"/.exec(body)?.[1]).toContain(german)
  })

  it('is that which an application asks for, where the user chooses none', async () => {
    const app = await givenApplication(service(), { requireConsent: true })
    const asked = await app.authorize({ ...challenge(), ui_locales: 'de' })
    expect(languageIn(asked.headers.get('location'))).toBe('de')
  })
})

describe('a form', () => {
  it.each([
    ['without a token', {}, { formToken: '' }],
    ['with the token of another browser', {}, { formToken: undefined }],
    ['from another site', { 'sec-fetch-site': 'cross-site' }, {}],
  ])('does nothing when it is sent %s', async (_what, headers, fields) => {
    const { owner } = await service().given.organisation()
    const foreign = await visitor().open('/login')
    const sent = 'formToken' in fields ? { formToken: fields.formToken ?? foreign.formToken } : {}
    const answer = await visitor().submit('/login', { email: owner.email, password, ...sent }, headers)
    expect(answer).toMatchObject({ status: 403, body: expect.stringContaining('Please try again') })
    expect(answer.body).toContain(`value="${owner.email}"`)
    expect(answer.headers.getSetCookie().join()).not.toContain('svc_session')
  })

  it.each([
    ['without a token', {}, { formToken: '' }],
    ['from another site', { 'sec-fetch-site': 'cross-site' }, {}],
  ])('that consents grants nothing when it is sent %s', async (_what, headers, fields) => {
    const app = await givenApplication(service(), { requireConsent: true })
    const { owner } = app.organisation
    const browser = visitor()
    await browser.submit('/login', { email: owner.email, password: owner.password })
    const asked = await app.authorize({ code_challenge: pkce().challenge, code_challenge_method: 'S256' })
    const consent = asked.headers.get('location') ?? ''

    expect(await browser.submit(consent, { decision: 'allow', ...fields }, headers)).toMatchObject({ status: 403 })

    expect((await owner.get('/v1/me/consents')).body.total).toBe(0)
    expect(await browser.submit(consent, { decision: 'allow' })).toMatchObject({ status: 200 })
    expect((await owner.get('/v1/me/consents')).body.total).toBe(1)
  })
})

describe('the consent page', () => {
  it('is not available to a session that has to enrol a second factor first, which cannot decide', async () => {
    const app = await givenApplication(service(), { requireConsent: true })
    const { owner } = app.organisation
    const user = await service().given.user(owner)
    const asked = await app.authorize(
      { code_challenge: pkce().challenge, code_challenge_method: 'S256' },
      await service().given.signIn(user.email),
    )
    const consent = asked.headers.get('location') ?? ''
    expect(consent).toMatch(/^\/oauth2\/consent\?/)
    await owner.patch('/v1/admin/organisation', { requireMfa: true })
    const browser = visitor()
    await browser.submit('/login', { email: user.email, password })

    const page = await browser.open(consent)
    expect(page.status).toBe(303)
    const before = await browser.open(page.headers.get('location') ?? '')
    expect(before.headers.get('location')).toMatch(/^\/mfa\/enroll\?/)

    expect(await browser.submit(consent, { decision: 'allow' }, {}, '/login')).toMatchObject({ status: 303 })
    const tenant = service().database.tenant(app.organisation.id)
    expect(await tenant.selectFrom('consents').select('clientId').execute()).toEqual([])
    expect(await tenant.selectFrom('authorizationRequests').select('decision').execute()).toEqual([{ decision: null }])
  })
})

describe('a page', () => {
  it('forbids scripts, frames and forms to other origins, and may not be stored', async () => {
    const { headers, body } = await service().anonymous.get('/password/forgot')
    expect(headers.get('content-security-policy')).toBe(
      "default-src 'none'; style-src 'self'; img-src 'self'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'",
    )
    expect(headers.get('referrer-policy')).toBe('same-origin')
    expect(headers.get('cache-control')).toBe('no-store')
    expect(body).not.toMatch(/<script| style=| on\w+="/)
    const style = /href="(\/assets\/pages-[^"]+)"/.exec(body)?.[1] ?? ''
    const { status, headers: styleHeaders } = await service().anonymous.get(style)
    expect(status).toBe(200)
    expect(styleHeaders.get('cache-control')).toContain('immutable')
  })

  it('shows the branding of its organisation, as far as it is safe', async () => {
    const { owner } = await service().given.organisation()
    const brand = (branding: Record<string, string>) => owner.patch('/v1/admin/organisation', { branding })
    expect(await brand({ primaryColor: '#FFEE00', logoUrl: 'https://cdn.test/a.png?x="><b>' })).toMatchObject({ status: 200 })
    const { headers, body } = await owner.get('/login')
    expect(headers.get('content-security-policy')).toContain("img-src 'self' https://cdn.test;")
    expect(body).not.toContain('"><b>')
    const style = /href="(\/assets\/brand-[^"]+-ffee00\.css)"/.exec(body)?.[1] ?? ''
    expect((await service().anonymous.get(style)).body).toContain('--on-accent:#000000')
  })

  it('that does not exist is a page for browsers and a problem for programs', async () => {
    const page = await service().anonymous.get('/nowhere', { headers: { accept: 'text/html,*/*' } })
    expect(page).toMatchObject({ status: 404, body: expect.stringMatching(/Page not found.*href="\/">Go to the start page/s) })
    expect(await service().anonymous.get('/nowhere')).toMatchObject({ status: 404, body: { title: 'Not Found' } })
    const api = await service().anonymous.get('/v1/nowhere', { headers: { accept: 'text/html' } })
    expect(api).toMatchObject({ status: 404, body: { title: 'Not Found' } })
  })
})

describe('the page for a forgotten password', () => {
  it('responds the same for every address, and mails only users', async () => {
    const { owner } = await service().given.organisation()
    const user = await service().given.user(owner)
    const unknownEmail = `nobody-${unique()}@example.test`
    const [known, unknown] = [
      await visitor().submit('/password/forgot', { email: user.email }),
      await visitor().submit('/password/forgot', { email: unknownEmail }),
    ]
    expect([known.status, unknown.status]).toEqual([200, 200])
    expect(known.body.replaceAll(user.email, '')).toBe(unknown.body.replaceAll(unknownEmail, ''))

    const token = await service().mailbox.tokenTo(user.email, 'password')
    const short = await visitor().submit(`/password/reset?token=${token}`, { token, password: 'short' })
    expect(short).toMatchObject({ status: 400, body: expect.stringContaining('The password must have at least 8 characters') })
    const common = await visitor().submit(`/password/reset?token=${token}`, { token, password: 'password123' })
    expect(common).toMatchObject({ status: 400, body: expect.stringContaining('one of the most common ones') })
    const done = await visitor().submit(`/password/reset?token=${token}`, { token, password: 'another long password' })
    expect(done.headers.get('location')).toMatch(/^\/login\?notice=password-set/)
    await service().given.signIn(user.email, 'another long password')
    expect(await service().anonymous.get(`/password/reset?token=${token}`)).toMatchObject({ status: 400 })
  })
})

describe('the pages where a user chooses a password', () => {
  it('list at once all requirements of the organisation that it does not meet', async () => {
    const { owner } = await service().given.organisation()
    await owner.patch('/v1/admin/organisation', { passwordPolicy: { minLength: 12, requireNumbers: true } })
    const email = `new-${unique()}@example.test`
    const role = await service().given.role(owner)
    await owner.post('/v1/admin/invitations', { email, roleId: role.id })
    await service().anonymous.post('/v1/auth/password/forgot', { email: owner.email })
    const reset = await service().mailbox.tokenTo(owner.email, 'password')
    const invitation = await service().mailbox.tokenTo(email)
    const browser = visitor()
    await browser.submit('/login', { email: owner.email, password })

    for (const refused of [
      await visitor().submit(`/password/reset?token=${reset}`, { token: reset, password: 'short' }),
      await visitor().submit(`/invitations/accept?token=${invitation}`, {
        token: invitation,
        password: 'short',
        firstName: 'A',
        lastName: 'B',
      }),
      await browser.submit('/account/password', { currentPassword: password, newPassword: 'short' }),
    ]) {
      expect(refused.status).toBe(400)
      expect(refused.body).toContain('The password must have at least 12 characters')
      expect(refused.body).toContain('The password must contain a number')
      expect(refused.body).not.toContain('At least 8')
    }
  })
})

describe('the page of an invitation', () => {
  it('creates the account with the names and the password that were chosen', async () => {
    const { owner } = await service().given.organisation()
    const role = await service().given.role(owner)
    const email = `new-${unique()}@example.test`
    await owner.post('/v1/admin/invitations', { email, roleId: role.id })
    const token = await service().mailbox.tokenTo(email)
    const path = `/invitations/accept?token=${token}`
    expect(await visitor().submit(path, { token, firstName: 'Ada', lastName: '', password: '' })).toMatchObject({
      status: 400,
      body: expect.stringContaining('value="Ada"'),
    })
    const done = await visitor().submit(path, { token, firstName: 'Ada', lastName: 'Byron', password })
    expect(done.headers.get('location')).toMatch(/^\/login\?notice=accepted/)
    const signedIn = await service().given.signIn(email)
    expect((await signedIn.get('/v1/me/profile')).body).toMatchObject({ name: 'Ada Byron' })
  })
})

describe('the page that verifies an address', () => {
  it('uses the link up by its button, not by being opened', async () => {
    const { owner } = await service().given.organisation()
    const user = await service().given.user(owner)
    const signedIn = await service().given.signIn(user.email)
    const token = await service().mailbox.tokenTo(user.email, 'Confirm')
    const verified = async () => (await signedIn.get('/v1/me/profile')).body.emailVerified
    for (let scan = 0; scan < 3; scan++)
      expect(await service().anonymous.get(`/email/verify?token=${token}`)).toMatchObject({ status: 200 })
    expect(await verified()).toBe(false)

    expect(await visitor().submit(`/email/verify?token=${token}`, { token })).toMatchObject({ status: 200 })
    expect(await verified()).toBe(true)
    expect(await service().anonymous.get(`/email/verify?token=${token}`)).toMatchObject({ status: 400 })
  })
})
