import type { Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { useBrowserAndService } from '../support/browser.ts'
import { connect, newConnectionId } from '../support/federation.ts'
import { unique } from '../support/given.ts'
import { oidcProvider } from '../support/oidc-provider.ts'

const { browser, service } = useBrowserAndService({ ofItsOwn: true })

let provider: Awaited<ReturnType<typeof oidcProvider>>
let organisation: { id: string }
/** One whose provider answers by a redirect, and one whose answers by a form. */
const [byRedirect, byForm] = [newConnectionId(), newConnectionId()]
beforeAll(async () => {
  const { origin } = service()
  organisation = await service().given.organisation()
  const at = (id: string, path: string) => `${origin}/federation/${id}/${path}`
  provider = await oidcProvider(
    {
      redirect_uris: [at(byRedirect, 'callback'), at(byForm, 'callback')],
      post_logout_redirect_uris: [at(byRedirect, 'logged-out')],
      backchannel_logout_uri: at(byRedirect, 'backchannel-logout'),
      backchannel_logout_session_required: true,
    },
    { asks: true },
  )
  const configuration = {
    ...{ issuer: provider.issuer, clientId: 'gatehouse', clientAuthentication: 'client_secret_basic' },
    ...{ emailTrust: 'verified_claim', allowedDomains: ['*'] },
  }
  const formPost = { ...configuration, extraParameters: { response_mode: 'form_post' } }
  await connect(service(), organisation, provider, {
    ...{ id: byRedirect, provisioning: 'jit', upstreamLogout: true },
    configuration: JSON.stringify(configuration),
  })
  await connect(service(), organisation, provider, { id: byForm, provisioning: 'jit', configuration: JSON.stringify(formPost) })
})
afterAll(() => provider?.close())
afterEach(async () => {
  for (const context of browser().contexts()) await context.close()
})

/** A signed-out browser, on its way to the provider. */
async function openProvider(id = byRedirect): Promise<Page> {
  const page = await (await browser().newContext()).newPage()
  await page.route(/googleapis/, (route) => route.abort())
  provider.account.email = `ada-${unique()}@example.test`
  await begin(page, id)
  return page
}

/** Opens the address of a sign-in, and agrees to it. */
async function begin(page: Page, id: string): Promise<void> {
  await page.goto(`${service().origin}/federation/${id}/start?returnTo=/account`)
  await page.click('form button')
  await page.waitForURL((url) => !url.pathname.endsWith('/start'))
}

/** Signs in at the provider, and agrees to what it asks. */
async function signIn(page: Page): Promise<void> {
  await page.fill('input[name=login]', `login-${unique()}`)
  await page.fill('input[name=password]', 'any')
  await page.click('button[type=submit]')
  await page.click('button:has-text("Continue")')
  await page.waitForURL(`${service().origin}/account`)
}

const emailOn = (page: Page) => page.textContent('main')

describe('npm oidc-provider in a browser', () => {
  it('signs a user in once they have agreed, and a sign-out here goes there and comes back', async () => {
    const page = await openProvider()
    await signIn(page)
    expect(await emailOn(page)).toContain(provider.account.email)

    await page.goto(`${service().origin}/oauth2/logout`)
    await page.click('form[action="/oauth2/logout/confirm"] button')
    await page.click('button[name=logout]')
    await page.waitForURL(`${service().origin}/logged-out`)

    // No user is signed in there, either.
    await begin(page, byRedirect)
    await page.waitForSelector('input[name=login]')
  })

  it('ends the session here when the user signs out there', async () => {
    const page = await openProvider()
    await signIn(page)

    await page.goto(`${provider.issuer}/session/end`)
    await page.click('button[name=logout]')
    await page.waitForURL(`${provider.issuer}/session/end/success`)

    await page.goto(`${service().origin}/account`)
    expect(new URL(page.url()).pathname).toBe('/login')
  })

  it('may change its key in the middle of a sign-in', async () => {
    const page = await openProvider()
    service().clock.advance({ seconds: 90 })
    provider.rotateKeys()
    await signIn(page)
    expect(await emailOn(page)).toContain(provider.account.email)
  })

  it('may answer by a form, which brings no cookie of ours', async () => {
    const page = await openProvider(byForm)
    const posted = page.waitForRequest((request) => request.method() === 'POST' && request.url().endsWith(`${byForm}/callback`))
    await signIn(page)
    await posted
    expect(await emailOn(page)).toContain(provider.account.email)
  })

  it('leads back when the user does not agree', async () => {
    const page = await openProvider()
    await page.click('text=[ Cancel ]')
    await page.waitForURL(`${service().origin}/federation/${byRedirect}/callback?**`)
    expect(await page.textContent('main')).toContain('Try again')
  })
})
