import { TOTP } from 'otpauth'
import type { Browser, BrowserContextOptions, Page } from 'playwright-core'
import { pageAddresses } from '../support/all-routes.ts'
import { createConnection, linkedIdentity, waitingIdentity } from '../support/connections.ts'
import { askOnDevice, deviceGrant } from '../support/devices.ts'
import { verifiedDomain } from '../support/domains.ts'
import { connect } from '../support/federation.ts'
import { type TestOrganisation, unique } from '../support/given.ts'
import { listeningProvider } from '../support/identity-provider.ts'
import { TestApplication } from '../support/oauth.ts'
import type { TestService } from '../support/service.ts'
import { createSetupLink } from '../support/setup-links.ts'

const password = 'correct horse battery'
const logo =
  '<svg xmlns="http://www.w3.org/2000/svg" width="190" height="40" viewBox="0 0 190 40"><circle cx="20" cy="20" r="18" fill="#0f766e"/><path d="M12 22l6 6 11-15" fill="none" stroke="#fff" stroke-width="4"/><text x="48" y="28" font-family="sans-serif" font-size="23" font-weight="700" fill="#0f766e">Northwind</text></svg>'

const safari =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.5 Mobile/15E148 Safari/604.1'

/** The accounts and links of {@link visitEveryPage}. */
export interface Scene {
  ownerEmail: string
  userEmail: string
  /** An account that asks for a code. */
  mfaEmail: string
  /** An account that asks for a code by text message, is signed in elsewhere, and has hardly any backup codes left. */
  smsEmail: string
  /** An account with a linked account, and a password. */
  linkedEmail: string
  /** Leaves it nothing but the linked account to sign in with. */
  removeOtherWays(): Promise<void>
  /** The session of the owner, and a test that they have asked for of a connection to an issuer, by its path. */
  ownerCookie: string
  testOf(issuer: string): Promise<string>
  /** An account at an identity provider becomes this user's once they have signed in; what the cookies of the browser hold. */
  waiting: { email: string; cookies: Record<string, string> }
  /** Creates a set-up link, and gives its secret. */
  setupToken(): Promise<string>
  /** A connection whose identity provider cannot be reached. */
  unreachable: string
  /** Has the domain of the organisation lead to a connection. */
  leadByDomain(): Promise<void>
  clientId: string
  redirectUri: string
  /** The code that a device shows. */
  userCode: string
  reset: string
  invitation: string
  verification: string
}

/** An organisation with its own colour and logo, an application that requires consent, and a link of each kind. */
export async function prepareScene(service: TestService): Promise<Scene> {
  const { given, mailbox, phones, anonymous, database } = service
  const { owner, id: organisationId } = await given.organisation()
  const branding = { primaryColor: '#0f766e', logoUrl: 'https://logos.test/northwind.svg' }
  await owner.patch('/v1/admin/organisation', {
    name: `Northwind ${unique()}`,
    branding,
    allowedMfaMethods: ['totp', 'sms'],
    passwordPolicy: { minLength: 12, requireLowercase: true },
    signInPolicy: { emailCode: 'allowed' },
  })
  const redirectUri = 'https://app.northwind.test/callback'
  const client = await owner.post('/v1/admin/clients', {
    name: 'Northwind Planner',
    clientType: 'public',
    redirectUris: [redirectUri],
    scopes: ['plans:write'],
    grantTypes: ['authorization_code', 'refresh_token', deviceGrant],
    requireConsent: true,
  })
  const application = new TestApplication(anonymous, { id: organisationId, owner } as TestOrganisation, client.body)
  const user = await given.user(owner, { firstName: 'Vera', lastName: 'Lindqvist' })
  const mfaUser = await given.user(owner)
  const signedIn = await given.signIn(mfaUser.email)
  const { secret } = (await signedIn.post('/v1/me/mfa/enable')).body
  await signedIn.post('/v1/me/mfa/verify', { token: new TOTP({ secret }).generate() })

  const smsUser = await given.user(owner)
  const textReader = await given.signIn(smsUser.email)
  await textReader.post('/v1/me/mfa/enable', { method: 'sms', phone: '+447700900456' })
  await textReader.post('/v1/me/mfa/verify', { token: phones.codeTo('+447700900456') })
  await anonymous.post('/v1/auth/login', { email: smsUser.email, password: 'a wrong one' }, { headers: { 'user-agent': safari } })
  const tenant = database.tenant(organisationId)
  await tenant.updateTable('sessions').set({ userAgent: safari, ipAddress: '203.0.113.7' }).where('userId', '=', smsUser.id).execute()
  const scopes = ['openid', 'email', 'plans:write']
  await tenant.insertInto('consents').values({ userId: smsUser.id, clientId: client.body.id, scopes, grantedAt: tenant.now }).execute()
  await tenant
    .deleteFrom('mfaBackupCodes')
    .where('userId', '=', smsUser.id)
    .where('codeHash', 'not in', (codes) => codes.selectFrom('mfaBackupCodes').select('codeHash').where('userId', '=', smsUser.id).limit(2))
    .execute()

  const linkedUser = await given.user(owner)
  const workforce = await createConnection(owner, { name: 'Northwind Workforce' })
  await createConnection(owner, {
    name: 'Contoso',
    configuration: { tenant: 'organizations', clientId: 'northwind' },
    provider: 'microsoft',
  })
  await createConnection(owner, { name: 'GitHub', configuration: { clientId: 'northwind' }, provider: 'github' })
  await createConnection(owner, { name: 'Google', configuration: { clientId: 'northwind' }, provider: 'google' })
  await linkedIdentity({ database }, { organisationId, userId: linkedUser.id, connectionId: workforce.id })

  const waitingUser = await given.user(owner)
  const { email } = waitingUser
  const cookies = await waitingIdentity(service, { organisationId, userId: waitingUser.id, connectionId: workforce.id, email })
  const unreachable = await connect(service, { id: organisationId }, { issuer: 'http://127.0.0.1:9' }, { isActive: true, name: 'Fabrikam' })

  const { body: roles } = await owner.get('/v1/admin/roles')
  const invited = `invited-${unique()}@northwind.test`
  const roleId = roles.data.find((role: { slug: string }) => role.slug === 'member').id
  await owner.post('/v1/admin/invitations', { email: invited, roleId })
  await anonymous.post('/v1/auth/password/forgot', { email: user.email })
  return {
    ownerEmail: owner.email,
    userEmail: user.email,
    mfaEmail: mfaUser.email,
    smsEmail: smsUser.email,
    linkedEmail: linkedUser.email,
    removeOtherWays: async () => {
      await owner.patch('/v1/admin/organisation', { signInPolicy: { emailCode: 'off' } })
      await tenant.updateTable('users').set({ passwordHash: null }).where('id', '=', linkedUser.id).execute()
    },
    ownerCookie: owner.cookie,
    testOf: async (issuer) => {
      const slug = `test-${unique()}`
      const configuration = { issuer, clientId: 'gatehouse', allowedDomains: ['*'] }
      const { id } = await createConnection(owner, { name: 'Fabrikam', slug, configuration, secret: 'secret', provisioning: 'jit' })
      const { url } = (await owner.post(`/v1/admin/connections/${id}/test`)).body
      return new URL(url).pathname
    },
    setupToken: async () =>
      (await createSetupLink(owner, { name: 'Northwind IT', purposes: ['domain', 'oidc', 'saml', 'scim'], settings: { sso: 'offered' } }))
        .token,
    waiting: { email, cookies },
    unreachable,
    leadByDomain: async () => void (await verifiedDomain(service, owner, { connectionId: workforce.id, sso: 'offered' })),
    clientId: client.body.clientId,
    userCode: (await askOnDevice(application, { scope: 'openid offline_access plans:write' })).user_code,
    redirectUri,
    reset: await mailbox.tokenTo(user.email, 'password'),
    invitation: await mailbox.tokenTo(invited),
    verification: await mailbox.tokenTo(user.email, 'Confirm'),
  }
}

/** Opens every page in each state that looks different, in a browser without JavaScript. */
export async function visitEveryPage(
  browser: Browser,
  service: TestService,
  scene: Scene,
  lookAt: (name: string, page: Page) => Promise<void>,
  options: BrowserContextOptions = {},
): Promise<void> {
  const { context, page } = await openPage(browser, service, options)
  const seen = new Set<string>()
  const look = async (name: string, page: Page) => {
    // A click ends when the next page begins, before its styles are there.
    await page.waitForLoadState()
    seen.add(new URL(page.url()).pathname)
    await lookAt(name, page)
  }
  const open = async (name: string, path: string) => {
    await page.goto(path)
    await look(name, page)
  }
  const query = new URLSearchParams({
    response_type: 'code',
    client_id: scene.clientId,
    redirect_uri: scene.redirectUri,
    scope: 'openid profile email offline_access plans:write',
    code_challenge: 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM',
    code_challenge_method: 'S256',
    state: 'x',
  })
  await open('login', '/login')
  await open('login-german', '/login?ui_locales=de')
  await page.getByRole('textbox').first().fill('vera@northwind.test')
  await page.locator('[type=submit]').click()
  await look('login-missing-password', page)
  await open('login-branded', `/oauth2/authorize?${query}`)
  await page.getByLabel('E-mail address').fill(scene.userEmail)
  await page.getByLabel('Password', { exact: true }).fill('not the password')
  await page.getByRole('button', { name: 'Sign in' }).click()
  await look('login-wrong-password', page)
  await page.getByLabel('Password', { exact: true }).fill(password)
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.waitForURL('**/oauth2/consent?**')
  await look('consent', page)
  await open('consent-german', `${page.url()}&ui_locales=de`)
  await open('device', '/device')
  await open('device-german', '/device?ui_locales=de')
  await page.getByRole('textbox').fill('BCDF-GHJK')
  await page.locator('[type=submit]').click()
  await look('device-wrong-code', page)
  await open('device-filled-in', `/device?user_code=${scene.userCode}`)
  await page.locator('[type=submit]').click()
  await page.waitForURL('**/device/confirm')
  await look('device-question', page)
  await open('device-question-german', '/device/confirm?ui_locales=de')
  await page.getByRole('button', { name: 'Erlauben' }).click()
  await look('device-allowed', page)
  await open('login-signed-in', '/login')
  await open('account', '/account')
  await open('account-german', '/account?ui_locales=de')
  await open('account-from-console', '/account?returnTo=/console/users')
  await open('account-profile', '/account/profile')
  await open('account-passkeys', '/account/passkeys')
  await open('account-passkeys-german', '/account/passkeys?ui_locales=de')
  await open('account-password', '/account/password')
  await page.getByRole('button', { name: 'Change password' }).click()
  await look('account-password-missing', page)
  await open('account-password-not-me', '/account/password?notice=session-ended')
  await page.getByLabel('New password', { exact: true }).fill('a longer one')
  await look('account-password-typed', page)
  await open('reauthenticate', '/reauthenticate?returnTo=/account')
  await open('reauthenticate-german', '/reauthenticate?ui_locales=de')
  await page.locator('input[name="password"]').fill('not the password')
  await page.getByRole('button', { name: 'Bestätigen' }).click()
  await look('reauthenticate-wrong-password', page)
  await open('logout', '/oauth2/logout')
  await open('mfa-enrol-begin', '/mfa/enroll')
  await page.getByRole('button', { name: 'Set up an authenticator app' }).click()
  await page.locator('.qr').waitFor()
  await look('mfa-enrol', page)
  await page.getByRole('textbox', { name: 'Code' }).fill('000000')
  await page.getByRole('button', { name: 'Switch on' }).click()
  await look('mfa-enrol-wrong-code', page)
  await page.getByRole('link', { name: 'Use text messages instead' }).click()
  await look('mfa-enrol-phone', page)
  await page.getByLabel('Phone number').fill('12')
  await page.getByRole('button', { name: 'Send a code' }).click()
  await look('mfa-enrol-phone-invalid', page)
  await page.getByLabel('Phone number').fill('+447700900123')
  await page.getByRole('button', { name: 'Send a code' }).click()
  await page.getByText('Enter the code that we sent').waitFor()
  await look('mfa-enrol-code-sent', page)
  await page.getByRole('button', { name: 'Use an authenticator app instead' }).click()
  await context.clearCookies()

  await open('login-sso', '/login/sso')
  await open('login-sso-german', '/login/sso?ui_locales=de')
  await open('forgot', '/password/forgot')
  await page.getByLabel('E-mail address').fill('vera@northwind.test')
  await page.getByRole('button').click()
  await look('forgot-sent', page)
  await open('email-code-ask', '/login/email')
  await open('email-code-ask-german', '/login/email?ui_locales=de')
  await page.getByLabel('E-Mail-Adresse').fill('vera@northwind.test')
  await page.getByRole('button').click()
  await page.waitForURL('**/login/email?step=code**')
  await look('email-code-german', page)
  await page.goto('/login/email')
  await page.getByLabel('E-mail address').fill(scene.ownerEmail)
  await page.getByRole('button').click()
  await page.waitForURL('**/login/email?step=code')
  await look('email-code', page)
  await page.getByRole('textbox', { name: 'Code' }).fill('0000 0000')
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.getByText('This code is wrong').first().waitFor()
  await look('email-code-wrong', page)
  const link = `/login/email?token=${await service.mailbox.tokenTo(scene.ownerEmail, 'Sign in to')}`
  await open('email-code-link', link)
  await context.clearCookies()
  await open('email-code-link-elsewhere', link)
  await open('email-code-link-elsewhere-german', `${link}&ui_locales=de`)
  await page.goto(link)
  await page.getByRole('button').click()
  await page.getByRole('heading', { name: 'Your code' }).waitFor()
  await look('email-code-shown', page)
  await open('email-code-invalid-link', '/login/email?token=gone')
  await open('email-code-expired', '/login/email?notice=expired')
  await open('reset', `/password/reset?token=${scene.reset}`)
  await page.getByLabel('New password').fill('short')
  await page.getByRole('button').click()
  await look('reset-unsuitable', page)
  await open('reset-invalid-link', '/password/reset?token=gone')
  await open('invitation', `/invitations/accept?token=${scene.invitation}`)
  await page.getByRole('button').click()
  await look('invitation-missing', page)
  await open('invitation-invalid-link', '/invitations/accept?token=gone')
  await open('verify-email', `/email/verify?token=${scene.verification}`)
  await open('verify-email-invalid-link', '/email/verify?token=gone')
  await open('logged-out', '/logged-out')
  await open('error', `/oauth2/authorize?${query}&redirect_uri=`)
  await open('error-redirect-uri', `/oauth2/authorize?client_id=${scene.clientId}&redirect_uri=https://app.northwind.test/callback/`)
  await open('not-found', '/no/such/page')

  await page.goto('/login')
  await page.getByLabel('E-mail address').fill(scene.mfaEmail)
  await page.getByLabel('Password', { exact: true }).fill(password)
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.waitForURL('**/login/mfa')
  await look('second-factor', page)
  await page.getByRole('textbox', { name: 'Code' }).fill('000000')
  await page.getByRole('button', { name: 'Verify' }).click()
  await look('second-factor-wrong-code', page)

  await page.goto('/login')
  await page.getByLabel('E-mail address').fill(scene.smsEmail)
  await page.getByLabel('Password', { exact: true }).fill(password)
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.waitForURL('**/login/mfa')
  await page.getByRole('button', { name: 'Send a code to my phone' }).click()
  await page.getByText('A code is on its way to your phone.').waitFor()
  await look('second-factor-sms', page)
  await page.getByRole('textbox', { name: 'Code' }).fill(service.phones.codeTo('+447700900456'))
  await page.getByRole('button', { name: 'Verify' }).click()
  await page.waitForURL('**/account')
  await look('account-few-codes', page)
  await open('account-few-codes-german', '/account?ui_locales=de')
  await open('account-second-factor', '/account/second-factor')
  await open('reauthenticate-by-code', '/reauthenticate')

  await context.clearCookies()

  await open('federation-start-german', `/federation/${scene.unreachable}/start?returnTo=/account&ui_locales=de`)
  await page.getByRole('button').click()
  await page.getByText('Kennung', { exact: true }).waitFor()
  await look('federation-refused-german', page)
  await open('federation-start', `/federation/${scene.unreachable}/start?returnTo=/account`)
  await page.getByRole('button').click()
  await page.getByText('Reference', { exact: true }).waitFor()
  await look('federation-refused', page)
  const url = service.services.publicUrl
  await context.addCookies(Object.entries(scene.waiting.cookies).map(([name, value]) => ({ name, value, url })))
  await open('link-sign-in-first', '/link')
  await open('link-sign-in-first-german', '/link?ui_locales=de')
  await page.goto('/login?returnTo=/link')
  await page.getByLabel('E-mail address').fill(scene.waiting.email)
  await page.getByLabel('Password', { exact: true }).fill(password)
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
  await page.waitForURL('**/link')
  await look('link', page)
  await open('link-german', '/link?ui_locales=de')
  await context.clearCookies()
  await scene.leadByDomain()
  await open('login-identifier-first', `/oauth2/authorize?${query}`)
  await page.getByLabel('E-mail address').fill('vera@northwind.test')
  await page.getByRole('button', { name: 'Continue' }).click()
  await page.waitForURL('**/login?**')
  await look('login-password-step', page)
  await context.clearCookies()

  await page.goto('/login?returnTo=/account/identities')
  await page.getByLabel('E-mail address').fill(scene.linkedEmail)
  await page.getByLabel('Password', { exact: true }).fill(password)
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
  await page.waitForURL('**/account/identities')
  await look('account-identities', page)
  await open('account-identities-german', '/account/identities?ui_locales=de&notice=linked')
  await scene.removeOtherWays()
  await page.getByRole('link', { name: 'Trennen: Northwind Workforce' }).click()
  await look('account-identities-unlink-german', page)
  await page.getByRole('button', { name: 'Trennen' }).click()
  await look('account-identities-last-way-german', page)
  await open('reauthenticate-by-connection', '/reauthenticate?returnTo=/account')
  await visitSetup(page, service, scene, look)
  // A page without states of its own needs no line above. One that only redirects shows nothing.
  for (const address of pageAddresses().filter((one) => !seen.has(one))) {
    await page.goto(address)
    if (new URL(page.url()).pathname === address) await look(address.slice(1).replaceAll('/', '-'), page)
  }
  await context.close()
  await visitConnectionTests(browser, service, scene, lookAt, options)
}

/** What a set-up link shows, from the link that is pasted to its last step. */
async function visitSetup(page: Page, service: TestService, scene: Scene, look: (name: string, page: Page) => Promise<void>) {
  await service.services.limits.setupRequestsByAddress.forget(new URL(service.services.publicUrl).hostname)
  await page.goto('/setup')
  await look('setup-ask', page)
  await page.getByLabel('Link').fill(await scene.setupToken())
  await page.getByRole('button', { name: 'Open the link' }).click()
  await page.getByRole('heading', { name: 'Verify your domain' }).waitFor()
  await look('setup', page)
  await page.goto('/setup?ui_locales=de')
  await look('setup-german', page)
  await page.goto('/setup/domain')
  await page.getByLabel('Domain').fill(`setup-${unique()}.example`)
  await page.getByRole('button', { name: 'Continue' }).click()
  await look('setup-domain', page)
  await page.getByRole('button', { name: 'Check now' }).click()
  await page.getByText('What the name servers responded').waitFor()
  await look('setup-domain-missing', page)
  await page.goto('/setup/connection')
  await look('setup-connection-choice', page)
  await page.getByRole('button', { name: 'SAML 2.0' }).click()
  await look('setup-connection-saml', page)
  await page.goto('/setup/directory')
  await page.getByRole('button', { name: 'Show address and token' }).click()
  await page.getByText('The token is shown this once.').waitFor()
  await look('setup-directory', page)
}

/** A test that passes, and one whose secret the provider does not know, as the owner sees them. */
async function visitConnectionTests(
  browser: Browser,
  service: TestService,
  scene: Scene,
  look: (name: string, page: Page) => Promise<void>,
  options: BrowserContextOptions,
): Promise<void> {
  const { context, page } = await openPage(browser, service, options)
  const [name = '', value = ''] = scene.ownerCookie.split('=')
  await context.addCookies([{ name, value, url: service.services.publicUrl }])
  const provider = await listeningProvider({ now: () => service.clock.now() })
  await page.goto(await scene.testOf(provider.issuer))
  await look('connection-test', page)
  provider.behaviour.secrets = []
  await page.goto(await scene.testOf(provider.issuer))
  await page.goto(`${page.url()}?ui_locales=de`)
  await look('connection-test-failed-german', page)
  await context.close()
  await provider.close()
}

/** Enrols the user and visits the backup codes, which are shown only once. */
export async function visitBackupCodes(
  browser: Browser,
  service: TestService,
  scene: Scene,
  look: (page: Page) => Promise<void>,
  options: BrowserContextOptions = {},
): Promise<void> {
  const { context, page } = await openPage(browser, service, options)
  await page.goto('/login?returnTo=/mfa/enroll')
  await page.getByLabel('E-mail address').fill(scene.userEmail)
  await page.getByLabel('Password', { exact: true }).fill(password)
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
  await page.getByRole('button', { name: 'Set up an authenticator app' }).click()
  const secret = ((await page.locator('.secret').textContent()) ?? '').replaceAll(' ', '')
  await page.getByRole('textbox', { name: 'Code' }).fill(new TOTP({ secret }).generate())
  await page.getByRole('button', { name: 'Switch on' }).click()
  await look(page)
  await context.close()
}

/** The pages of the account that their script changes. */
export async function visitAccountWithScript(
  browser: Browser,
  service: TestService,
  scene: Scene,
  look: (name: string, page: Page) => Promise<void>,
  options: BrowserContextOptions,
): Promise<void> {
  const { context, page } = await openPage(browser, service, options)
  await page.goto('/login?returnTo=/account')
  await page.getByLabel('E-mail address').fill(scene.ownerEmail)
  await page.getByLabel('Password', { exact: true }).fill(password)
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
  await page.waitForURL('**/account')
  await look('account-with-script', page)
  await page.goto('/account/password?ui_locales=de')
  await page.getByLabel('Neues Passwort', { exact: true }).fill('a longer one')
  await page.getByRole('button', { name: 'Zeigen: Neues Passwort' }).click()
  await look('account-password-with-script-german', page)
  await context.close()
  await visitBackupCodes(browser, service, scene, (codes) => look('backup-codes-with-script', codes), options)
  const printed = async (codes: Page) => {
    await codes.emulateMedia({ media: 'print' })
    await look('backup-codes-printed', codes)
  }
  await visitBackupCodes(browser, service, { ...scene, userEmail: scene.ownerEmail }, printed, options)
}

async function openPage(browser: Browser, service: TestService, options: BrowserContextOptions) {
  const context = await browser.newContext({ baseURL: service.services.publicUrl, javaScriptEnabled: false, ...options })
  await context.route('https://logos.test/**', (route) => route.fulfill({ contentType: 'image/svg+xml', body: logo }))
  return { context, page: await context.newPage() }
}
