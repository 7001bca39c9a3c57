import { createServer, type Server } from 'node:https'
import type { AddressInfo } from 'node:net'
import type { Browser, Page } from 'playwright-core'
import { generate } from 'selfsigned'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { launchBrowser } from '../support/browser.ts'
import { createConnection } from '../support/connections.ts'
import { verifiedDomain } from '../support/domains.ts'
import { freePort } from '../support/free-port.ts'
import { type TestOrganisation, unique } from '../support/given.ts'
import { type Behaviour, type IdentityProvider, identityProvider } from '../support/identity-provider.ts'
import { givenApplication, pkce, type TestApplication } from '../support/oauth.ts'
import { appleAccount, appleProvider, type Github, githubFetch, workingGithub } from '../support/preset-providers.ts'
import { startTestService, type TestService } from '../support/service.ts'

const tid = '72f988bf-86f1-41af-91ab-2d7cd011db47'
const otherTid = 'f8cdef31-a31e-4b4a-93e4-5f571e91255a'
const issuerOf = (tenant: string) => `https://login.microsoftonline.com/${tenant}/v2.0`

/** Where the browser is led to one server, which shows the page of each of them. */
const hosts = ['accounts.google.com', 'login.microsoftonline.com', 'github.com', 'github.acme.test', 'appleid.apple.com']
const applicationHost = 'portal.example.test'

let server: Server
let browser: Browser
let service: TestService
let google: IdentityProvider
let microsoft: IdentityProvider
let microsoftOfAll: IdentityProvider
let apple: Awaited<ReturnType<typeof appleProvider>>
let github: Github
/** How GitHub sends the browser back. */
let githubResponse: (parameters: Record<string, string>) => Record<string, string>
let usual: Map<IdentityProvider, Behaviour>

beforeAll(async () => {
  const { private: key, cert } = await generate([{ name: 'commonName', value: 'Providers' }])
  server = createServer({ key, cert }, ({ headers: { host }, url }, response) => {
    response.setHeader('content-type', 'text/html')
    response.end(host === applicationHost ? 'signed in' : providerPage(new URL(`https://${host}${url}`)))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port: serverPort } = server.address() as AddressInfo
  const rules = [...hosts, applicationHost].map((host) => `MAP ${host} 127.0.0.1:${serverPort}`).join(', ')
  const port = await freePort()
  const environment = { PORT: String(port), PUBLIC_URL: `http://127.0.0.1:${port}`, RATE_LIMIT: 'off' }
  ;[browser, service, google, microsoft, microsoftOfAll, apple] = await Promise.all([
    launchBrowser([`--host-resolver-rules=${rules}`]),
    startTestService({ environment }),
    identityProvider({ issuer: 'https://accounts.google.com', alg: 'RS256' }),
    identityProvider({ issuer: issuerOf(tid), alg: 'RS256' }),
    identityProvider({ issuer: issuerOf('common'), alg: 'RS256' }),
    appleProvider(),
  ])
  microsoftOfAll.behaviour.metadata = (metadata) => ({ ...metadata, issuer: issuerOf('{tenantid}') })
  usual = new Map([google, microsoft, microsoftOfAll, apple.provider].map((provider) => [provider, { ...provider.behaviour }]))
  reset()
  // The service asks for the addresses of the real providers. They are answered here.
  const { outgoing } = service.services
  const fetch = outgoing.fetch.bind(outgoing)
  outgoing.fetch = (what, maximumBytes) => {
    const elsewhere = fetch(what, maximumBytes)
    return (url, init) => standInFor(String(url))?.(String(url), init as RequestInit) ?? elsewhere(url, init)
  }
})
afterEach(async () => {
  reset()
  for (const context of browser.contexts()) await context.close()
})
afterAll(async () => {
  await browser?.close()
  await service?.stop()
  server?.closeAllConnections()
  server?.close()
})

function reset(): void {
  for (const [provider, behaviour] of usual) Object.assign(provider.behaviour, behaviour)
  github = { ...workingGithub }
  githubResponse = (parameters) => parameters
}

/** Who answers for an address of a real provider. */
function standInFor(url: string): ((url: string, init?: RequestInit) => Promise<Response>) | undefined {
  const provider = [google, microsoft, microsoftOfAll, apple.provider].find(({ issuer }) => url.startsWith(`${issuer}/`))
  if (provider) return provider.fetch
  const { hostname } = new URL(url)
  if (/(?:^|\.)github\.com$/.test(hostname)) return githubFetch(github)
  return hostname === 'github.acme.test' ? githubFetch(github, hostname) : undefined
}

/** The page of a provider, with one button that goes back, as a link or as a form that crosses sites. */
function providerPage(url: URL): string {
  const provider = [google, microsoft, microsoftOfAll, apple.provider].find(({ issuer }) => url.href.startsWith(`${issuer}/authorize?`))
  const back = new URL(provider?.authorize(url.searchParams) ?? url.searchParams.get('redirect_uri') ?? '')
  if (!provider) back.search = new URLSearchParams(githubResponse({ code: 'code', state: url.searchParams.get('state') ?? '' })).toString()
  const fields = [...back.searchParams].map(([name, value]) => `<input type="hidden" name="${name}" value="${encodeText(value)}">`)
  const method = url.searchParams.get('response_mode') === 'form_post' ? 'post' : 'get'
  return `<form method="${method}" action="${back.origin}${back.pathname}">${fields.join('')}<button>Allow</button></form>`
}

const encodeText = (text: string) => text.replaceAll('&', '&amp;').replaceAll('"', '&quot;')

interface Scene {
  organisation: TestOrganisation
  application: TestApplication
  connectionId: string
}

async function scene(fields: Record<string, unknown>): Promise<Scene> {
  const application = await givenApplication(service)
  const { organisation } = application
  const { id } = await createConnection(organisation.owner, { provisioning: 'jit', isActive: true, secret: 'secret', ...fields })
  return { organisation, application, connectionId: id }
}

/** A new browser that an application sends to sign in. It presses the button of the connection, and the one of the provider. */
async function signIn({ application }: Scene, name: string, host: string): Promise<Page> {
  const page = await (await browser.newContext({ locale: 'en', ignoreHTTPSErrors: true })).newPage()
  const asked = new URLSearchParams({
    ...{ response_type: 'code', client_id: application.id, redirect_uri: application.redirectUri, state: 'xyz', scope: 'openid' },
    ...{ code_challenge: pkce().challenge, code_challenge_method: 'S256' },
  })
  await page.goto(`${service.origin}/oauth2/authorize?${asked}`)
  const button = page.getByRole('link', { name: `Continue with ${name}` })
  expect(await button.locator('svg').count()).toBe(1)
  await button.click()
  await page.waitForURL(`https://${host}/**`)
  await page.getByRole('button', { name: 'Allow' }).click()
  await page.waitForURL((url) => url.hostname !== host)
  return page
}

/** The application has its code, and the organisation has the user. */
async function arrived(page: Page, { organisation }: Scene, email: string) {
  await page.waitForURL(/^https:\/\/portal\.example\.test\/callback\?.*code=/)
  const { body } = await organisation.owner.get(`/v1/admin/users?${new URLSearchParams({ q: email })}`)
  expect(body.data).toMatchObject([{ email, emailVerifiedAt: expect.any(String) }])
  const identities = await organisation.owner.get(`/v1/admin/users/${body.data[0].id}/identities`)
  return { user: body.data[0], identity: identities.body.data[0] }
}

/** The page says why, and no user is signed in. */
async function isTold(page: Page, text: RegExp, { organisation }: Scene, emails: string[] = []) {
  expect(await page.locator('main').textContent()).toMatch(text)
  await page.goto(`${service.origin}/account`)
  expect(new URL(page.url()).pathname).toBe('/login')
  for (const email of emails) {
    const { body } = await organisation.owner.get(`/v1/admin/users?${new URLSearchParams({ q: email })}`)
    expect(body.data).toEqual([])
  }
}

/** The page gives a reference, which leads the administrator to the check that failed, and no user is signed in. */
async function failedAt(page: Page, check: string, { organisation, connectionId }: Scene, received?: RegExp) {
  const text = (await page.locator('main').textContent()) ?? ''
  const reference = /[0-9a-z]{4}-[0-9a-z]{4}-[0-9a-z]{4}/.exec(text)?.[0]
  const { body } = await organisation.owner.get(`/v1/admin/diagnostics/${reference}`)
  expect(body).toMatchObject({ endpoint: 'federation', connectionId, check })
  if (received) expect(body.checks.find(({ passed }: { passed: boolean }) => !passed).received).toMatch(received)
  await isTold(page, /sign-in failed/i, { organisation } as Scene)
}

const anyone = { configuration: { clientId: 'gatehouse', allowedDomains: ['*'] } }
const address = (domain: string) => `ada-${unique()}@${domain}`

describe('with Google, a browser', () => {
  const googleScene = (configuration: object = {}) =>
    scene({ name: 'Google', provider: 'google', configuration: { ...anyone.configuration, ...configuration } })
  const signInAt = (at: Scene, claims: Record<string, unknown>) => {
    google.behaviour.user = { sub: `1076915035000615${unique()}`, email_verified: true, ...claims }
    return signIn(at, 'Google', 'accounts.google.com')
  }

  it('signs in with an address of Gmail, and with one of the Workspace that the account is in', async () => {
    const at = await googleScene()
    const [gmail, workspace] = [address('gmail.com'), address('example.com')]
    const { user } = await arrived(await signInAt(at, { email: gmail, given_name: 'Ada', family_name: 'Lovelace' }), at, gmail)
    expect(user).toMatchObject({ firstName: 'Ada', lastName: 'Lovelace' })
    await arrived(await signInAt(at, { email: workspace, hd: 'example.com' }), at, workspace)
  })

  it('is told that an address of neither is not confirmed', async () => {
    const at = await googleScene()
    const email = address('example.com')
    await isTold(await signInAt(at, { email }), /did not confirm an e-mail address/, at, [email])
  })

  it('is held to the hosted domains of the connection', async () => {
    const at = await googleScene({ allowedHostedDomains: ['example.com'] })
    await failedAt(await signInAt(at, { email: address('gmail.com') }), 'hosted domain', at)
  })

  it.each(['access_denied', 'consent_required'])('that was refused there with %s is told so', async (error) => {
    const at = await googleScene()
    google.behaviour.response = ({ state = '' }) => ({ state, error })
    await failedAt(await signInAt(at, { email: address('gmail.com') }), 'response', at, new RegExp(error))
  })
})

describe('with Microsoft, a browser', () => {
  const signInAt = (at: Scene, provider: IdentityProvider, claims: Record<string, unknown>) => {
    provider.behaviour.user = { iss: issuerOf(tid), tid, oid: `0000-${unique()}`, sub: 'pairwise', ...claims }
    return signIn(at, 'Microsoft', 'login.microsoftonline.com')
  }
  const microsoftScene = (configuration: object) =>
    scene({ name: 'Microsoft', provider: 'microsoft', configuration: { ...anyone.configuration, ...configuration } })

  it('signs in by a connection of one tenant, with an address of a domain that the organisation has proven', async () => {
    const at = await microsoftScene({ tenant: tid })
    const { domain } = await verifiedDomain(service, at.organisation.owner)
    const [email, elsewhere, oid] = [address(domain), address('example.com'), `00000000-${unique()}`]
    const { identity } = await arrived(await signInAt(at, microsoft, { email, oid, upn: 'someone.else@example.com' }), at, email)
    expect(identity).toMatchObject({ subject: `${tid}.${oid}` })
    await isTold(await signInAt(at, microsoft, { email: elsewhere }), /did not confirm an e-mail address/, at, [elsewhere])
  })

  it('signs in by a connection of all tenants only with an address whose domain its tenant has proven', async () => {
    const at = await microsoftScene({ tenant: 'common' })
    const [email, unproven] = [address('example.com'), address('example.com')]
    await arrived(await signInAt(at, microsoftOfAll, { email, xms_edov: true }), at, email)
    await isTold(await signInAt(at, microsoftOfAll, { email: unproven }), /did not confirm an e-mail address/, at, [unproven])
  })

  it('is held to the issuer of the token’s own tenant, and to the tenants of the connection', async () => {
    const all = await microsoftScene({ tenant: 'common' })
    await failedAt(await signInAt(all, microsoftOfAll, { iss: issuerOf(otherTid), email: address('example.com') }), 'iss', all)
    const some = await microsoftScene({ tenant: 'common', allowedTenants: [otherTid] })
    await failedAt(await signInAt(some, microsoftOfAll, { email: address('example.com') }), 'tenant', some)
  })

  it('is told with a reference what Entra says, at either endpoint', async () => {
    const at = await microsoftScene({ tenant: tid })
    microsoft.behaviour.response = ({ state = '' }) => ({
      state,
      error: 'access_denied',
      error_description: 'AADSTS65004: User declined to consent to access the app.\r\nTrace ID: 0000aaaa-11bb-cccc-dd22-eeeeee333333',
    })
    await failedAt(await signInAt(at, microsoft, {}), 'response', at, /AADSTS65004/)
    microsoft.behaviour.response = (parameters) => parameters
    microsoft.behaviour.intercept = (path) => {
      if (path !== '/token') return undefined
      const error_description = 'AADSTS7000215: Invalid client secret provided.'
      return Response.json({ error: 'invalid_client', error_description, error_codes: [7000215] }, { status: 401 })
    }
    await failedAt(await signInAt(at, microsoft, {}), 'token endpoint', at, /AADSTS7000215/)
  })
})

describe('with GitHub, a browser', () => {
  const githubScene = (configuration: object = {}) =>
    scene({ name: 'GitHub', provider: 'github', configuration: { ...anyone.configuration, ...configuration } })
  const signInAt = (at: Scene, changes: Partial<Github>, host = 'github.com') => {
    Object.assign(github, changes)
    return signIn(at, 'GitHub', host)
  }
  const emailsOf = (email: string, fields: object = {}) => ({
    emails: [
      { email: 'other@example.com', verified: true, primary: false },
      { email, verified: true, primary: true, ...fields },
    ],
  })

  it('signs in with the address that is primary and verified, known by the number of the account', async () => {
    const at = await githubScene()
    const email = address('example.com')
    const { identity } = await arrived(await signInAt(at, emailsOf(email)), at, email)
    expect(identity).toMatchObject({ subject: '583231' })
  })

  it('signs in at the host of an Enterprise Server', async () => {
    const at = await githubScene({ host: 'github.acme.test' })
    const email = address('example.com')
    await arrived(await signInAt(at, emailsOf(email), 'github.acme.test'), at, email)
  })

  it('is told that an address is not confirmed which is not verified, or not the primary one', async () => {
    const at = await githubScene()
    const email = address('example.com')
    await isTold(await signInAt(at, emailsOf(email, { verified: false })), /did not confirm an e-mail address/, at, [email])
    const notPrimary = await signInAt(at, emailsOf(email, { primary: false }))
    await isTold(notPrimary, /did not confirm an e-mail address/, at, [email])
  })

  it('is told with a reference what GitHub reports with status 200, and that it was refused there', async () => {
    const at = await githubScene()
    const tokens = { error: 'bad_verification_code', error_description: 'The code passed is incorrect or expired.' }
    await failedAt(await signInAt(at, { tokens }), 'token endpoint', at, /incorrect or expired/)
    githubResponse = ({ state = '' }) => ({
      state,
      error: 'access_denied',
      error_description: 'The user has denied your application access.',
    })
    await failedAt(await signInAt(at, workingGithub), 'response', at, /access_denied/)
    const { connectionId: id, organisation } = at
    expect(await organisation.owner.patch(`/v1/admin/connections/${id}`, { secret: 'other' })).toMatchObject({ status: 200 })
    githubResponse = (parameters) => parameters
    await failedAt(await signInAt(at, {}), 'token endpoint', at, /client_secret passed are incorrect/)
  })
})

describe('with Apple, a browser', () => {
  const appleScene = () =>
    scene({ name: 'Apple', provider: 'apple', configuration: { ...appleAccount, allowedDomains: ['*'] }, secret: apple.pem })
  const signInAt = (at: Scene, claims: Record<string, unknown>, user?: object) => {
    apple.provider.behaviour.user = { sub: `001999.${unique()}.0001`, email_verified: 'true', ...claims }
    if (user) apple.provider.behaviour.response = (parameters) => ({ ...parameters, user: JSON.stringify(user) })
    return signIn(at, 'Apple', 'appleid.apple.com')
  }

  it('signs in by a form that crosses sites, with the name that comes once', async () => {
    const at = await appleScene()
    const email = address('example.com')
    const name = { firstName: 'Ada', lastName: 'Lovelace' }
    const { user } = await arrived(await signInAt(at, { email }, { name, email: 'eve@example.com' }), at, email)
    expect(user).toMatchObject(name)
  })

  it('signs in with an address that Apple has made up, which leads to no account that exists', async () => {
    const at = await appleScene()
    const relay = address('privaterelay.appleid.com')
    await arrived(await signInAt(at, { email: relay }), at, relay)
    await isTold(await signInAt(at, { email: relay }), /account with your e-mail address/, at)
  })

  it('is told that an address is not confirmed', async () => {
    const at = await appleScene()
    const email = address('example.com')
    await isTold(await signInAt(at, { email, email_verified: 'false' }), /did not confirm an e-mail address/, at, [email])
  })

  it('whose user turned back there is told so', async () => {
    const at = await appleScene()
    apple.provider.behaviour.response = ({ state = '' }) => ({ state, error: 'user_cancelled_authorize' })
    await failedAt(await signInAt(at, {}), 'response', at, /user_cancelled_authorize/)
  })

  it('whose user turned back may try again, and arrives at the application, or sign in another way', async () => {
    const at = await appleScene()
    const email = address('example.com')
    apple.provider.behaviour.response = ({ state = '' }) => ({ state, error: 'user_cancelled_authorize' })
    const another = await signInAt(at, { email })
    await another.getByRole('link', { name: 'Sign in another way' }).click()
    await another.getByLabel('Password').waitFor()

    const page = await signInAt(at, { email })
    apple.provider.behaviour.response = (parameters) => parameters
    await page.getByRole('link', { name: 'Try again' }).click()
    await page.getByRole('button', { name: 'Allow' }).click()
    await arrived(page, at, email)
  })
})
