import { readFile } from 'node:fs/promises'
import { createServer, type Server } from 'node:http'
import express from 'express'
import session from 'express-session'
import * as client from 'openid-client'
import { TOTP } from 'otpauth'
import { afterEach, describe, expect, it } from 'vitest'
import { useBrowserAndService } from '../support/browser.ts'

const { browser, service } = useBrowserAndService()
const servers: Server[] = []
afterEach(() => {
  for (const server of servers.splice(0)) {
    server.closeAllConnections()
    server.close()
  }
})

/** Listens under the name of another site than the service's, like real applications. */
async function listen(handler: Parameters<typeof createServer>[1]): Promise<string> {
  const server = createServer(handler as never)
  servers.push(server)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return `http://localhost:${(server.address() as { port: number }).port}`
}

/** A web application that signs its users in with openid-client, and stores their identity in its own session. */
function webApplication(configuration: () => client.Configuration, origin: () => string): express.Express {
  const app = express()
  app.use(session({ secret: 'of the test', resave: false, saveUninitialized: false }))
  const kept = (request: express.Request) => request.session as unknown as Record<string, string | undefined>
  // Some browsers ask for it, and would report that it is missing.
  app.get('/favicon.ico', (_request, response) => response.status(204).end())
  app.get('/sign-in', async (request, response) => {
    const verifier = client.randomPKCECodeVerifier()
    const state = client.randomState()
    Object.assign(request.session, { verifier, state })
    response.redirect(
      client.buildAuthorizationUrl(configuration(), {
        redirect_uri: `${origin()}/callback`,
        scope: 'openid profile email',
        code_challenge: await client.calculatePKCECodeChallenge(verifier),
        code_challenge_method: 'S256',
        state,
      }).href,
    )
  })
  app.get('/callback', async (request, response) => {
    const { verifier = '', state = '' } = kept(request)
    const tokens = await client.authorizationCodeGrant(configuration(), new URL(request.originalUrl, origin()), {
      pkceCodeVerifier: verifier,
      expectedState: state,
    })
    kept(request).name = String(tokens.claims()?.name)
    kept(request).amr = JSON.stringify(tokens.claims()?.amr)
    // Redirects to a third origin, as applications do: no form-action may block it.
    response.redirect(`${origin().replace('localhost', '127.0.0.1')}/moved`)
  })
  app.get('/moved', (_request, response) => response.redirect(`${origin()}/home`))
  app.get('/home', (request, response) => {
    response.send(`<h1>Hello ${kept(request).name}</h1><p>${kept(request).amr}</p>`)
  })
  return app
}

describe('an end user with a second factor', () => {
  it('signs in with password, code and consent, and reaches the application with a session', async () => {
    const { given, origin } = service()
    const { owner } = await given.organisation()
    const user = await given.user(owner, { firstName: 'Vera', lastName: 'Lindqvist' })
    const enrolling = await given.signIn(user.email)
    const { secret } = (await enrolling.post('/v1/me/mfa/enable')).body
    await enrolling.post('/v1/me/mfa/verify', { token: new TOTP({ secret }).generate() })

    let configuration: client.Configuration | undefined
    const configured = () => configuration as client.Configuration
    const rp: string = await listen(webApplication(configured, () => rp))
    const registered = await owner.post('/v1/admin/clients', {
      name: 'Planner',
      clientType: 'confidential',
      redirectUris: [`${rp}/callback`],
      requireConsent: true,
    })
    expect(registered).toMatchObject({ status: 201 })
    const { clientId, clientSecret } = registered.body
    configuration = await client.discovery(new URL(origin), clientId, clientSecret, client.ClientSecretBasic(clientSecret), {
      execute: [client.allowInsecureRequests],
    })

    const context = await browser().newContext({ javaScriptEnabled: false })
    const page = await context.newPage()
    const violations: string[] = []
    page.on('console', (message) => violations.push(message.text()))
    await page.goto(`${rp}/sign-in`)
    await page.getByLabel('E-mail address').fill(user.email)
    await page.getByLabel('Password', { exact: true }).fill('correct horse battery')
    await page.getByRole('button', { name: 'Sign in' }).click()
    await page.waitForURL('**/login/mfa?**')
    // The enrolment has used the code of this step.
    const code = new TOTP({ secret }).generate({ timestamp: Date.now() + 30_000 })
    await page.getByRole('textbox', { name: 'Code' }).fill(code)
    await page.getByRole('button', { name: 'Verify' }).click()
    await page.getByRole('heading', { name: 'Planner wants access to your account' }).waitFor()
    await page.getByRole('button', { name: 'Allow' }).click()
    await page.waitForURL(`${rp}/home`)
    expect(await page.locator('h1').textContent()).toBe('Hello Vera Lindqvist')
    expect(JSON.parse((await page.locator('p').textContent()) ?? '')).toContain('mfa')
    expect(violations).toEqual([])

    // The session and the consent exist, so no page is shown again.
    await page.goto(`${rp}/sign-in`)
    await page.waitForURL(`${rp}/home`)
    await context.close()
  })

  it('is sent back with access_denied when they cancel', async () => {
    const { given, origin } = service()
    const { owner } = await given.organisation()
    const rp = await listen((request, response) => response.end(request.url))
    const redirectUri = `${rp}/callback`
    const { body } = await owner.post('/v1/admin/clients', {
      name: 'Planner',
      clientType: 'public',
      redirectUris: [redirectUri],
      requireConsent: true,
    })
    const context = await browser().newContext({ javaScriptEnabled: false })
    const page = await context.newPage()
    await page.goto(
      `${origin}/oauth2/authorize?${new URLSearchParams({ response_type: 'code', client_id: body.clientId, redirect_uri: redirectUri, scope: 'openid', state: 'kept', code_challenge: 'x'.repeat(43), code_challenge_method: 'S256' })}`,
    )
    await page.getByLabel('E-mail address').fill(owner.email)
    await page.getByLabel('Password', { exact: true }).fill(owner.password)
    await page.getByRole('button', { name: 'Sign in' }).click()
    await page.getByRole('button', { name: 'Cancel' }).click()
    await page.waitForURL(`${redirectUri}?**`)
    expect(Object.fromEntries(new URL(page.url()).searchParams)).toMatchObject({ error: 'access_denied', state: 'kept', iss: origin })
    expect((await owner.get('/v1/me/consents')).body.total).toBe(0)
    await context.close()
  })
})

describe('oidc-client-ts in a browser', () => {
  it('signs in with code and PKCE, reads the claims, refreshes and signs out', async () => {
    const { given, origin } = service()
    const { owner } = await given.organisation()
    const library = await readFile(new URL('../../node_modules/oidc-client-ts/dist/browser/oidc-client-ts.min.js', import.meta.url))
    const spa: string = await listen((request, response) => {
      const isScript = request.url === '/oidc.js'
      response.setHeader('content-type', isScript ? 'text/javascript' : 'text/html')
      response.end(isScript ? library : '<!doctype html><title>App</title><script src="/oidc.js"></script>')
    })
    const { body } = await owner.post('/v1/admin/clients', {
      name: 'Single page',
      clientType: 'public',
      redirectUris: [`${spa}/callback`],
      postLogoutRedirectUris: [`${spa}/bye`],
    })
    const settings = {
      authority: origin,
      client_id: body.clientId,
      redirect_uri: `${spa}/callback`,
      post_logout_redirect_uri: `${spa}/bye`,
      scope: 'openid profile email offline_access',
      loadUserInfo: true,
    }
    const context = await browser().newContext()
    const page = await context.newPage()
    await page.goto(spa)
    const start = `void new oidc.UserManager(${JSON.stringify(settings)}).signinRedirect()`
    await Promise.all([page.waitForURL('**/login?**'), page.evaluate(start)])
    await page.getByLabel('E-mail address').fill(owner.email)
    await page.getByLabel('Password', { exact: true }).fill(owner.password)
    await page.getByRole('button', { name: 'Sign in' }).click()
    await page.waitForURL(`${spa}/callback?**`)

    const manager = `window.manager = new oidc.UserManager(${JSON.stringify(settings)})`
    const signedIn = await page.evaluate<{ email: string; first: string; second: string }>(
      `(async () => { ${manager}; const user = await manager.signinCallback(); const next = await manager.signinSilent(); return { email: user.profile.email, first: user.access_token, second: next.access_token } })()`,
    )
    expect(signedIn.email).toBe(owner.email)
    expect(signedIn.second).not.toBe(signedIn.first)

    await Promise.all([page.waitForURL(`${spa}/bye**`), page.evaluate('void manager.signoutRedirect()')])
    await page.goto(`${origin}/login?returnTo=/mfa/enroll`)
    expect(await page.getByText('You are signed in as').count()).toBe(0)
    await context.close()
  })
})
